// Kernels of token embeddings, learned positions and document starts.
#include "codegen/Reference/Kernels.h"
#include "dialects/Nn/Nn.h"

namespace llmc::reference {
namespace {

using mlir::FailureOr;

/// Fails if a token picks no row of a table of `rows` rows.
mlir::LogicalResult checkTokens(mlir::Operation *op, const Value &tokens,
                                int64_t rows) {
  for (double token : tokens.data)
    if (!(token >= 0 && token < static_cast<double>(rows)))
      return op->emitOpError() << "token " << static_cast<int64_t>(token)
                               << " is outside a table of " << rows << " rows";
  return mlir::success();
}

FailureOr<Results> embedding(nn::EmbeddingOp op, Operands in) {
  const Value &tokens = *in[0], &table = *in[1];
  if (mlir::failed(checkTokens(op, tokens, table.dim(0))))
    return mlir::failure();
  Value result = Value::zeros(op.getResult().getType());
  int64_t width = table.dim(1);
  for (int64_t row = 0; row < tokens.size(); ++row)
    for (int64_t c = 0; c < width; ++c)
      result[row * width + c] =
          table[static_cast<int64_t>(tokens[row]) * width + c];
  return Results{std::move(result)};
}

FailureOr<Results> embeddingGrad(nn::EmbeddingGradOp op, Operands in) {
  const Value &tokens = *in[0], &cotangent = *in[1];
  Value result = Value::zeros(op.getResult().getType());
  if (mlir::failed(checkTokens(op, tokens, result.dim(0))))
    return mlir::failure();
  int64_t width = result.dim(1);
  for (int64_t row = 0; row < tokens.size(); ++row)
    for (int64_t c = 0; c < width; ++c)
      result[static_cast<int64_t>(tokens[row]) * width + c] +=
          cotangent[row * width + c];
  return Results{std::move(result)};
}

FailureOr<Results> addPositions(nn::AddPositionsOp, Operands in) {
  Value result = *in[0];
  const Value &table = *in[1];
  int64_t width = table.dim(1), batch = result.dim(1);
  for (int64_t t = 0; t < result.dim(0); ++t)
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t c = 0; c < width; ++c)
        result[(t * batch + b) * width + c] += table[t * width + c];
  return Results{std::move(result)};
}

FailureOr<Results> positionsGrad(nn::PositionsGradOp op, Operands in) {
  const Value &cotangent = *in[0];
  Value result = Value::zeros(op.getResult().getType());
  int64_t width = result.dim(1), batch = cotangent.dim(1);
  for (int64_t t = 0; t < cotangent.dim(0); ++t)
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t c = 0; c < width; ++c)
        result[t * width + c] += cotangent[(t * batch + b) * width + c];
  return Results{std::move(result)};
}

FailureOr<Results> documentStart(nn::DocumentStartOp op, Operands in) {
  const Value &tokens = *in[0];
  Value starts = Value::zeros(tokens.shape);
  int64_t batch = tokens.dim(1);
  for (int64_t b = 0; b < batch; ++b) {
    int64_t first = 0;
    for (int64_t t = 0; t < tokens.dim(0); ++t) {
      int64_t token = static_cast<int64_t>(tokens[t * batch + b]);
      if (op.getStart() && token == static_cast<int64_t>(*op.getStart()))
        first = t;
      starts[t * batch + b] = static_cast<double>(first);
      if (op.getEnd() && token == static_cast<int64_t>(*op.getEnd()))
        first = t + 1;
    }
  }
  return Results{std::move(starts)};
}

} // namespace

void registerEmbeddingKernels(KernelTable &table) {
  table.add<nn::EmbeddingOp, embedding>();
  table.add<nn::EmbeddingGradOp, embeddingGrad>();
  table.add<nn::AddPositionsOp, addPositions>();
  table.add<nn::PositionsGradOp, positionsGrad>();
  table.add<nn::DocumentStartOp, documentStart>();
}

} // namespace llmc::reference

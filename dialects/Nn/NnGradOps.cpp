// Ops that the reverse rules emit: verifiers.
#include "dialects/Nn/NnVerify.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::nn;
using namespace llmc::nn::detail;

LogicalResult SumLeadingOp::verify() {
  int64_t rank = shapeOf(getResult()).size();
  if (failed(expectRankAtLeast(*this, "result", getResult(), 1)) ||
      failed(expectRankAtLeast(*this, "input", getInput(), rank + 1)))
    return failure();
  return expectShape(*this, "result", getResult(),
                     shapeOf(getInput()).take_back(rank));
}

/// What the gradients of both norms read: statistics per row, a gain per
/// column.
template <typename OpT> static LogicalResult verifyNormOperands(OpT op) {
  Value input = op.getInput();
  if (failed(expectRankAtLeast(op, "input", input, 2)))
    return failure();
  if constexpr (requires { op.getMean(); })
    if (failed(expectShape(op, "mean", op.getMean(), rowsOf(input))))
      return failure();
  if (failed(expectShape(op, "rstd", op.getRstd(), rowsOf(input))))
    return failure();
  if constexpr (requires { op.getGain(); })
    if (failed(
            expectShape(op, "gain", op.getGain(), shapeOf(input).take_back())))
      return failure();
  return expectType(op, "cotangent", op.getCotangent(), input.getType());
}

template <typename OpT> static LogicalResult verifyNormInputGrad(OpT op) {
  if (failed(verifyNormOperands(op)))
    return failure();
  return expectType(op, "result", op.getResult(), op.getInput().getType());
}

template <typename OpT> static LogicalResult verifyNormWeightGrad(OpT op) {
  if (failed(verifyNormOperands(op)))
    return failure();
  return expectShape(op, "result", op.getResult(),
                     shapeOf(op.getInput()).take_back());
}

LogicalResult RmsInputGradOp::verify() { return verifyNormInputGrad(*this); }

LogicalResult RmsWeightGradOp::verify() { return verifyNormWeightGrad(*this); }

LogicalResult LayerNormInputGradOp::verify() {
  return verifyNormInputGrad(*this);
}

LogicalResult LayerNormWeightGradOp::verify() {
  return verifyNormWeightGrad(*this);
}

LogicalResult EmbeddingGradOp::verify() {
  if (failed(expectRank(*this, "tokens", getTokens(), 2)) ||
      failed(expectRank(*this, "result", getResult(), 2)))
    return failure();
  ArrayRef<int64_t> tokens = shapeOf(getTokens());
  return expectShape(*this, "cotangent", getCotangent(),
                     {tokens[0], tokens[1], shapeOf(getResult()).back()});
}

LogicalResult PositionsGradOp::verify() {
  if (failed(expectRank(*this, "cotangent", getCotangent(), 3)) ||
      failed(expectRank(*this, "result", getResult(), 2)))
    return failure();
  int64_t rows = shapeOf(getResult()).front();
  int64_t positions = shapeOf(getCotangent()).front();
  if (rows < positions)
    return emitOpError() << "found a table of " << rows
                         << " positions, expected at least " << positions;
  return expectShape(*this, "result", getResult(),
                     {rows, shapeOf(getCotangent()).back()});
}

LogicalResult AttentionGradOp::verify() {
  if (failed(verifyAttention(*this, getQ(), getK(), getV(), getDocumentStarts(),
                             getLse(), getScale().convertToDouble(),
                             getWindow(), getGlobalTokens())) ||
      failed(expectType(*this, "output", getOutput(), getQ().getType())) ||
      failed(
          expectType(*this, "cotangent", getCotangent(), getQ().getType())) ||
      failed(expectType(*this, "dq", getDq(), getQ().getType())) ||
      failed(expectType(*this, "dk", getDk(), getK().getType())))
    return failure();
  return expectType(*this, "dv", getDv(), getV().getType());
}

LogicalResult NormPartialsOp::verify() {
  if (failed(expectRank(*this, "input", getInput(), 1)))
    return failure();
  return expectRank(*this, "partials", getPartials(), 1);
}

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

LogicalResult RmsInputGradOp::verify() {
  if (failed(expectRankAtLeast(*this, "input", getInput(), 2)) ||
      failed(expectShape(*this, "rstd", getRstd(), rowsOf(getInput()))) ||
      failed(expectShape(*this, "gain", getGain(),
                         shapeOf(getInput()).take_back())) ||
      failed(
          expectType(*this, "cotangent", getCotangent(), getInput().getType())))
    return failure();
  return expectType(*this, "result", getResult(), getInput().getType());
}

LogicalResult RmsWeightGradOp::verify() {
  if (failed(expectRankAtLeast(*this, "input", getInput(), 2)) ||
      failed(expectShape(*this, "rstd", getRstd(), rowsOf(getInput()))) ||
      failed(
          expectType(*this, "cotangent", getCotangent(), getInput().getType())))
    return failure();
  return expectShape(*this, "result", getResult(),
                     shapeOf(getInput()).take_back());
}

LogicalResult LayerNormInputGradOp::verify() {
  if (failed(expectRankAtLeast(*this, "input", getInput(), 2)) ||
      failed(expectShape(*this, "mean", getMean(), rowsOf(getInput()))) ||
      failed(expectShape(*this, "rstd", getRstd(), rowsOf(getInput()))) ||
      failed(expectShape(*this, "gain", getGain(),
                         shapeOf(getInput()).take_back())) ||
      failed(
          expectType(*this, "cotangent", getCotangent(), getInput().getType())))
    return failure();
  return expectType(*this, "result", getResult(), getInput().getType());
}

LogicalResult LayerNormWeightGradOp::verify() {
  if (failed(expectRankAtLeast(*this, "input", getInput(), 2)) ||
      failed(expectShape(*this, "mean", getMean(), rowsOf(getInput()))) ||
      failed(expectShape(*this, "rstd", getRstd(), rowsOf(getInput()))) ||
      failed(
          expectType(*this, "cotangent", getCotangent(), getInput().getType())))
    return failure();
  return expectShape(*this, "result", getResult(),
                     shapeOf(getInput()).take_back());
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

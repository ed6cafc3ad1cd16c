// Forward layers: verifiers, index terms of contractions, rotary frequencies.
#include "dialects/Nn/NnVerify.h"
#include <cmath>

using namespace mlir;
using namespace llmc;
using namespace llmc::nn;
using namespace llmc::nn::detail;

//===----------------------------------------------------------------------===//
// ContractOp
//===----------------------------------------------------------------------===//

Type ContractOp::getAccType() {
  return getAcc().value_or(Float32Type::get(getContext()));
}

StringRef ContractOp::getLhsIndices() {
  return getIndices().split("->").first.split(',').first;
}

StringRef ContractOp::getRhsIndices() {
  return getIndices().split("->").first.split(',').second;
}

StringRef ContractOp::getResultIndices() {
  return getIndices().split("->").second;
}

/// Checks one term against its tensor and notes the size of each letter.
static LogicalResult verifyTerm(ContractOp op, StringRef term, Value value,
                                std::map<char, int64_t> &sizes,
                                std::map<char, int> &uses) {
  ArrayRef<int64_t> shape = shapeOf(value);
  if (term.size() != shape.size())
    return op.emitOpError()
           << "found term '" << term << "' for " << value.getType()
           << ", expected " << shape.size() << " letters";
  for (auto [position, letter] : llvm::enumerate(term)) {
    if (!llvm::isAlpha(letter))
      return op.emitOpError() << "found '" << StringRef(&letter, 1)
                              << "' in term '" << term << "', expected letters";
    if (term.count(letter) != 1)
      return op.emitOpError() << "found letter '" << StringRef(&letter, 1)
                              << "' more than once in term '" << term
                              << "', expected it at most once";
    auto [known, isNew] = sizes.try_emplace(letter, shape[position]);
    if (!isNew && known->second != shape[position])
      return op.emitOpError()
             << "found sizes " << known->second << " and " << shape[position]
             << " for letter '" << StringRef(&letter, 1) << "', expected one";
    ++uses[letter];
  }
  return success();
}

LogicalResult ContractOp::verify() {
  StringRef indices = getIndices();
  if (indices.count(',') != 1 || indices.count("->") != 1 ||
      indices.find(',') > indices.find("->"))
    return emitOpError() << "found indices '" << indices
                         << "', expected the form 'ab,bc->ac'";
  std::map<char, int64_t> sizes;
  std::map<char, int> uses;
  if (failed(verifyTerm(*this, getLhsIndices(), getLhs(), sizes, uses)) ||
      failed(verifyTerm(*this, getRhsIndices(), getRhs(), sizes, uses)) ||
      failed(verifyTerm(*this, getResultIndices(), getResult(), sizes, uses)))
    return failure();
  for (auto [letter, count] : uses)
    if (count == 1)
      return emitOpError() << "found letter '" << StringRef(&letter, 1)
                           << "' in one term of '" << indices
                           << "', expected it in at least two";
  Type element = getLhs().getType().getElementType();
  if (getRhs().getType().getElementType() != element)
    return emitOpError() << "found operands of " << element << " and "
                         << getRhs().getType().getElementType()
                         << ", expected one element type";
  auto acc = dyn_cast<FloatType>(getAccType());
  if (!acc || acc.getWidth() < cast<FloatType>(element).getWidth())
    return emitOpError() << "found acc " << getAccType()
                         << ", expected a float type at least as wide as "
                         << element;
  return success();
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

LogicalResult AddOp::verify() {
  if (getAnchor() && *getAnchor() != "residual")
    return emitOpError() << "found anchor '" << *getAnchor()
                         << "', expected 'residual'";
  if (getEndOfLayer() && !getAnchor())
    return emitOpError() << "found 'end_of_layer' without 'anchor', expected "
                            "anchor = \"residual\"";
  return expectAtLeast(*this, "end_of_layer", getEndOfLayer(), 0);
}

LogicalResult ScaleOp::verify() {
  if (getFactor().isFinite())
    return success();
  return emitOpError() << "found factor " << getFactor().convertToDouble()
                       << ", expected a finite number";
}

LogicalResult AddBiasOp::verify() {
  ArrayRef<int64_t> shape = shapeOf(getInput());
  int64_t rank = shapeOf(getBias()).size();
  if (failed(expectRankAtLeast(*this, "bias", getBias(), 1)) ||
      failed(expectRankAtLeast(*this, "input", getInput(), rank + 1)) ||
      failed(expectShape(*this, "bias", getBias(), shape.take_back(rank))))
    return failure();
  return expectType(*this, "result", getResult(), getInput().getType());
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

LogicalResult RmsStatOp::verify() {
  if (failed(expectRankAtLeast(*this, "input", getInput(), 2)) ||
      failed(expectShape(*this, "rstd", getRstd(), rowsOf(getInput()))))
    return failure();
  return expectPositive(*this, "eps", getEps().convertToDouble());
}

LogicalResult RmsApplyOp::verify() {
  if (failed(expectRankAtLeast(*this, "input", getInput(), 2)) ||
      failed(expectShape(*this, "rstd", getRstd(), rowsOf(getInput()))) ||
      failed(expectShape(*this, "gain", getGain(),
                         shapeOf(getInput()).take_back())))
    return failure();
  return expectType(*this, "result", getResult(), getInput().getType());
}

LogicalResult LayerNormStatOp::verify() {
  if (failed(expectRankAtLeast(*this, "input", getInput(), 2)) ||
      failed(expectShape(*this, "mean", getMean(), rowsOf(getInput()))) ||
      failed(expectShape(*this, "rstd", getRstd(), rowsOf(getInput()))))
    return failure();
  return expectPositive(*this, "eps", getEps().convertToDouble());
}

LogicalResult LayerNormApplyOp::verify() {
  if (failed(expectRankAtLeast(*this, "input", getInput(), 2)) ||
      failed(expectShape(*this, "mean", getMean(), rowsOf(getInput()))) ||
      failed(expectShape(*this, "rstd", getRstd(), rowsOf(getInput()))) ||
      failed(expectShape(*this, "gain", getGain(),
                         shapeOf(getInput()).take_back())))
    return failure();
  if (getBias() && failed(expectShape(*this, "bias", getBias(),
                                      shapeOf(getInput()).take_back())))
    return failure();
  return expectType(*this, "result", getResult(), getInput().getType());
}

//===----------------------------------------------------------------------===//
// Tokens and positions
//===----------------------------------------------------------------------===//

LogicalResult EmbeddingOp::verify() {
  if (failed(expectRank(*this, "tokens", getTokens(), 2)) ||
      failed(expectRank(*this, "table", getTable(), 2)))
    return failure();
  ArrayRef<int64_t> tokens = shapeOf(getTokens());
  return expectShape(*this, "result", getResult(),
                     {tokens[0], tokens[1], shapeOf(getTable()).back()});
}

LogicalResult AddPositionsOp::verify() {
  if (failed(expectRank(*this, "input", getInput(), 3)) ||
      failed(expectRank(*this, "table", getTable(), 2)))
    return failure();
  int64_t rows = shapeOf(getTable()).front();
  int64_t positions = shapeOf(getInput()).front();
  if (rows < positions)
    return emitOpError() << "found a table of " << rows
                         << " positions, expected at least " << positions;
  if (failed(expectShape(*this, "table", getTable(),
                         {rows, shapeOf(getInput()).back()})))
    return failure();
  return expectType(*this, "result", getResult(), getInput().getType());
}

LogicalResult RopeOp::verify() {
  if (failed(expectRank(*this, "input", getInput(), 4)))
    return failure();
  int64_t size = shapeOf(getInput()).back();
  if (size % 2 != 0)
    return emitOpError() << "found heads of size " << size
                         << ", expected an even size";
  return expectPositive(*this, "theta", getTheta().convertToDouble());
}

LogicalResult DocumentStartOp::verify() {
  if (failed(expectRank(*this, "tokens", getTokens(), 2)) ||
      failed(expectShape(*this, "starts", getStarts(), shapeOf(getTokens()))))
    return failure();
  if (getEnd().has_value() == getStart().has_value())
    return emitOpError() << "found " << (getEnd() ? "both" : "neither")
                         << " of 'end' and 'start', expected exactly one";
  return success();
}

/// Rotation speed of the llama3 ramp: by how often the wave fits into the
/// positions that the model was first trained on.
static double stretchLlama3(double speed, RopeScalingAttr scaling) {
  double wavelength = 2 * M_PI / speed;
  double original = scaling.getOriginalMaxPositions();
  double low = scaling.getLowFreqFactor();
  double high = scaling.getHighFreqFactor();
  if (wavelength < original / high)
    return speed;
  if (wavelength > original / low)
    return speed / scaling.getFactor();
  double kept = (original / wavelength - low) / (high - low);
  return (1 - kept) * speed / scaling.getFactor() + kept * speed;
}

SmallVector<double> nn::ropeFrequencies(int64_t headDim, double theta,
                                        RopeScalingAttr scaling) {
  SmallVector<double> speeds;
  for (int64_t pair = 0; pair < headDim / 2; ++pair) {
    double speed = std::pow(theta, -2.0 * pair / headDim);
    if (scaling)
      speed = scaling.getKind() == "linear" ? speed / scaling.getFactor()
                                            : stretchLlama3(speed, scaling);
    speeds.push_back(speed);
  }
  return speeds;
}

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::verify() {
  if (failed(verifyAttention(*this, getQ(), getK(), getV(), getDocumentStarts(),
                             getLse(), getScale().convertToDouble(),
                             getWindow(), getGlobalTokens())))
    return failure();
  return expectType(*this, "result", getResult(), getQ().getType());
}

LogicalResult nn::detail::verifyAttention(Operation *op, Value q, Value k,
                                          Value v, Value documentStarts,
                                          Value lse, double scale,
                                          std::optional<int64_t> window,
                                          int64_t globalTokens) {
  if (failed(expectRank(op, "q", q, 4)) || failed(expectRank(op, "k", k, 4)))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(q);
  int64_t groups = shapeOf(k)[2];
  if (shape[2] % groups != 0)
    return op->emitOpError()
           << "found " << shape[2] << " query heads and " << groups
           << " key heads, expected a multiple of the key heads";
  if (failed(expectShape(op, "k", k, {shape[0], shape[1], groups, shape[3]})) ||
      failed(expectType(op, "v", v, k.getType())) ||
      failed(expectShape(op, "lse", lse, shape.drop_back())))
    return failure();
  if (documentStarts &&
      failed(expectShape(op, "document_starts", documentStarts,
                         shape.take_front(2))))
    return failure();
  if (failed(expectPositive(op, "scale", scale)) ||
      failed(expectAtLeast(op, "window", window, 1)))
    return failure();
  return expectAtLeast(op, "global_tokens", globalTokens, 0);
}

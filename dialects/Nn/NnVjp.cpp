// Reverse rules of the differentiable nn ops.
#include "dialects/Nn/Nn.h"
#include "test/faults/Fault.h"

using namespace mlir;
using namespace llmc::nn;

/// Ops on a gradient that goes straight into a parameter's accumulator carry
/// `weight_gradient`: a schedule may delay them.
static bool isParameter(Value operand) {
  return operand.getDefiningOp<GetOp>() != nullptr;
}

/// Makes `gradients` fit the operands and tells whether result 0 has a
/// cotangent: without one there is nothing to emit.
static bool prepare(Operation *op, ValueRange cotangents,
                    SmallVectorImpl<Value> &gradients) {
  gradients.assign(op->getNumOperands(), Value());
  return bool(cotangents.front());
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

void ContractOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                          ArrayRef<bool> wanted,
                          SmallVectorImpl<Value> &gradients) {
  if (!prepare(*this, cotangents, gradients))
    return;
  // d(operand) contracts the cotangent with the other operand: the same
  // letters with operand and result exchanged.
  auto contract = [&](Value operand, StringRef term, Value other,
                      StringRef otherTerm) -> Value {
    std::string indices =
        (getResultIndices() + "," + otherTerm + "->" + term).str();
    return ContractOp::create(builder, getLoc(), operand.getType(),
                              cotangents.front(), other, indices, getAccAttr(),
                              isParameter(operand));
  };
  if (wanted[0])
    gradients[0] =
        contract(getLhs(), getLhsIndices(), getRhs(), getRhsIndices());
  if (wanted[1])
    gradients[1] =
        contract(getRhs(), getRhsIndices(), getLhs(), getLhsIndices());
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

void AddOp::buildVjp(OpBuilder &, ValueRange cotangents, ArrayRef<bool> wanted,
                     SmallVectorImpl<Value> &gradients) {
  if (!prepare(*this, cotangents, gradients))
    return;
  for (unsigned i = 0; i < 2; ++i)
    if (wanted[i])
      gradients[i] = cotangents.front();
}

void MultiplyOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                          ArrayRef<bool> wanted,
                          SmallVectorImpl<Value> &gradients) {
  if (!prepare(*this, cotangents, gradients))
    return;
  if (wanted[0])
    gradients[0] =
        MultiplyOp::create(builder, getLoc(), cotangents.front(), getRhs());
  if (wanted[1])
    gradients[1] =
        MultiplyOp::create(builder, getLoc(), cotangents.front(), getLhs());
}

void ScaleOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                       ArrayRef<bool> wanted,
                       SmallVectorImpl<Value> &gradients) {
  if (prepare(*this, cotangents, gradients) && wanted[0])
    gradients[0] =
        ScaleOp::create(builder, getLoc(), cotangents.front(), getFactorAttr());
}

void AddBiasOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                         ArrayRef<bool> wanted,
                         SmallVectorImpl<Value> &gradients) {
  if (!prepare(*this, cotangents, gradients))
    return;
  if (wanted[0])
    gradients[0] = cotangents.front();
  if (wanted[1])
    gradients[1] =
        SumLeadingOp::create(builder, getLoc(), getBias().getType(),
                             cotangents.front(), isParameter(getBias()));
}

void GeluOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                      ArrayRef<bool> wanted,
                      SmallVectorImpl<Value> &gradients) {
  if (!prepare(*this, cotangents, gradients) || !wanted[0])
    return;
  Value input = getInput(), cotangent = cotangents.front();
  if (LLMC_FAULT("gelu-vjp-swaps-operands"))
    std::swap(input, cotangent);
  gradients[0] = GeluInputGradOp::create(builder, getLoc(), input, cotangent,
                                         getTanhForm());
}

void SiluOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                      ArrayRef<bool> wanted,
                      SmallVectorImpl<Value> &gradients) {
  if (prepare(*this, cotangents, gradients) && wanted[0])
    gradients[0] = SiluInputGradOp::create(builder, getLoc(), getInput(),
                                           cotangents.front());
}

void ReluOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                      ArrayRef<bool> wanted,
                      SmallVectorImpl<Value> &gradients) {
  if (prepare(*this, cotangents, gradients) && wanted[0])
    gradients[0] = ReluInputGradOp::create(builder, getLoc(), getInput(),
                                           cotangents.front());
}

//===----------------------------------------------------------------------===//
// Norms: statistics get no gradient of their own
//===----------------------------------------------------------------------===//

void RmsApplyOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                          ArrayRef<bool> wanted,
                          SmallVectorImpl<Value> &gradients) {
  if (!prepare(*this, cotangents, gradients))
    return;
  if (wanted[0])
    gradients[0] = RmsInputGradOp::create(
        builder, getLoc(), getInput().getType(), getInput(), getRstd(),
        getGain(), cotangents.front(), getPlusOne());
  if (wanted[2])
    gradients[2] = RmsWeightGradOp::create(
        builder, getLoc(), getGain().getType(), getInput(), getRstd(),
        cotangents.front(), isParameter(getGain()));
}

void LayerNormApplyOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                ArrayRef<bool> wanted,
                                SmallVectorImpl<Value> &gradients) {
  if (!prepare(*this, cotangents, gradients))
    return;
  if (wanted[0])
    gradients[0] = LayerNormInputGradOp::create(
        builder, getLoc(), getInput().getType(), getInput(), getMean(),
        getRstd(), getGain(), cotangents.front());
  if (wanted[3])
    gradients[3] = LayerNormWeightGradOp::create(
        builder, getLoc(), getGain().getType(), getInput(), getMean(),
        getRstd(), cotangents.front(), isParameter(getGain()));
  if (getBias() && wanted[4])
    gradients[4] =
        SumLeadingOp::create(builder, getLoc(), getBias().getType(),
                             cotangents.front(), isParameter(getBias()));
}

//===----------------------------------------------------------------------===//
// Tokens, positions, attention
//===----------------------------------------------------------------------===//

void EmbeddingOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                           ArrayRef<bool> wanted,
                           SmallVectorImpl<Value> &gradients) {
  if (prepare(*this, cotangents, gradients) && wanted[1])
    gradients[1] = EmbeddingGradOp::create(
        builder, getLoc(), getTable().getType(), getTokens(),
        cotangents.front(), isParameter(getTable()));
}

void AddPositionsOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &gradients) {
  if (!prepare(*this, cotangents, gradients))
    return;
  if (wanted[0])
    gradients[0] = cotangents.front();
  if (wanted[1])
    gradients[1] =
        PositionsGradOp::create(builder, getLoc(), getTable().getType(),
                                cotangents.front(), isParameter(getTable()));
}

void RopeOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                      ArrayRef<bool> wanted,
                      SmallVectorImpl<Value> &gradients) {
  bool inverse = LLMC_FAULT("rope-vjp-turns-on") ? getInverse() : !getInverse();
  if (prepare(*this, cotangents, gradients) && wanted[0])
    gradients[0] = RopeOp::create(builder, getLoc(), cotangents.front(),
                                  getTheta(), getScalingAttr(), inverse);
}

void AttentionOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                           ArrayRef<bool> wanted,
                           SmallVectorImpl<Value> &gradients) {
  // The log-sum-exp is saved for the gradient and has none itself.
  if (!prepare(*this, cotangents, gradients) ||
      !(wanted[0] || wanted[1] || wanted[2]))
    return;
  auto grad = AttentionGradOp::create(
      builder, getLoc(), getQ().getType(), getK().getType(), getV().getType(),
      getQ(), getK(), getV(), getResult(), getLse(), cotangents.front(),
      getDocumentStarts(), getScaleAttr(), getWindowAttr(),
      getGlobalTokensAttr());
  for (unsigned i = 0; i < 3; ++i)
    if (wanted[i])
      gradients[i] = grad.getResult(i);
}

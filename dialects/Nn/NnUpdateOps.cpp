// Losses and updates: verifiers and what results the gradients are of.
#include "dialects/Nn/NnVerify.h"
#include <limits>

using namespace mlir;
using namespace llmc;
using namespace llmc::nn;
using namespace llmc::nn::detail;

static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

unsigned SquaredErrorOp::getDifferentiatedOperand(unsigned result) {
  return result - 1;
}

LogicalResult SquaredErrorOp::verify() {
  if (failed(expectRankAtLeast(*this, "input", getInput(), 2)) ||
      failed(expectType(*this, "target", getTarget(), getInput().getType())) ||
      failed(expectShape(*this, "keep", getKeep(),
                         shapeOf(getInput()).take_front(2))))
    return failure();
  return expectType(*this, "input_grad", getInputGrad(), getInput().getType());
}

unsigned CrossEntropyOp::getDifferentiatedOperand(unsigned result) {
  return result - 1;
}

LogicalResult CrossEntropyOp::verify() {
  if (failed(expectRank(*this, "input", getInput(), 3)) ||
      failed(expectRank(*this, "weight", getWeight(), 2)) ||
      failed(expectShape(
          *this, "weight", getWeight(),
          {shapeOf(getWeight()).front(), shapeOf(getInput()).back()})) ||
      failed(expectShape(*this, "labels", getLabels(), rowsOf(getInput()))) ||
      failed(expectType(*this, "input_grad", getInputGrad(),
                        getInput().getType())) ||
      failed(expectType(*this, "weight_grad", getWeightGrad(),
                        getWeight().getType())))
    return failure();
  return expectAtLeast(*this, "logits_limit", getLogitsLimit(), 1);
}

LogicalResult SoftmaxCrossEntropyOp::verify() {
  if (failed(expectRank(*this, "logits", getLogits(), 3)) ||
      failed(expectShape(*this, "labels", getLabels(), rowsOf(getLogits()))) ||
      failed(expectShape(*this, "losses", getLosses(), rowsOf(getLogits()))))
    return failure();
  return expectShape(*this, "gradient", getGradient(), shapeOf(getLogits()));
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

static LogicalResult verifyAdamw(Operation *op, double beta1, double beta2,
                                 double eps, double weightDecay) {
  if (failed(expectInRange(op, "beta1", beta1, 0, 1)) ||
      failed(expectInRange(op, "beta2", beta2, 0, 1)) ||
      failed(expectPositive(op, "eps", eps)))
    return failure();
  return expectInRange(op, "weight_decay", weightDecay, 0, infinity);
}

static LogicalResult verifySgd(Operation *op, double momentum,
                               double weightDecay) {
  if (failed(expectInRange(op, "momentum", momentum, 0, 1)))
    return failure();
  return expectInRange(op, "weight_decay", weightDecay, 0, infinity);
}

LogicalResult AdamwOp::verify() {
  return verifyAdamw(*this, getBeta1().convertToDouble(),
                     getBeta2().convertToDouble(), getEps().convertToDouble(),
                     getWeightDecay().convertToDouble());
}

LogicalResult SgdOp::verify() {
  return verifySgd(*this, getMomentum().convertToDouble(),
                   getWeightDecay().convertToDouble());
}

LogicalResult AdamwApplyOp::verify() {
  if (failed(verifyAdamw(
          *this, getBeta1().convertToDouble(), getBeta2().convertToDouble(),
          getEps().convertToDouble(), getWeightDecay().convertToDouble())) ||
      failed(expectAtLeast(*this, "decay_below", getDecayBelow(), 0)) ||
      failed(expectRank(*this, "parameter", getParameter(), 1)))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(getParameter());
  if (failed(expectShape(*this, "gradient", getGradient(), shape)) ||
      failed(expectShape(*this, "moment1", getMoment1(), shape)) ||
      failed(expectShape(*this, "moment2", getMoment2(), shape)) ||
      failed(expectType(*this, "new_parameter", getNewParameter(),
                        getParameter().getType())) ||
      failed(expectType(*this, "new_moment1", getNewMoment1(),
                        getMoment1().getType())))
    return failure();
  return expectType(*this, "new_moment2", getNewMoment2(),
                    getMoment2().getType());
}

LogicalResult SgdApplyOp::verify() {
  if (failed(verifySgd(*this, getMomentum().convertToDouble(),
                       getWeightDecay().convertToDouble())) ||
      failed(expectAtLeast(*this, "decay_below", getDecayBelow(), 0)) ||
      failed(expectRank(*this, "parameter", getParameter(), 1)) ||
      failed(expectShape(*this, "gradient", getGradient(),
                         shapeOf(getParameter()))) ||
      failed(expectType(*this, "new_parameter", getNewParameter(),
                        getParameter().getType())))
    return failure();
  bool stateful = !getMomentum().isZero();
  if (bool(getMomentumState()) != stateful ||
      bool(getNewMomentumState()) != stateful)
    return emitOpError() << "found momentum " << getMomentum().convertToDouble()
                         << " with " << (getMomentumState() ? "a" : "no")
                         << " state operand and "
                         << (getNewMomentumState() ? "a" : "no")
                         << " state result, expected "
                         << (stateful ? "both" : "neither");
  if (!stateful)
    return success();
  if (failed(expectShape(*this, "momentum_state", getMomentumState(),
                         shapeOf(getParameter()))))
    return failure();
  return expectType(*this, "new_momentum_state", getNewMomentumState(),
                    getMomentumState().getType());
}

// Activations and their gradients, arranged so that float32 keeps its digits.
#include "codegen/Linalg/Layer.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

/// 0.5 x (1 + tanh(a (x + b x^3))) is x times the sigmoid of twice that
/// argument.
static constexpr double kGeluCubic = 0.044715;
static const double kGeluScale = 2.0 * std::sqrt(2.0 / std::numbers::pi);

static Value geluSigmoid(Scalars s, Value x) {
  Value cubic = s.add(s.constant(1.0), s.mul(s.mul(x, x), kGeluCubic));
  return s.sigmoid(s.mul(s.mul(x, kGeluScale), cubic));
}

/// The normal distribution function.
static Value normalCdf(Scalars s, Value x) {
  Value scaled = s.mul(x, 1.0 / std::numbers::sqrt2);
  return s.mul(s.add(s.constant(1.0), s.erf(scaled)), 0.5);
}

static Value normalDensity(Scalars s, Value x) {
  double norm = 1.0 / std::sqrt(2.0 * std::numbers::pi);
  return s.mul(s.exp(s.mul(s.mul(x, x), -0.5)), norm);
}

LogicalResult Layer::convertActivation(Operation *op) {
  Value x = op->getOperand(0);
  auto unary = [&](Payload payload) {
    result(op, map(x, {whole(x)}, payload));
    return success();
  };
  auto grad = [&](Payload payload) {
    result(op, map(x, {whole(x), whole(op->getOperand(1))}, payload));
    return success();
  };
  if (auto gelu = dyn_cast<nn::GeluOp>(op))
    return unary([&](Scalars s, ValueRange v) {
      return s.mul(v[0], gelu.getTanhForm() ? geluSigmoid(s, v[0])
                                            : normalCdf(s, v[0]));
    });
  if (isa<nn::SiluOp>(op))
    return unary(
        [](Scalars s, ValueRange v) { return s.mul(v[0], s.sigmoid(v[0])); });
  if (isa<nn::ReluOp>(op))
    return unary(
        [](Scalars s, ValueRange v) { return s.whereNotNegative(v[0], v[0]); });
  if (auto gelu = dyn_cast<nn::GeluInputGradOp>(op); gelu && gelu.getTanhForm())
    return grad([](Scalars s, ValueRange v) {
      Value g = geluSigmoid(s, v[0]);
      Value slope = s.mul(
          s.add(s.constant(1.0), s.mul(s.mul(v[0], v[0]), 3.0 * kGeluCubic)),
          kGeluScale);
      Value tail =
          s.mul(s.mul(s.mul(v[0], g), s.sub(s.constant(1.0), g)), slope);
      return s.mul(v[1], s.add(g, tail));
    });
  if (isa<nn::GeluInputGradOp>(op))
    return grad([](Scalars s, ValueRange v) {
      return s.mul(
          v[1], s.add(normalCdf(s, v[0]), s.mul(v[0], normalDensity(s, v[0]))));
    });
  if (isa<nn::SiluInputGradOp>(op))
    return grad([](Scalars s, ValueRange v) {
      Value g = s.sigmoid(v[0]);
      Value tail = s.mul(v[0], s.sub(s.constant(1.0), g));
      return s.mul(v[1], s.mul(g, s.add(s.constant(1.0), tail)));
    });
  if (isa<nn::ReluInputGradOp>(op))
    return grad(
        [](Scalars s, ValueRange v) { return s.whereNotNegative(v[0], v[1]); });
  return failure();
}

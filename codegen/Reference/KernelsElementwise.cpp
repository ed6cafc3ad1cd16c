// Kernels of sums, products, biases and activations, and their gradients.
#include "codegen/Reference/Kernels.h"
#include "dialects/Nn/Nn.h"

#include <cmath>
#include <numbers>

namespace llmc::reference {
namespace {

using mlir::FailureOr;

template <typename Function>
Results mapUnary(const Value &input, Function function) {
  Value result = input;
  for (double &element : result.data)
    element = function(element);
  return {std::move(result)};
}

template <typename Function>
Results mapBinary(const Value &lhs, const Value &rhs, Function function) {
  Value result = lhs;
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = function(lhs[i], rhs[i]);
  return {std::move(result)};
}

FailureOr<Results> add(nn::AddOp, Operands in) {
  return mapBinary(*in[0], *in[1], [](double a, double b) { return a + b; });
}

FailureOr<Results> multiply(nn::MultiplyOp, Operands in) {
  return mapBinary(*in[0], *in[1], [](double a, double b) { return a * b; });
}

FailureOr<Results> scale(nn::ScaleOp op, Operands in) {
  double factor = op.getFactor().convertToDouble();
  return mapUnary(*in[0], [=](double x) { return x * factor; });
}

FailureOr<Results> addBias(nn::AddBiasOp, Operands in) {
  Value result = *in[0];
  const Value &bias = *in[1];
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] += bias[i % bias.size()];
  return Results{std::move(result)};
}

FailureOr<Results> sumLeading(nn::SumLeadingOp op, Operands in) {
  Value result = Value::zeros(op.getResult().getType());
  const Value &input = *in[0];
  for (int64_t i = 0; i < input.size(); ++i)
    result[i % result.size()] += input[i];
  return Results{std::move(result)};
}

double geluExact(double x) {
  return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
}

double geluExactSlope(double x) {
  double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
  return 0.5 * (1 + std::erf(x / std::numbers::sqrt2)) + x * density;
}

const double tanhFactor = std::sqrt(2 / std::numbers::pi);
constexpr double tanhCubic = 0.044715;

double geluTanh(double x) {
  return 0.5 * x * (1 + std::tanh(tanhFactor * (x + tanhCubic * x * x * x)));
}

double geluTanhSlope(double x) {
  double t = std::tanh(tanhFactor * (x + tanhCubic * x * x * x));
  double inner = tanhFactor * (1 + 3 * tanhCubic * x * x);
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double siluSlope(double x) {
  double s = sigmoid(x);
  return s + x * s * (1 - s);
}

FailureOr<Results> gelu(nn::GeluOp op, Operands in) {
  return mapUnary(*in[0], op.getTanhForm() ? geluTanh : geluExact);
}

FailureOr<Results> geluInputGrad(nn::GeluInputGradOp op, Operands in) {
  auto slope = op.getTanhForm() ? geluTanhSlope : geluExactSlope;
  return mapBinary(*in[0], *in[1],
                   [=](double x, double dy) { return dy * slope(x); });
}

FailureOr<Results> silu(nn::SiluOp, Operands in) {
  return mapUnary(*in[0], [](double x) { return x * sigmoid(x); });
}

FailureOr<Results> siluInputGrad(nn::SiluInputGradOp, Operands in) {
  return mapBinary(*in[0], *in[1],
                   [](double x, double dy) { return dy * siluSlope(x); });
}

/// Not std::max, which would turn a NaN into 0.
FailureOr<Results> relu(nn::ReluOp, Operands in) {
  return mapUnary(*in[0], [](double x) { return x < 0 ? 0.0 : x; });
}

FailureOr<Results> reluInputGrad(nn::ReluInputGradOp, Operands in) {
  return mapBinary(*in[0], *in[1],
                   [](double x, double dy) { return x > 0 ? dy : 0.0; });
}

} // namespace

void registerElementwiseKernels(KernelTable &table) {
  table.add<nn::AddOp, add>();
  table.add<nn::MultiplyOp, multiply>();
  table.add<nn::ScaleOp, scale>();
  table.add<nn::AddBiasOp, addBias>();
  table.add<nn::SumLeadingOp, sumLeading>();
  table.add<nn::GeluOp, gelu>();
  table.add<nn::GeluInputGradOp, geluInputGrad>();
  table.add<nn::SiluOp, silu>();
  table.add<nn::SiluInputGradOp, siluInputGrad>();
  table.add<nn::ReluOp, relu>();
  table.add<nn::ReluInputGradOp, reluInputGrad>();
}

} // namespace llmc::reference

// Kernels of the losses and of the sums that they are made of.
#include "codegen/Reference/Contract.h"
#include "codegen/Reference/Kernels.h"
#include "dialects/Nn/Nn.h"

#include <cmath>

namespace llmc::reference {
namespace {

using mlir::FailureOr;

FailureOr<Results> squaredError(nn::SquaredErrorOp, Operands in) {
  const Value &x = *in[0], &target = *in[1], &keep = *in[2];
  double seed = in[3]->number(), loss = 0;
  Value gradient = Value::zeros(x.shape);
  int64_t width = x.size() / keep.size();
  for (int64_t i = 0; i < x.size(); ++i) {
    if (keep[i / width] == 0)
      continue;
    double difference = x[i] - target[i];
    loss += difference * difference;
    gradient[i] = 2 * seed * difference;
  }
  return Results{Value::scalar(loss), std::move(gradient)};
}

/// Losses and the gradient of seed * loss for each row of logits.
FailureOr<Results> rowLosses(mlir::Operation *op, const Value &logits,
                             const Value &labels, double seed) {
  int64_t width = logits.shape.back();
  Value losses = Value::zeros(labels.shape);
  Value gradient = Value::zeros(logits.shape);
  for (int64_t row = 0; row < labels.size(); ++row) {
    int64_t label = static_cast<int64_t>(labels[row]), at = row * width;
    if (label < 0)
      continue;
    if (label >= width)
      return op->emitOpError()
             << "label " << label << " is outside " << width << " logits";
    double largest = logits[at], sum = 0;
    for (int64_t c = 1; c < width; ++c)
      largest = std::max(largest, logits[at + c]);
    for (int64_t c = 0; c < width; ++c)
      sum += std::exp(logits[at + c] - largest);
    losses[row] = largest + std::log(sum) - logits[at + label];
    for (int64_t c = 0; c < width; ++c)
      gradient[at + c] = seed * (std::exp(logits[at + c] - largest) / sum -
                                 (c == label ? 1 : 0));
  }
  return Results{std::move(losses), std::move(gradient)};
}

FailureOr<Results> softmaxCrossEntropy(nn::SoftmaxCrossEntropyOp op,
                                       Operands in) {
  return rowLosses(op, *in[0], *in[1], in[2]->number());
}

double total(const Value &value) {
  double sum = 0;
  for (double element : value.data)
    sum += element;
  return sum;
}

FailureOr<Results> crossEntropy(nn::CrossEntropyOp op, Operands in) {
  Value input = *in[0];
  const Value &weight = *in[1];
  input.shape = {input.rows(), input.shape.back()};
  Value logits = contract(input, weight, {"rc", "vc", "rv"});
  FailureOr<Results> rows = rowLosses(op, logits, *in[2], in[3]->number());
  if (mlir::failed(rows))
    return mlir::failure();
  const Value &gradient = (*rows)[1];
  Value inputGrad = contract(gradient, weight, {"rv", "vc", "rc"});
  inputGrad.shape = in[0]->shape;
  return Results{Value::scalar(total((*rows)[0])), std::move(inputGrad),
                 contract(gradient, input, {"rv", "rc", "vc"})};
}

FailureOr<Results> sum(nn::SumOp, Operands in) {
  return Results{Value::scalar(total(*in[0]))};
}

} // namespace

void registerLossKernels(KernelTable &table) {
  table.add<nn::SquaredErrorOp, squaredError>();
  table.add<nn::SoftmaxCrossEntropyOp, softmaxCrossEntropy>();
  table.add<nn::CrossEntropyOp, crossEntropy>();
  table.add<nn::SumOp, sum>();
}

} // namespace llmc::reference

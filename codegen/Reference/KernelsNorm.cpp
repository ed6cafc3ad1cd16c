// Kernels of RMSNorm and LayerNorm, and their gradients.
#include "codegen/Reference/Kernels.h"
#include "dialects/Nn/Nn.h"

#include <cmath>

namespace llmc::reference {
namespace {

using mlir::FailureOr;

/// Calls `visit(row, index of its first element)` for each row of `input`.
template <typename Visit> void forEachRow(const Value &input, Visit visit) {
  int64_t width = input.shape.back();
  for (int64_t row = 0; row < input.rows(); ++row)
    visit(row, row * width);
}

/// A statistic per row, in the shape of the rows.
Value rowStatistic(const Value &input) {
  return Value::zeros(llvm::ArrayRef(input.shape).drop_back());
}

FailureOr<Results> rmsStat(nn::RmsStatOp op, Operands in) {
  const Value &x = *in[0];
  int64_t width = x.shape.back();
  double eps = op.getEps().convertToDouble();
  Value rstd = rowStatistic(x);
  forEachRow(x, [&](int64_t row, int64_t at) {
    double sum = 0;
    for (int64_t c = 0; c < width; ++c)
      sum += x[at + c] * x[at + c];
    rstd[row] = 1 / std::sqrt(sum / width + eps);
  });
  return Results{std::move(rstd)};
}

FailureOr<Results> rmsApply(nn::RmsApplyOp op, Operands in) {
  const Value &x = *in[0], &rstd = *in[1], &gain = *in[2];
  double shift = op.getPlusOne() ? 1 : 0;
  Value result = x;
  forEachRow(x, [&](int64_t row, int64_t at) {
    for (int64_t c = 0; c < gain.size(); ++c)
      result[at + c] = x[at + c] * rstd[row] * (gain[c] + shift);
  });
  return Results{std::move(result)};
}

FailureOr<Results> rmsInputGrad(nn::RmsInputGradOp op, Operands in) {
  const Value &x = *in[0], &rstd = *in[1], &gain = *in[2], &dy = *in[3];
  int64_t width = gain.size();
  double shift = op.getPlusOne() ? 1 : 0;
  Value dx = Value::zeros(x.shape);
  forEachRow(x, [&](int64_t row, int64_t at) {
    double r = rstd[row], mean = 0;
    for (int64_t c = 0; c < width; ++c)
      mean += dy[at + c] * (gain[c] + shift) * x[at + c] * r / width;
    for (int64_t c = 0; c < width; ++c)
      dx[at + c] = r * (dy[at + c] * (gain[c] + shift) - x[at + c] * r * mean);
  });
  return Results{std::move(dx)};
}

FailureOr<Results> rmsWeightGrad(nn::RmsWeightGradOp op, Operands in) {
  const Value &x = *in[0], &rstd = *in[1], &dy = *in[2];
  Value dgain = Value::zeros(op.getResult().getType());
  forEachRow(x, [&](int64_t row, int64_t at) {
    for (int64_t c = 0; c < dgain.size(); ++c)
      dgain[c] += dy[at + c] * x[at + c] * rstd[row];
  });
  return Results{std::move(dgain)};
}

FailureOr<Results> layerNormStat(nn::LayerNormStatOp op, Operands in) {
  const Value &x = *in[0];
  int64_t width = x.shape.back();
  double eps = op.getEps().convertToDouble();
  Value means = rowStatistic(x), rstds = rowStatistic(x);
  forEachRow(x, [&](int64_t row, int64_t at) {
    double sum = 0, squares = 0;
    for (int64_t c = 0; c < width; ++c)
      sum += x[at + c];
    double mean = sum / width;
    for (int64_t c = 0; c < width; ++c)
      squares += (x[at + c] - mean) * (x[at + c] - mean);
    means[row] = mean;
    rstds[row] = 1 / std::sqrt(squares / width + eps);
  });
  return Results{std::move(means), std::move(rstds)};
}

FailureOr<Results> layerNormApply(nn::LayerNormApplyOp, Operands in) {
  const Value &x = *in[0], &mean = *in[1], &rstd = *in[2], &gain = *in[3];
  Value result = x;
  forEachRow(x, [&](int64_t row, int64_t at) {
    for (int64_t c = 0; c < gain.size(); ++c)
      result[at + c] = (x[at + c] - mean[row]) * rstd[row] * gain[c] +
                       (in.size() > 4 ? (*in[4])[c] : 0);
  });
  return Results{std::move(result)};
}

FailureOr<Results> layerNormInputGrad(nn::LayerNormInputGradOp, Operands in) {
  const Value &x = *in[0], &mean = *in[1], &rstd = *in[2], &gain = *in[3],
              &dy = *in[4];
  int64_t width = gain.size();
  Value dx = Value::zeros(x.shape);
  forEachRow(x, [&](int64_t row, int64_t at) {
    double r = rstd[row], meanOfC = 0, meanOfCn = 0;
    auto normal = [&](int64_t c) { return (x[at + c] - mean[row]) * r; };
    for (int64_t c = 0; c < width; ++c) {
      meanOfC += dy[at + c] * gain[c] / width;
      meanOfCn += dy[at + c] * gain[c] * normal(c) / width;
    }
    for (int64_t c = 0; c < width; ++c)
      dx[at + c] = r * (dy[at + c] * gain[c] - meanOfC - normal(c) * meanOfCn);
  });
  return Results{std::move(dx)};
}

FailureOr<Results> layerNormWeightGrad(nn::LayerNormWeightGradOp op,
                                       Operands in) {
  const Value &x = *in[0], &mean = *in[1], &rstd = *in[2], &dy = *in[3];
  Value dgain = Value::zeros(op.getResult().getType());
  forEachRow(x, [&](int64_t row, int64_t at) {
    for (int64_t c = 0; c < dgain.size(); ++c)
      dgain[c] += dy[at + c] * (x[at + c] - mean[row]) * rstd[row];
  });
  return Results{std::move(dgain)};
}

} // namespace

void registerNormKernels(KernelTable &table) {
  table.add<nn::RmsStatOp, rmsStat>();
  table.add<nn::RmsApplyOp, rmsApply>();
  table.add<nn::RmsInputGradOp, rmsInputGrad>();
  table.add<nn::RmsWeightGradOp, rmsWeightGrad>();
  table.add<nn::LayerNormStatOp, layerNormStat>();
  table.add<nn::LayerNormApplyOp, layerNormApply>();
  table.add<nn::LayerNormInputGradOp, layerNormInputGrad>();
  table.add<nn::LayerNormWeightGradOp, layerNormWeightGrad>();
}

} // namespace llmc::reference

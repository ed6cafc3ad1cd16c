// Norms: statistics, application, gradients.
#include "codegen/Linalg/Layer.h"
#include "test/faults/Fault.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

LogicalResult Layer::convertNorm(Operation *op) {
  if (auto stat = dyn_cast<nn::RmsStatOp>(op)) {
    double eps =
        LLMC_FAULT("rms-norm-eps") ? 0.0 : stat.getEps().convertToDouble();
    Value x = stat.getInput();
    Value mean = rowMean(x, {whole(x)}, [](Scalars s, ValueRange v) {
      return s.mul(v[0], v[0]);
    });
    result(op, mapRows(mean, {mean}, [&](Scalars s, ValueRange v) {
             return s.div(s.constant(1.0),
                          s.sqrt(s.add(v[0], s.constant(eps))));
           }));
    return success();
  }
  if (auto apply = dyn_cast<nn::RmsApplyOp>(op)) {
    bool plusOne = apply.getPlusOne();
    Value x = apply.getInput();
    result(op,
           map(x, {whole(x), rows(apply.getRstd()), trailing(apply.getGain())},
               [&](Scalars s, ValueRange v) {
                 Value gain = plusOne ? s.add(v[2], s.constant(1.0)) : v[2];
                 return s.mul(s.mul(v[0], v[1]), gain);
               }));
    return success();
  }
  if (auto apply = dyn_cast<nn::LayerNormApplyOp>(op)) {
    Value x = apply.getInput();
    SmallVector<Input> inputs = {whole(x), rows(apply.getMean()),
                                 rows(apply.getRstd()),
                                 trailing(apply.getGain())};
    if (apply.getBias())
      inputs.push_back(trailing(apply.getBias()));
    bool biased = bool(apply.getBias()); // the last value is the output's
    result(op, map(x, inputs, [&](Scalars s, ValueRange v) {
             Value y = s.mul(s.mul(s.sub(v[0], v[1]), v[2]), v[3]);
             return biased ? s.add(y, v[4]) : y;
           }));
    return success();
  }
  if (auto stat = dyn_cast<nn::LayerNormStatOp>(op))
    return convertLayerNormStat(stat), success();
  if (auto grad = dyn_cast<nn::RmsInputGradOp>(op))
    return convertRmsInputGrad(grad), success();
  if (auto grad = dyn_cast<nn::LayerNormInputGradOp>(op))
    return convertLayerNormInputGrad(grad), success();
  return failure();
}

/// Two passes: the variance of differences from the mean does not cancel.
void Layer::convertLayerNormStat(nn::LayerNormStatOp op) {
  double eps =
      LLMC_FAULT("layer-norm-eps") ? 0.0 : op.getEps().convertToDouble();
  Value x = op.getInput();
  Value mean =
      rowMean(x, {whole(x)}, [](Scalars, ValueRange v) { return v[0]; });
  Value variance =
      rowMean(x, {whole(x), dims(mean, 0)}, [](Scalars s, ValueRange v) {
        Value centred = s.sub(v[0], v[1]);
        return s.mul(centred, centred);
      });
  Value rstd = mapRows(variance, {variance}, [&](Scalars s, ValueRange v) {
    return s.div(s.constant(1.0), s.sqrt(s.add(v[0], s.constant(eps))));
  });
  mapping.map(op.getMean(), mean);
  mapping.map(op.getRstd(), rstd);
}

void Layer::convertRmsInputGrad(nn::RmsInputGradOp op) {
  bool plusOne = op.getPlusOne();
  Value x = op.getInput();
  SmallVector<Input> inputs = {whole(x), rows(op.getRstd()),
                               trailing(op.getGain()),
                               whole(op.getCotangent())};
  auto scaled = [plusOne](Scalars s, ValueRange v) {
    return s.mul(v[3], plusOne ? s.add(v[2], s.constant(1.0)) : v[2]);
  };
  Value mean = rowMean(x, inputs, [&](Scalars s, ValueRange v) {
    return s.mul(scaled(s, v), s.mul(v[0], v[1]));
  });
  inputs.push_back(dims(mean, 0));
  result(op, map(x, inputs, [&](Scalars s, ValueRange v) {
           Value normal = s.mul(v[0], v[1]);
           return s.mul(v[1], s.sub(scaled(s, v), s.mul(normal, v[4])));
         }));
}

void Layer::convertLayerNormInputGrad(nn::LayerNormInputGradOp op) {
  Value x = op.getInput();
  SmallVector<Input> inputs = {whole(x), rows(op.getMean()), rows(op.getRstd()),
                               trailing(op.getGain()),
                               whole(op.getCotangent())};
  auto normal = [](Scalars s, ValueRange v) {
    return s.mul(s.sub(v[0], v[1]), v[2]);
  };
  auto scaled = [](Scalars s, ValueRange v) { return s.mul(v[3], v[4]); };
  Value mean =
      rowMean(x, inputs, [&](Scalars s, ValueRange v) { return scaled(s, v); });
  Value along = rowMean(x, inputs, [&](Scalars s, ValueRange v) {
    return s.mul(scaled(s, v), normal(s, v));
  });
  inputs.push_back(dims(mean, 0));
  inputs.push_back(dims(along, 0));
  result(op, map(x, inputs, [&](Scalars s, ValueRange v) {
           Value rest = s.sub(scaled(s, v), v[5]);
           return s.mul(v[2], s.sub(rest, s.mul(normal(s, v), v[6])));
         }));
}

// convert-to-exec: norm, clip factor and updates of whole buckets.
#include "passes/Exec/Converter.h"

using namespace mlir;

namespace llmc::exec {

/// Partial sums a bucket: enough for any number of threads, and fixed, so that
/// bits do not depend on it.
static constexpr int64_t kNormPartials = 64;

static RankedTensorType vectorOf(dist::BucketOp bucket) {
  return RankedTensorType::get(int64_t(bucket.getPadded()),
                               Float32Type::get(bucket.getContext()));
}

void Converter::convertNorm(dist::NormSquaredOp norm) {
  Location loc = norm.getLoc();
  Type f32 = norm.getType();
  int64_t count = norm.getGradients().size();
  auto partial = RankedTensorType::get({kNormPartials}, f32);
  auto all = RankedTensorType::get({count * kNormPartials}, f32);
  Value partials =
      program.buffer(Role::Scratch, bytesOf(all), "norm partials", loc, entry);
  for (auto [number, gradient] : llvm::enumerate(norm.getGradients())) {
    RankedTensorType type = vectorOf(bucketOf(gradient));
    KernelSpec spec;
    spec.stem = "norm_partials" + ("_" + Twine(type.getDimSize(0))).str();
    spec.arguments = {type};
    spec.results = {partial};
    auto body = [&](OpBuilder &builder, ValueRange arguments) {
      return SmallVector<Value>{
          nn::NormPartialsOp::create(builder, loc, partial, arguments[0])};
    };
    spec.body = body;
    program.launch(
        program.kernel(spec, loc), bufferOf(gradient),
        program.view(partials, number * bytesOf(partial), bytesOf(partial)),
        When::Always, loc);
  }
  KernelSpec spec;
  spec.stem = "sum";
  spec.arguments = {all};
  spec.results = {f32};
  auto body = [&](OpBuilder &builder, ValueRange arguments) {
    return SmallVector<Value>{
        nn::SumOp::create(builder, loc, f32, arguments[0])};
  };
  spec.body = body;
  buffers[norm.getResult()] = program.scalar("norm_squared", f32);
  program.launch(program.kernel(spec, loc), partials,
                 bufferOf(norm.getResult()), When::Always, loc);
}

void Converter::convertClip(nn::ClipFactorOp clip) {
  Location loc = clip.getLoc();
  KernelSpec spec;
  spec.stem = "clip_factor";
  llvm::append_range(spec.arguments, clip->getOperandTypes());
  llvm::append_range(spec.results, clip->getResultTypes());
  auto body = [&](OpBuilder &builder, ValueRange arguments) {
    auto op =
        nn::ClipFactorOp::create(builder, loc, clip->getResultTypes(),
                                 arguments[0], arguments[1], arguments[2]);
    return SmallVector<Value>(op->getResults());
  };
  spec.body = body;
  buffers[clip.getFactor()] = program.scalar("factor", clip.getType(0));
  buffers[clip.getOk()] = program.scalar("ok", clip.getType(1));
  program.launch(program.kernel(spec, loc),
                 {bufferOf(clip.getNormSquared()), bufferOf(clip.getClip()),
                  bufferOf(clip.getInvScale())},
                 {bufferOf(clip.getFactor()), bufferOf(clip.getOk())},
                 When::Always, loc);
}

void Converter::convertAdamw(dist::AdamwOp update) {
  Location loc = update.getLoc();
  dist::BucketOp bucket = bucketOf(update.getParameter());
  RankedTensorType type = vectorOf(bucket);
  SmallVector<Value> operands = llvm::map_to_vector(
      update->getOperands(), [&](Value value) { return bufferOf(value); });
  KernelSpec spec;
  spec.stem = "adamw";
  spec.arguments.append(4, type);
  llvm::append_range(spec.arguments,
                     llvm::drop_begin(update->getOperandTypes(), 4));
  spec.results.append(3, type);
  spec.aliases = {0, 2, 3};
  auto body = [&](OpBuilder &builder, ValueRange arguments) {
    auto op = nn::AdamwApplyOp::create(
        builder, loc, TypeRange{type, type, type}, arguments[0], arguments[1],
        arguments[2], arguments[3], arguments[4], arguments[5], arguments[6],
        arguments[7], update.getBeta1Attr(), update.getBeta2Attr(),
        update.getEpsAttr(), update.getWeightDecayAttr(),
        bucket.getDecayBelowAttr());
    return SmallVector<Value>(op->getResults());
  };
  spec.body = body;
  program.launch(program.kernel(spec, loc), operands,
                 {operands[0], operands[2], operands[3]}, When::Always, loc);
}

void Converter::convertSgd(dist::SgdOp update) {
  Location loc = update.getLoc();
  dist::BucketOp bucket = bucketOf(update.getParameter());
  RankedTensorType type = vectorOf(bucket);
  Value momentum = update.getMomentumState();
  // The kernel's op takes the state last.
  SmallVector<Value> operands{
      bufferOf(update.getParameter()), bufferOf(update.getGradient()),
      bufferOf(update.getFactor()), bufferOf(update.getOk()),
      bufferOf(update.getLr())};
  SmallVector<Value> outputs{operands[0]};
  KernelSpec spec;
  spec.stem = momentum ? "sgd_momentum" : "sgd";
  spec.arguments = {type, type, update.getFactor().getType(),
                    update.getOk().getType(), update.getLr().getType()};
  spec.results = {type};
  spec.aliases = {0};
  if (momentum) {
    operands.push_back(bufferOf(momentum));
    outputs.push_back(operands.back());
    spec.arguments.push_back(type);
    spec.results.push_back(type);
    spec.aliases.push_back(5);
  }
  auto body = [&](OpBuilder &builder, ValueRange arguments) {
    auto op = nn::SgdApplyOp::create(
        builder, loc, spec.results, arguments[0], arguments[1], arguments[2],
        arguments[3], arguments[4], momentum ? arguments[5] : Value(),
        update.getMomentumAttr(), update.getWeightDecayAttr(),
        bucket.getDecayBelowAttr());
    return SmallVector<Value>(op->getResults());
  };
  spec.body = body;
  program.launch(program.kernel(spec, loc), operands, outputs, When::Always,
                 loc);
}

} // namespace llmc::exec

// Rules on the parallel plan.
#include "frontend/spec/Rules.h"

#include <numeric>

namespace llmc::frontend {

namespace {

std::string text(int64_t value) { return std::to_string(value); }

/// The nearest divisors of `whole` below and above `value`.
std::string nearestDivisors(int64_t value, int64_t whole) {
  int64_t below = 1, above = whole;
  for (int64_t d = 1; d <= whole / d; ++d)
    for (int64_t divisor : {d, whole / d}) {
      if (whole % d != 0)
        continue;
      if (divisor <= value)
        below = std::max(below, divisor);
      if (divisor >= value)
        above = std::min(above, divisor);
    }
  return below == above || value > whole ? text(below)
                                         : text(below) + ", " + text(above);
}

std::vector<Violation> worldSize(const RuleInput &in) {
  const ParallelSection &plan = in.spec.parallel;
  int64_t world = 1;
  bool tooLarge = false;
  for (int64_t degree : {plan.dp, plan.cp, plan.tp, plan.pp})
    tooLarge |= __builtin_mul_overflow(world, degree, &world);
  if (!tooLarge && world <= (1 << 20))
    return {};
  return {{"parallel",
           {text(plan.dp), text(plan.cp), text(plan.tp), text(plan.pp)}}};
}

std::vector<Violation> zeroGroup(const RuleInput &in) {
  const ParallelSection &plan = in.spec.parallel;
  if (!plan.zeroGroup || plan.dp % *plan.zeroGroup == 0)
    return {};
  return {{"parallel.zero_group",
           {text(*plan.zeroGroup), text(plan.dp),
            nearestDivisors(*plan.zeroGroup, plan.dp)}}};
}

std::vector<Violation> headsSplit(const RuleInput &in) {
  const int64_t tp = in.spec.parallel.tp;
  if (!in.arch || tp == 1)
    return {};
  const Value *heads = in.arch->findSize("num_attention_heads");
  if (!heads || !heads->asInt() || *heads->asInt() % tp == 0)
    return {};
  return {{"parallel.tp",
           {text(*heads->asInt()), text(tp),
            nearestDivisors(tp, *heads->asInt())}}};
}

std::vector<Violation> sequenceSplits(const RuleInput &in) {
  const ParallelSection &plan = in.spec.parallel;
  const int64_t length = in.spec.train.sequenceLength;
  if (!plan.sequenceParallel || plan.tp == 1 || length < 1 ||
      length % plan.tp == 0)
    return {};
  return {{"train.sequence_length",
           {text(length), text(plan.tp), nearestMultiples(length, plan.tp)}}};
}

std::vector<Violation> contextSplits(const RuleInput &in) {
  const int64_t cp = in.spec.parallel.cp, length = in.spec.train.sequenceLength;
  if (cp == 1 || length < 1 || length % cp == 0)
    return {};
  return {{"train.sequence_length",
           {text(length), text(cp), nearestMultiples(length, cp)}}};
}

/// The layers of the model; 0 if it is wrong.
int64_t layerCount(const RuleInput &in) {
  return in.arch ? int64_t(in.arch->layers.size()) : 0;
}

/// pp x virtual_stages; absent when that is no sensible number.
std::optional<int64_t> stageCount(const Spec &spec) {
  int64_t stages = 0;
  if (__builtin_mul_overflow(spec.parallel.pp,
                             spec.parallel.pipeline.virtualStages, &stages))
    return std::nullopt;
  return stages;
}

std::vector<Violation> stagesFilled(const RuleInput &in) {
  std::optional<int64_t> stages = stageCount(in.spec);
  if (!in.arch || (stages && *stages <= layerCount(in) + 2))
    return {};
  return {{"parallel.pp",
           {text(in.spec.parallel.pp),
            text(in.spec.parallel.pipeline.virtualStages), text(layerCount(in)),
            text(layerCount(in) + 2)}}};
}

std::vector<Violation> layersCount(const RuleInput &in) {
  const auto &layers = in.spec.parallel.pipeline.layers;
  std::optional<int64_t> stages = stageCount(in.spec);
  if (!layers || !stages || int64_t(layers->size()) == *stages)
    return {};
  return {{"parallel.pipeline.layers",
           {text(int64_t(layers->size())), text(in.spec.parallel.pp),
            text(in.spec.parallel.pipeline.virtualStages), text(*stages)}}};
}

std::vector<Violation> layersSum(const RuleInput &in) {
  const auto &layers = in.spec.parallel.pipeline.layers;
  if (!layers || !in.arch)
    return {};
  int64_t sum = std::accumulate(layers->begin(), layers->end(), int64_t(0));
  if (sum == layerCount(in))
    return {};
  return {{"parallel.pipeline.layers", {text(sum), text(layerCount(in))}}};
}

std::vector<Violation> layersZero(const RuleInput &in) {
  const auto &layers = in.spec.parallel.pipeline.layers;
  std::vector<Violation> violations;
  for (size_t i = 1; layers && i + 1 < layers->size(); ++i)
    if ((*layers)[i] == 0)
      violations.push_back({"parallel.pipeline.layers", {text(int64_t(i))}});
  return violations;
}

std::vector<Violation> virtualStages(const RuleInput &in) {
  const PipelineSection &pipeline = in.spec.parallel.pipeline;
  bool several = pipeline.schedule == "interleaved-1f1b" ||
                 pipeline.schedule == "zb-v" || pipeline.schedule == "file";
  if (pipeline.virtualStages == 1 || several)
    return {};
  return {{"parallel.pipeline.virtual_stages",
           {text(pipeline.virtualStages), pipeline.schedule}}};
}

std::vector<Violation> scheduleFile(const RuleInput &in) {
  const PipelineSection &pipeline = in.spec.parallel.pipeline;
  if ((pipeline.schedule == "file") == pipeline.file.has_value())
    return {};
  return {
      {pipeline.file ? "parallel.pipeline.file" : "parallel.pipeline.schedule",
       {pipeline.schedule, pipeline.file ? *pipeline.file : "null"}}};
}

std::vector<Violation> tf32Target(const RuleInput &in) {
  if (in.spec.precision.compute != "tf32" || in.spec.target.device == "cuda")
    return {};
  return {{"precision.compute", {in.spec.target.device}}};
}

} // namespace

const std::vector<Rule> &planRules() {
  static const std::vector<Rule> rules = {
      {"world-size", Severity::Error, "dp x cp x tp x pp is at most 2^20 ranks",
       "dp {0} x cp {1} x tp {2} x pp {3} are more than 1048576 ranks; "
       "nearest: 1048576",
       worldSize},
      {"zero-group", Severity::Error, "zero_group divides dp",
       "zero_group {0} does not divide dp {1}; nearest: {2}", zeroGroup},
      {"heads-split", Severity::Error, "tp divides num_attention_heads",
       "num_attention_heads {0} is not a multiple of tp {1}; nearest tp: {2}",
       headsSplit},
      {"sequence-splits", Severity::Error,
       "with sequence_parallel, tp divides sequence_length",
       "sequence_length {0} is not a multiple of tp {1}, which "
       "sequence_parallel needs; nearest: {2}",
       sequenceSplits},
      {"context-splits", Severity::Error, "cp divides sequence_length",
       "sequence_length {0} is not a multiple of cp {1}; nearest: {2}",
       contextSplits},
      {"stages-filled", Severity::Error,
       "embedding, layers and head fill pp x virtual_stages stages",
       "pp {0} x virtual_stages {1} are more stages than embedding, {2} layers "
       "and head fill; nearest: {3}",
       stagesFilled},
      {"layers-count", Severity::Error,
       "pipeline.layers has pp x virtual_stages entries",
       "pipeline.layers has {0} entries, expected pp {1} x virtual_stages {2} "
       "= {3}",
       layersCount},
      {"layers-sum", Severity::Error,
       "pipeline.layers sums to num_hidden_layers",
       "pipeline.layers sums to {0}, expected num_hidden_layers {1}",
       layersSum},
      {"layers-zero", Severity::Error,
       "only the first and the last entry of pipeline.layers may be 0",
       "entry {0} of pipeline.layers is 0, expected at least 1 where neither "
       "embedding nor head stands",
       layersZero},
      {"virtual-stages", Severity::Error,
       "virtual_stages above 1 needs a schedule that has them",
       "virtual_stages {0} with schedule {1}, expected interleaved-1f1b, zb-v "
       "or file",
       virtualStages},
      {"schedule-file", Severity::Error,
       "schedule file and pipeline.file come together",
       "pipeline.schedule is {0} and pipeline.file is {1}, expected both "
       "schedule file and a file, or neither",
       scheduleFile},
      {"tf32-target", Severity::Error, "tf32 needs a target that has it",
       "precision.compute tf32 on target.device {0}, expected cuda",
       tf32Target},
  };
  return rules;
}

} // namespace llmc::frontend

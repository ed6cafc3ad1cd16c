// Rules on batch, length of the run and learning rate.
#include "frontend/spec/Rules.h"

namespace llmc::frontend {

namespace {

std::string text(int64_t value) { return std::to_string(value); }

std::string text(double value) { return realToJson(value); }

std::vector<Violation> batchMultiple(const RuleInput &in) {
  const TrainSection &train = in.spec.train;
  int64_t unit = 0;
  if (train.microBatchSize < 1 || train.globalBatchSize < 1 ||
      __builtin_mul_overflow(train.microBatchSize, in.spec.parallel.dp,
                             &unit) ||
      train.globalBatchSize % unit == 0)
    return {};
  return {{"train.global_batch_size",
           {text(train.globalBatchSize), text(train.microBatchSize),
            text(in.spec.parallel.dp),
            nearestMultiples(train.globalBatchSize, unit)}}};
}

/// The tokens of a step are read at once and counted in 31 bits.
std::vector<Violation> batchTokens(const RuleInput &in) {
  const TrainSection &train = in.spec.train;
  constexpr int64_t limit = int64_t(1) << 31;
  int64_t rows = limit / (train.sequenceLength + 1);
  if (train.sequenceLength < 1 || train.microBatchSize < 1 ||
      train.globalBatchSize <= rows)
    return {};
  int64_t unit = 0;
  if (__builtin_mul_overflow(train.microBatchSize, in.spec.parallel.dp, &unit))
    return {};
  std::string nearest =
      unit <= rows
          ? "global_batch_size " + text(rows / unit * unit)
          : "sequence_length " + text(std::max<int64_t>(1, limit / unit - 1));
  return {{"train.global_batch_size",
           {text(train.globalBatchSize), text(train.sequenceLength),
            text(limit - 1), nearest}}};
}

std::vector<Violation> oneLength(const RuleInput &in) {
  std::string given;
  int count = 0;
  std::string last = "train";
  auto add = [&](bool present, const char *key) {
    if (!present)
      return;
    given += (count++ ? " and " : "") + std::string(key);
    last = key;
  };
  add(in.spec.train.trainSteps.has_value(), "train.train_steps");
  add(in.spec.train.trainTokens.has_value(), "train.train_tokens");
  add(in.spec.data.epochs.has_value(), "data.epochs");
  for (const char *key : {"train", "train.train_steps", "train.train_tokens",
                          "data", "data.epochs"})
    if (in.refused.count(key))
      return {};
  if (count == 1)
    return {};
  return {{last, {count ? given : "none"}}};
}

std::vector<Violation> warmupFits(const RuleInput &in) {
  std::optional<int64_t> steps = in.spec.train.steps();
  int64_t warmup = in.spec.train.lrSchedule.warmupSteps;
  if (!steps || warmup <= *steps)
    return {};
  return {{"train.lr_schedule.warmup_steps",
           {text(warmup), text(*steps), text(*steps)}}};
}

std::vector<Violation> endAfterWarmup(const RuleInput &in) {
  const LrScheduleSection &schedule = in.spec.train.lrSchedule;
  if (!schedule.endStep || *schedule.endStep > schedule.warmupSteps)
    return {};
  return {{"train.lr_schedule.end_step",
           {text(*schedule.endStep), text(schedule.warmupSteps),
            text(schedule.warmupSteps + 1)}}};
}

std::vector<Violation> wsdNeedsDecay(const RuleInput &in) {
  const LrScheduleSection &schedule = in.spec.train.lrSchedule;
  if (schedule.name != "wsd" || schedule.decaySteps)
    return {};
  return {{"train.lr_schedule", {}}};
}

std::vector<Violation> wsdDecayFits(const RuleInput &in) {
  const LrScheduleSection &schedule = in.spec.train.lrSchedule;
  std::optional<int64_t> end =
      schedule.endStep ? schedule.endStep : in.spec.train.steps();
  if (schedule.name != "wsd" || !schedule.decaySteps || !end)
    return {};
  int64_t room = *end - schedule.warmupSteps;
  if (*schedule.decaySteps <= room || room < 1)
    return {};
  return {{"train.lr_schedule.decay_steps",
           {text(*schedule.decaySteps), text(schedule.warmupSteps), text(*end),
            text(room)}}};
}

std::vector<Violation> minLrBelowLr(const RuleInput &in) {
  const TrainSection &train = in.spec.train;
  if (train.lrSchedule.name == "constant" ||
      train.lrSchedule.minLr <= train.optimizer.lr)
    return {};
  return {{"train.lr_schedule.min_lr",
           {text(train.lrSchedule.minLr), text(train.optimizer.lr),
            text(train.optimizer.lr)}}};
}

std::vector<Violation> sequenceFits(const RuleInput &in) {
  if (!in.arch || !in.arch->embedding.positions ||
      in.spec.train.sequenceLength <= in.arch->embedding.positions->count)
    return {};
  int64_t count = in.arch->embedding.positions->count;
  return {{"train.sequence_length",
           {text(in.spec.train.sequenceLength), text(count), text(count)}}};
}

} // namespace

const std::vector<Rule> &trainingRules() {
  static const std::vector<Rule> rules = {
      {"batch-multiple", Severity::Error,
       "global_batch_size is a multiple of micro_batch_size x dp",
       "global_batch_size {0} is not a multiple of micro_batch_size {1} x dp "
       "{2}; nearest: {3}",
       batchMultiple},
      {"batch-tokens", Severity::Error,
       "the tokens of a step, and one more a sequence, are below 2^31",
       "global_batch_size {0} x sequence_length {1} is more than {2} tokens a "
       "step; nearest: {3}",
       batchTokens},
      {"one-length", Severity::Error,
       "one of train_steps, train_tokens and epochs says how long the run is",
       "the length of the run is given by {0}, expected exactly one of "
       "train.train_steps, train.train_tokens and data.epochs",
       oneLength},
      {"warmup-fits", Severity::Error,
       "warmup_steps is at most the steps of the run",
       "warmup_steps {0} is more than the {1} steps of the run; nearest: {2}",
       warmupFits},
      {"end-after-warmup", Severity::Error,
       "end_step is more than warmup_steps",
       "end_step {0} is not more than warmup_steps {1}; nearest: {2}",
       endAfterWarmup},
      {"wsd-needs-decay", Severity::Error, "lr_schedule wsd has decay_steps",
       "lr_schedule wsd has no decay_steps, expected decay_steps of at least "
       "1",
       wsdNeedsDecay},
      {"wsd-decay-fits", Severity::Error,
       "warmup_steps and decay_steps are at most end_step together",
       "decay_steps {0} and warmup_steps {1} are more than end_step {2}; "
       "nearest: decay_steps {3}",
       wsdDecayFits},
      {"min-lr", Severity::Error, "min_lr is at most lr",
       "min_lr {0} is more than lr {1}; nearest: {2}", minLrBelowLr},
      {"sequence-fits", Severity::Error,
       "sequence_length is at most the learned positions of the model",
       "sequence_length {0} is more than the {1} positions of the model; "
       "nearest: {2}",
       sequenceFits},
  };
  return rules;
}

} // namespace llmc::frontend

// Warnings on keys that are right, but that the rest of the spec ignores.
#include "frontend/spec/Rules.h"
#include "frontend/spec/Schema.h"

namespace llmc::frontend {

namespace {

/// Keys of a list (or under a section of it) that the spec gives a value other
/// than the default.
std::vector<Violation> ignored(const RuleInput &in,
                               std::initializer_list<const char *> prefixes) {
  std::vector<Violation> violations;
  for (const SchemaKey &key : schema())
    for (std::string prefix : prefixes) {
      bool covered = key.path == prefix || key.path.starts_with(prefix + ".");
      if (covered && in.spec.given(key.path) &&
          printKey(key, in.spec) != defaultOf(key))
        violations.push_back({key.path, {key.path}});
    }
  return violations;
}

bool anyWindow(const std::vector<BlockItem> &items) {
  for (const BlockItem &item : items) {
    if (const auto *attention = std::get_if<Attention>(&item))
      if (attention->window)
        return true;
    if (const auto *residual = std::get_if<Residual>(&item))
      if (anyWindow(residual->items))
        return true;
  }
  return false;
}

std::vector<Violation> noWindow(const RuleInput &in) {
  if (!in.arch)
    return {};
  for (const Layer &layer : in.arch->layers)
    if (anyWindow(layer.items))
      return {};
  return ignored(in, {"model.global_tokens", "model.sliding_window"});
}

std::vector<Violation> constantRate(const RuleInput &in) {
  if (in.spec.train.lrSchedule.name != "constant")
    return {};
  return ignored(in,
                 {"train.lr_schedule.min_lr", "train.lr_schedule.end_step"});
}

std::vector<Violation> wsdOnly(const RuleInput &in) {
  if (in.spec.train.lrSchedule.name == "wsd")
    return {};
  return ignored(in,
                 {"train.lr_schedule.decay_steps", "train.lr_schedule.shape"});
}

std::vector<Violation> adamOnly(const RuleInput &in) {
  if (in.spec.train.optimizer.name == "adamw")
    return {};
  return ignored(in, {"train.optimizer.betas", "train.optimizer.eps"});
}

std::vector<Violation> sgdOnly(const RuleInput &in) {
  if (in.spec.train.optimizer.name == "sgd")
    return {};
  return ignored(in, {"train.optimizer.momentum"});
}

std::vector<Violation> noDecay(const RuleInput &in) {
  if (in.spec.train.optimizer.weightDecay.value_or(0) != 0)
    return {};
  return ignored(in, {"train.optimizer.weight_decay_exclude"});
}

std::vector<Violation> zeroShards(const RuleInput &in) {
  if (in.spec.parallel.dp > 1 || in.spec.parallel.cp > 1)
    return {};
  return ignored(in, {"parallel.zero", "parallel.zero_group"});
}

std::vector<Violation> tensorOnly(const RuleInput &in) {
  if (in.spec.parallel.tp > 1)
    return {};
  return ignored(in, {"parallel.sequence_parallel"});
}

std::vector<Violation> pipelineOnly(const RuleInput &in) {
  if (in.spec.parallel.pp > 1)
    return {};
  return ignored(in, {"parallel.pipeline"});
}

std::vector<Violation> fp16Only(const RuleInput &in) {
  if (in.spec.precision.compute == "fp16")
    return {};
  return ignored(in, {"precision.fp16"});
}

std::vector<Violation> fp8Only(const RuleInput &in) {
  if (in.spec.precision.compute == "fp8")
    return {};
  return ignored(in, {"precision.fp8"});
}

std::vector<Violation> noValidation(const RuleInput &in) {
  if (!in.spec.data.validation.empty())
    return {};
  return ignored(in, {"validate"});
}

std::vector<Violation> noDocuments(const RuleInput &in) {
  const DataSection &data = in.spec.data;
  if (data.endOfDocument || data.startOfDocument)
    return {};
  return ignored(in, {"train.ignore_border_label"});
}

std::vector<Violation> unusedDocuments(const RuleInput &in) {
  if (in.spec.model.documentMask || in.spec.train.ignoreBorderLabel)
    return {};
  return ignored(in, {"data.end_of_document", "data.start_of_document"});
}

std::vector<Violation> oneRank(const RuleInput &in) {
  const ParallelSection &plan = in.spec.parallel;
  if (plan.dp > 1 || plan.tp > 1 || plan.pp > 1 || plan.cp > 1)
    return {};
  return ignored(in, {"run.timeout"});
}

} // namespace

const std::vector<Rule> &effectRules() {
  static const std::vector<Rule> rules = {
      {"no-window", Severity::Warning,
       "sliding_window and global_tokens stand with a layer that has a window",
       "{0} has no effect, because no layer has a window", noWindow},
      {"constant-rate", Severity::Warning,
       "min_lr and end_step stand with a schedule that ends",
       "{0} has no effect with lr_schedule constant", constantRate},
      {"wsd-only", Severity::Warning,
       "decay_steps and shape stand with lr_schedule wsd",
       "{0} has no effect without lr_schedule wsd", wsdOnly},
      {"adamw-only", Severity::Warning, "betas and eps stand with adamw",
       "{0} has no effect with optimizer sgd", adamOnly},
      {"sgd-only", Severity::Warning, "momentum stands with sgd",
       "{0} has no effect with optimizer adamw", sgdOnly},
      {"no-decay", Severity::Warning,
       "weight_decay_exclude stands with a weight_decay",
       "{0} has no effect with weight_decay 0", noDecay},
      {"zero-shards", Severity::Warning,
       "zero and zero_group stand with dp x cp above 1",
       "{0} has no effect with dp 1 x cp 1", zeroShards},
      {"tensor-only", Severity::Warning,
       "sequence_parallel stands with tp above 1",
       "{0} has no effect with tp 1", tensorOnly},
      {"pipeline-only", Severity::Warning,
       "keys of pipeline stand with pp above 1", "{0} has no effect with pp 1",
       pipelineOnly},
      {"fp16-only", Severity::Warning, "keys of fp16 stand with compute fp16",
       "{0} has no effect without precision.compute fp16", fp16Only},
      {"fp8-only", Severity::Warning, "keys of fp8 stand with compute fp8",
       "{0} has no effect without precision.compute fp8", fp8Only},
      {"no-validation", Severity::Warning,
       "keys of validate stand with data.validation",
       "{0} has no effect without data.validation", noValidation},
      {"no-documents", Severity::Warning,
       "ignore_border_label stands with a token between documents",
       "{0} has no effect without data.end_of_document or "
       "data.start_of_document",
       noDocuments},
      {"unused-documents", Severity::Warning,
       "a token between documents stands with document_mask or "
       "ignore_border_label",
       "{0} has no effect without model.document_mask or "
       "train.ignore_border_label",
       unusedDocuments},
      {"one-rank", Severity::Warning, "timeout stands with several ranks",
       "{0} has no effect with one rank", oneRank},
  };
  return rules;
}

} // namespace llmc::frontend

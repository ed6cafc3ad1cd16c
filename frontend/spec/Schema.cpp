// The table of keys. A key that is not here is unknown, and the page of the
// spec, --resolved and the suggestions follow the table.
#include "frontend/spec/Schema.h"
#include "frontend/spec/SpecialKeys.h"

#include <algorithm>

namespace llmc::frontend {

namespace {

#define LLMC_FIELD(member) [](Spec &s) -> Field { return &s.member; }

using T = KeyType;

constexpr double kInt32 = 2147483647.0;
constexpr double kInt62 = 4611686018427387904.0;

std::vector<SchemaKey> modelKeys() {
  return {
      {.path = "llmc",
       .required = true,
       .read = readSchemaVersion,
       .print = printSchemaVersion,
       .expects = "1"},
      {.path = "name", .type = T::Text, .field = LLMC_FIELD(name)},
      {.path = "model.use",
       .type = T::Text,
       .field = LLMC_FIELD(model.use),
       .required = true},
      {.path = "model.config",
       .type = T::Path,
       .field = LLMC_FIELD(model.config),
       .nullable = true},
      {.path = "model.weights",
       .type = T::Path,
       .field = LLMC_FIELD(model.weights),
       .nullable = true},
      {.path = "model.sliding_window",
       .nullable = true,
       .read = readSlidingWindow,
       .print = printSlidingWindow,
       .expects = "an integer of at least 1 or null"},
      {.path = "model.global_tokens",
       .type = T::Integer,
       .field = LLMC_FIELD(model.globalTokens),
       .least = 0,
       .most = kInt32},
      {.path = "model.document_mask",
       .type = T::Boolean,
       .field = LLMC_FIELD(model.documentMask)},
      {.path = "model.decompose_attention",
       .type = T::Boolean,
       .field = LLMC_FIELD(model.decomposeAttention),
       .onlyListed = true},
  };
}

/// A degree of parallelism; only one rank is built.
SchemaKey degree(const char *path, Field (*field)(Spec &)) {
  return {.path = path,
          .type = T::Integer,
          .field = field,
          .least = 1,
          .most = kInt32,
          .onlyListed = true};
}

std::vector<SchemaKey> parallelKeys() {
  return {
      degree("parallel.dp", LLMC_FIELD(parallel.dp)),
      degree("parallel.tp", LLMC_FIELD(parallel.tp)),
      degree("parallel.pp", LLMC_FIELD(parallel.pp)),
      degree("parallel.cp", LLMC_FIELD(parallel.cp)),
      degree("parallel.ep", LLMC_FIELD(parallel.ep)),
      {.path = "parallel.zero",
       .type = T::Integer,
       .field = LLMC_FIELD(parallel.zero),
       .least = 0,
       .most = 3,
       .onlyListed = true},
      {.path = "parallel.zero_group",
       .type = T::Integer,
       .field = LLMC_FIELD(parallel.zeroGroup),
       .nullable = true,
       .least = 1,
       .most = kInt32,
       .onlyListed = true},
      {.path = "parallel.sequence_parallel",
       .type = T::Boolean,
       .field = LLMC_FIELD(parallel.sequenceParallel)},
      {.path = "parallel.pipeline.schedule",
       .type = T::Choice,
       .field = LLMC_FIELD(parallel.pipeline.schedule),
       .choices = {"gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-v",
                   "file"},
       .onlyListed = true},
      {.path = "parallel.pipeline.virtual_stages",
       .type = T::Integer,
       .field = LLMC_FIELD(parallel.pipeline.virtualStages),
       .least = 1,
       .most = kInt32,
       .onlyListed = true},
      {.path = "parallel.pipeline.layers",
       .onlyListed = true,
       .read = readPipelineLayers,
       .print = printPipelineLayers,
       .expects = "auto or a list of integers of at least 0"},
      {.path = "parallel.pipeline.file",
       .type = T::Path,
       .field = LLMC_FIELD(parallel.pipeline.file),
       .nullable = true,
       .onlyListed = true},
  };
}

/// A choice of number types of which only the default is built.
SchemaKey numberType(const char *path, Field (*field)(Spec &),
                     std::vector<std::string> choices) {
  return {.path = path,
          .type = T::Choice,
          .field = field,
          .choices = std::move(choices),
          .onlyListed = true};
}

std::vector<SchemaKey> precisionKeys() {
  return {
      numberType("precision.compute", LLMC_FIELD(precision.compute),
                 {"fp32", "tf32", "bf16", "fp16", "fp8"}),
      numberType("precision.master", LLMC_FIELD(precision.master),
                 {"fp32", "none"}),
      numberType("precision.gradients", LLMC_FIELD(precision.gradients),
                 {"fp32", "bf16"}),
      numberType("precision.reduce", LLMC_FIELD(precision.reduce),
                 {"fp32", "bf16"}),
      numberType("precision.optimizer_state",
                 LLMC_FIELD(precision.optimizerState), {"fp32", "bf16"}),
      {.path = "precision.fp16.initial_scale",
       .type = T::Real,
       .field = LLMC_FIELD(precision.fp16.initialScale),
       .above = 0},
      {.path = "precision.fp16.growth_interval",
       .type = T::Integer,
       .field = LLMC_FIELD(precision.fp16.growthInterval),
       .least = 1,
       .most = kInt32},
      {.path = "precision.fp16.min_scale",
       .type = T::Real,
       .field = LLMC_FIELD(precision.fp16.minScale),
       .above = 0},
      {.path = "precision.fp16.max_skips",
       .type = T::Integer,
       .field = LLMC_FIELD(precision.fp16.maxSkips),
       .least = 0,
       .most = kInt32},
      {.path = "precision.fp8.recipe",
       .type = T::Choice,
       .field = LLMC_FIELD(precision.fp8.recipe),
       .choices = {"delayed"}},
      {.path = "precision.fp8.amax_history",
       .type = T::Integer,
       .field = LLMC_FIELD(precision.fp8.amaxHistory),
       .least = 0,
       .most = kInt32},
      {.path = "precision.fp8.margin",
       .type = T::Integer,
       .field = LLMC_FIELD(precision.fp8.margin),
       .least = 0,
       .most = 32},
      {.path = "precision.fp8.exclude",
       .read = readFp8Exclude,
       .print = printFp8Exclude,
       .expects = "a list of first, last, layer numbers and ranges such as "
                  "2-5"},
      {.path = "memory.recompute",
       .onlyListed = true,
       .read = readRecompute,
       .print = printRecompute,
       .expects = "none, full, selective or {budget: bytes}"},
      {.path = "memory.logits_limit",
       .type = T::Bytes,
       .field = LLMC_FIELD(memory.logitsLimit),
       .least = 1,
       .most = kInt62},
  };
}

std::vector<SchemaKey> trainKeys() {
  return {
      {.path = "train.sequence_length",
       .type = T::Integer,
       .field = LLMC_FIELD(train.sequenceLength),
       .required = true,
       .least = 1,
       .most = kInt32},
      {.path = "train.micro_batch_size",
       .type = T::Integer,
       .field = LLMC_FIELD(train.microBatchSize),
       .required = true,
       .least = 1,
       .most = kInt32},
      {.path = "train.global_batch_size",
       .type = T::Integer,
       .field = LLMC_FIELD(train.globalBatchSize),
       .least = 1,
       .most = kInt32},
      {.path = "train.train_steps",
       .type = T::Integer,
       .field = LLMC_FIELD(train.trainSteps),
       .nullable = true,
       .least = 1,
       .most = kInt62},
      {.path = "train.train_tokens",
       .type = T::Integer,
       .field = LLMC_FIELD(train.trainTokens),
       .nullable = true,
       .least = 1,
       .most = kInt62},
      {.path = "train.seed",
       .type = T::Integer,
       .field = LLMC_FIELD(train.seed),
       .least = 0},
      {.path = "train.dropout",
       .type = T::Real,
       .field = LLMC_FIELD(train.dropout),
       .least = 0,
       .below = 1,
       .onlyListed = true},
      {.path = "train.ignore_label",
       .type = T::Integer,
       .field = LLMC_FIELD(train.ignoreLabel),
       .nullable = true,
       .least = 0,
       .most = kInt32},
      {.path = "train.ignore_border_label",
       .type = T::Boolean,
       .field = LLMC_FIELD(train.ignoreBorderLabel)},
      {.path = "train.clip_grad",
       .type = T::Real,
       .field = LLMC_FIELD(train.clipGrad),
       .nullable = true,
       .above = 0,
       .single = true},
      {.path = "train.z_loss",
       .type = T::Real,
       .field = LLMC_FIELD(train.zLoss),
       .least = 0,
       .onlyListed = true},
      {.path = "train.on_nonfinite",
       .type = T::Choice,
       .field = LLMC_FIELD(train.onNonfinite),
       .choices = {"stop", "skip"}},
      {.path = "train.on_spike",
       .nullable = true,
       .onlyListed = true,
       .read = readOnSpike,
       .print = printOnSpike,
       .expects = "a map of zscore, window and limit or null"},
  };
}

std::vector<SchemaKey> optimizerKeys() {
  return {
      {.path = "train.optimizer.name",
       .type = T::Choice,
       .field = LLMC_FIELD(train.optimizer.name),
       .choices = {"adamw", "sgd"}},
      {.path = "train.optimizer.lr",
       .type = T::Real,
       .field = LLMC_FIELD(train.optimizer.lr),
       .least = 0,
       .single = true},
      {.path = "train.optimizer.betas",
       .read = readBetas,
       .print = printBetas,
       .expects = "a list of two numbers of at least 0 and below 1"},
      {.path = "train.optimizer.eps",
       .type = T::Real,
       .field = LLMC_FIELD(train.optimizer.eps),
       .above = 0,
       .single = true},
      {.path = "train.optimizer.momentum",
       .type = T::Real,
       .field = LLMC_FIELD(train.optimizer.momentum),
       .least = 0,
       .below = 1},
      {.path = "train.optimizer.weight_decay",
       .type = T::Real,
       .field = LLMC_FIELD(train.optimizer.weightDecay),
       .least = 0,
       .single = true},
      {.path = "train.optimizer.weight_decay_exclude",
       .read = readWeightDecayExclude,
       .print = printWeightDecayExclude,
       .expects = "a list of tensor names, with * for any text"},
      {.path = "train.lr_schedule.name",
       .type = T::Choice,
       .field = LLMC_FIELD(train.lrSchedule.name),
       .choices = {"constant", "linear", "cosine", "wsd"}},
      {.path = "train.lr_schedule.warmup_steps",
       .type = T::Integer,
       .field = LLMC_FIELD(train.lrSchedule.warmupSteps),
       .least = 0,
       .most = kInt62},
      {.path = "train.lr_schedule.end_step",
       .type = T::Integer,
       .field = LLMC_FIELD(train.lrSchedule.endStep),
       .nullable = true,
       .least = 1,
       .most = kInt62},
      {.path = "train.lr_schedule.min_lr",
       .type = T::Real,
       .field = LLMC_FIELD(train.lrSchedule.minLr),
       .least = 0,
       .single = true},
      {.path = "train.lr_schedule.decay_steps",
       .type = T::Integer,
       .field = LLMC_FIELD(train.lrSchedule.decaySteps),
       .nullable = true,
       .least = 1,
       .most = kInt62},
      {.path = "train.lr_schedule.shape",
       .type = T::Choice,
       .field = LLMC_FIELD(train.lrSchedule.shape),
       .choices = {"linear", "sqrt"}},
  };
}

std::vector<SchemaKey> dataKeys() {
  return {
      {.path = "data.train",
       .read = readTrainData,
       .print = printTrainData,
       .expects = "a path, a list of paths or a list of {path, weight}"},
      {.path = "data.validation",
       .nullable = true,
       .read = readValidationData,
       .print = printValidationData,
       .expects = "a path, a list of paths or null"},
      {.path = "data.format",
       .type = T::Choice,
       .field = LLMC_FIELD(data.format),
       .choices = {"auto", "llmc", "raw-u8", "raw-u16", "raw-u32", "megatron",
                   "text"},
       .onlyListed = true,
       .built = {"\"llmc\"", "\"raw-u8\"", "\"raw-u16\"", "\"raw-u32\"",
                 "\"text\""}},
      {.path = "data.tokenizer",
       .type = T::Text,
       .field = LLMC_FIELD(data.tokenizer),
       .onlyListed = true},
      {.path = "data.shuffle",
       .type = T::Boolean,
       .field = LLMC_FIELD(data.shuffle)},
      {.path = "data.epochs",
       .type = T::Integer,
       .field = LLMC_FIELD(data.epochs),
       .nullable = true,
       .least = 1,
       .most = kInt32},
      {.path = "data.end_of_document",
       .type = T::Integer,
       .field = LLMC_FIELD(data.endOfDocument),
       .nullable = true,
       .least = 0,
       .most = kInt32},
      {.path = "data.start_of_document",
       .type = T::Integer,
       .field = LLMC_FIELD(data.startOfDocument),
       .nullable = true,
       .least = 0,
       .most = kInt32},
  };
}

std::vector<SchemaKey> outputKeys() {
  return {
      {.path = "validate.every",
       .type = T::Integer,
       .field = LLMC_FIELD(validate.every),
       .least = 1,
       .most = kInt62},
      {.path = "validate.windows",
       .type = T::Integer,
       .field = LLMC_FIELD(validate.windows),
       .nullable = true,
       .least = 1,
       .most = kInt62},
      {.path = "checkpoint.directory",
       .type = T::Path,
       .field = LLMC_FIELD(checkpoint.directory),
       .nullable = true},
      {.path = "checkpoint.every",
       .type = T::Integer,
       .field = LLMC_FIELD(checkpoint.every),
       .least = 1,
       .most = kInt62},
      {.path = "checkpoint.keep",
       .type = T::Integer,
       .field = LLMC_FIELD(checkpoint.keep),
       .least = 1,
       .most = kInt32},
      {.path = "checkpoint.keep_best",
       .type = T::Boolean,
       .field = LLMC_FIELD(checkpoint.keepBest),
       .onlyListed = true},
      {.path = "checkpoint.async",
       .type = T::Boolean,
       .field = LLMC_FIELD(checkpoint.async)},
      {.path = "checkpoint.resume",
       .type = T::Text,
       .field = LLMC_FIELD(checkpoint.resume),
       .onlyListed = true,
       .built = {"\"never\""}},
      {.path = "checkpoint.new_data",
       .type = T::Boolean,
       .field = LLMC_FIELD(checkpoint.newData),
       .onlyListed = true},
      {.path = "log.directory",
       .type = T::Path,
       .field = LLMC_FIELD(log.directory)},
      {.path = "log.every",
       .type = T::Integer,
       .field = LLMC_FIELD(log.every),
       .least = 1,
       .most = kInt62},
      {.path = "log.tensorboard",
       .type = T::Boolean,
       .field = LLMC_FIELD(log.tensorboard),
       .onlyListed = true},
  };
}

std::vector<SchemaKey> machineKeys() {
  return {
      {.path = "run.threads",
       .type = T::Integer,
       .field = LLMC_FIELD(run.threads),
       .nullable = true,
       .least = 1,
       .most = 4096},
      {.path = "run.ranks_per_host",
       .type = T::Integer,
       .field = LLMC_FIELD(run.ranksPerHost),
       .nullable = true,
       .least = 1,
       .most = 65536,
       .onlyListed = true,
       .built = {"1"}},
      {.path = "run.comm",
       .type = T::Choice,
       .field = LLMC_FIELD(run.comm),
       .choices = {"auto", "local", "mpi", "nccl"},
       .onlyListed = true,
       .built = {"\"local\""}},
      {.path = "run.timeout",
       .type = T::Duration,
       .field = LLMC_FIELD(run.timeoutSeconds),
       .above = 0},
      {.path = "run.stop_after",
       .type = T::Duration,
       .field = LLMC_FIELD(run.stopAfterSeconds),
       .nullable = true,
       .above = 0},
      {.path = "target.device",
       .type = T::Choice,
       .field = LLMC_FIELD(target.device),
       .choices = {"cpu", "cuda", "ptxsim", "null"},
       .onlyListed = true,
       .built = {"\"null\""}},
      {.path = "target.arch",
       .type = T::Text,
       .field = LLMC_FIELD(target.arch),
       .onlyListed = true},
      {.path = "target.memory",
       .type = T::Bytes,
       .field = LLMC_FIELD(target.memory),
       .nullable = true,
       .least = 1,
       .most = kInt62},
      {.path = "target.cluster",
       .type = T::Path,
       .field = LLMC_FIELD(target.cluster),
       .nullable = true,
       .onlyListed = true},
  };
}

#undef LLMC_FIELD

} // namespace

const std::vector<SchemaKey> &schema() {
  static const std::vector<SchemaKey> keys = [] {
    std::vector<SchemaKey> all;
    for (auto part : {modelKeys, parallelKeys, precisionKeys, trainKeys,
                      optimizerKeys, dataKeys, outputKeys, machineKeys})
      for (SchemaKey &key : part())
        all.push_back(std::move(key));
    return all;
  }();
  return keys;
}

const SchemaKey *findKey(const std::string &path) {
  for (const SchemaKey &key : schema())
    if (key.path == path)
      return &key;
  return nullptr;
}

bool isSection(const std::string &path) {
  for (const SchemaKey &key : schema())
    if (key.path.starts_with(path + "."))
      return true;
  return false;
}

std::vector<std::string> keysOf(const std::string &section) {
  const std::string prefix = section.empty() ? "" : section + ".";
  std::vector<std::string> keys;
  for (const SchemaKey &key : schema()) {
    if (!key.path.starts_with(prefix))
      continue;
    std::string rest = key.path.substr(prefix.size());
    rest.resize(std::min(rest.size(), rest.find('.')));
    if (std::find(keys.begin(), keys.end(), rest) == keys.end())
      keys.push_back(rest);
  }
  if (section.empty())
    keys.push_back("include");
  return keys;
}

} // namespace llmc::frontend

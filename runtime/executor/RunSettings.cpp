// Reading, writing, checking and changing of settings.
#include "runtime/executor/RunSettings.h"

#include "runtime/executor/SettingsJson.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace llmc::rt {

static constexpr EnumName<ScheduleKind> scheduleNames[] = {
    {"constant", ScheduleKind::Constant},
    {"linear", ScheduleKind::Linear},
    {"cosine", ScheduleKind::Cosine},
    {"wsd", ScheduleKind::Wsd}};
static constexpr EnumName<DecayShape> shapeNames[] = {
    {"linear", DecayShape::Linear}, {"sqrt", DecayShape::Sqrt}};
static constexpr EnumName<bool> nonfiniteNames[] = {{"stop", false},
                                                    {"skip", true}};
static constexpr EnumName<TokenFormat> formatNames[] = {
    {"auto", TokenFormat::Auto},      {"llmc", TokenFormat::Llmc},
    {"raw-u8", TokenFormat::RawU8},   {"raw-u16", TokenFormat::RawU16},
    {"raw-u32", TokenFormat::RawU32}, {"text", TokenFormat::Text}};

/// One list of the fields serves the reader and the writer.
template <typename Io, typename Settings>
static void visitTrain(Io &io, Settings &train) {
  io.field("seed", train.seed);
  io.field("sequence_length", train.sequenceLength);
  io.field("micro_batch_size", train.microBatchSize);
  io.field("global_batch_size", train.globalBatchSize);
  io.field("train_steps", train.trainSteps);
  io.field("ignore_label", train.ignoreLabel);
  io.field("ignore_border_label", train.ignoreBorderLabel);
  io.section("optimizer", [&] {
    io.field("name", train.optimizer.name);
    io.field("lr", train.schedule.lr);
    io.field("betas", train.optimizer.betas);
    io.field("eps", train.optimizer.eps);
    io.field("weight_decay", train.optimizer.weightDecay);
    io.field("momentum", train.optimizer.momentum);
  });
  io.section("lr_schedule", [&] {
    io.choice("name", train.schedule.kind, scheduleNames);
    io.field("warmup_steps", train.schedule.warmupSteps);
    io.field("end_step", train.endStep);
    io.field("min_lr", train.schedule.minLr);
    io.field("decay_steps", train.schedule.decaySteps);
    io.choice("shape", train.schedule.decayShape, shapeNames);
  });
  io.field("clip_grad", train.clipGrad);
  io.choice("on_nonfinite", train.skipNonfinite, nonfiniteNames);
}

template <typename Io, typename Settings>
static void visit(Io &io, Settings &settings) {
  io.field("name", settings.name);
  io.section("model", [&] {
    io.field("vocab_size", settings.model.vocabSize);
    io.field("weights", settings.model.weights);
    io.field("weights_prefix", settings.model.weightsPrefix);
    io.field("weights_buffers", settings.model.weightsBuffers);
    io.field("config", settings.model.config);
    io.field("identity", settings.model.identity);
  });
  io.section("train", [&] { visitTrain(io, settings.train); });
  io.section("data", [&] {
    io.field("train", settings.data.train);
    io.field("validation", settings.data.validation);
    io.choice("format", settings.data.format, formatNames);
    io.field("shuffle", settings.data.shuffle);
    io.field("epochs", settings.data.epochs);
    io.field("end_of_document", settings.data.endOfDocument);
    io.field("start_of_document", settings.data.startOfDocument);
  });
  io.section("validate", [&] {
    io.field("every", settings.validate.every);
    io.field("windows", settings.validate.windows);
  });
  io.section("checkpoint", [&] {
    io.field("directory", settings.checkpoint.directory);
    io.field("every", settings.checkpoint.every);
    io.field("keep", settings.checkpoint.keep);
    io.field("resume", settings.checkpoint.resume);
  });
  io.section("log", [&] {
    io.field("directory", settings.log.directory);
    io.field("every", settings.log.every);
  });
  io.section("run", [&] { io.field("stop_after", settings.stopAfter); });
  io.section("spec", [&] {
    io.field("hash", settings.spec.hash);
    io.field("text", settings.spec.text);
  });
}

static Json toTree(const RunSettings &settings) {
  SettingsWriter writer;
  int64_t version = RunSettings::formatVersion;
  writer.field("format", version);
  visit(writer, settings);
  return writer.take();
}

std::string RunSettings::toJson() const {
  return toTree(*this).dump(1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

/// Sizes that later arithmetic relies on.
static Status checkSizes(const RunSettings &settings, const std::string &path) {
  constexpr int64_t limit = int64_t(1) << 31;
  struct Size {
    const char *key;
    int64_t value;
  };
  const RunSettings::Train &train = settings.train;
  for (Size size :
       {Size{"model.vocab_size", settings.model.vocabSize},
        Size{"train.sequence_length", train.sequenceLength},
        Size{"train.micro_batch_size", train.microBatchSize},
        Size{"train.global_batch_size", train.globalBatchSize},
        Size{"train.train_steps", train.trainSteps.value_or(1)},
        Size{"data.epochs", settings.data.epochs.value_or(1)},
        Size{"validate.every", settings.validate.every},
        Size{"validate.windows", settings.validate.windows.value_or(1)},
        Size{"checkpoint.every", settings.checkpoint.every},
        Size{"checkpoint.keep", settings.checkpoint.keep},
        Size{"log.every", settings.log.every}})
    if (size.value < 1 || size.value >= limit)
      return Status::error("'" + path + "': " + size.key + " is " +
                           std::to_string(size.value) + ", expected 1 to " +
                           std::to_string(limit - 1));
  // A global batch is read at once: its tokens must have a size.
  if (train.globalBatchSize > limit / (train.sequenceLength + 1))
    return Status::error("'" + path + "': a global batch of " +
                         std::to_string(train.globalBatchSize) + " x " +
                         std::to_string(train.sequenceLength) +
                         " tokens, expected less than " +
                         std::to_string(limit));
  return Status::success();
}

/// What a step computes with in float32.
static Status checkRate(const RunSettings::Train &train,
                        const std::string &path) {
  constexpr double most = std::numeric_limits<float>::max();
  auto wrong = [&](const char *key, const Json &value, const char *expected) {
    return Status::error("'" + path + "': " + key + " is " + dumpJson(value) +
                         ", expected " + expected);
  };
  const LearningRateSchedule &schedule = train.schedule;
  if (!(schedule.lr >= 0 && schedule.lr <= most))
    return wrong("train.optimizer.lr", schedule.lr, "0 to 3.4e38");
  if (!(schedule.minLr >= 0 && schedule.minLr <= most))
    return wrong("train.lr_schedule.min_lr", schedule.minLr, "0 to 3.4e38");
  if (train.clipGrad && !(*train.clipGrad > 0))
    return wrong("train.clip_grad", *train.clipGrad, "a number above 0");
  if (schedule.warmupSteps < 0)
    return wrong("train.lr_schedule.warmup_steps", schedule.warmupSteps,
                 "0 or more");
  if (schedule.decaySteps < 0)
    return wrong("train.lr_schedule.decay_steps", schedule.decaySteps,
                 "0 or more");
  return Status::success();
}

static Status checkSettings(const RunSettings &settings,
                            const std::string &path) {
  if (Status status = checkSizes(settings, path); !status)
    return status;
  auto wrong = [&](const std::string &what) {
    return Status::error("'" + path + "': " + what);
  };
  const RunSettings::Train &train = settings.train;
  if (train.globalBatchSize % train.microBatchSize != 0)
    return wrong("train.global_batch_size " +
                 std::to_string(train.globalBatchSize) +
                 " is not a multiple of train.micro_batch_size " +
                 std::to_string(train.microBatchSize));
  if (train.trainSteps.has_value() == settings.data.epochs.has_value())
    return wrong("expected exactly one of train.train_steps and data.epochs");
  if (settings.data.endOfDocument && settings.data.startOfDocument)
    return wrong("data.end_of_document and data.start_of_document are both "
                 "given, expected one");
  if (Status status = checkRate(train, path); !status)
    return status;
  if (settings.stopAfter && !(*settings.stopAfter > 0))
    return wrong("run.stop_after is " + dumpJson(Json(*settings.stopAfter)) +
                 " seconds, expected more than 0");
  if (settings.log.directory.empty() || settings.checkpoint.directory.empty())
    return wrong("log.directory and checkpoint.directory must not be empty");
  for (const SourceSpec &source : settings.data.train)
    if (!(source.weight > 0))
      return wrong("data.train has a weight of " +
                   std::to_string(source.weight) + ", expected above 0");
  return Status::success();
}

static Expected<RunSettings> fromTree(const Json &tree,
                                      const std::string &path) {
  RunSettings settings;
  SettingsReader reader(tree, path);
  int64_t version = 0;
  reader.field("format", version);
  if (reader.status() && version != RunSettings::formatVersion)
    return Status::error("'" + path + "': format " + std::to_string(version) +
                         ", expected " +
                         std::to_string(RunSettings::formatVersion));
  visit(reader, settings);
  reader.finish();
  if (Status status = reader.status(); !status)
    return status;
  if (Status status = checkSettings(settings, path); !status)
    return status;
  return settings;
}

Expected<RunSettings> RunSettings::fromJson(std::string_view text,
                                            const std::string &path) {
  Expected<Json> tree = parseJson(text, path);
  if (!tree)
    return tree.takeStatus();
  return fromTree(*tree, path);
}

BatchOptions RunSettings::batchOptions() const {
  BatchOptions options;
  options.sequenceLength = train.sequenceLength;
  options.microBatchSize = train.microBatchSize;
  options.globalBatchSize = train.globalBatchSize;
  options.vocabSize = model.vocabSize;
  options.ignoreLabel = train.ignoreLabel;
  options.endOfDocument = data.endOfDocument;
  options.startOfDocument = data.startOfDocument;
  options.ignoreBorderLabel = train.ignoreBorderLabel;
  return options;
}

void RunSettings::setRunDirectory(const std::string &directory) {
  if (checkpoint.directory.starts_with(log.directory + "/"))
    checkpoint.directory =
        directory + checkpoint.directory.substr(log.directory.size());
  log.directory = directory;
}

//===----------------------------------------------------------------------===//
// --set
//===----------------------------------------------------------------------===//

/// Keys that a plan does not depend on.
static constexpr const char *changeable[] = {"train.optimizer.lr",
                                             "train.lr_schedule.name",
                                             "train.lr_schedule.warmup_steps",
                                             "train.lr_schedule.end_step",
                                             "train.lr_schedule.min_lr",
                                             "train.lr_schedule.decay_steps",
                                             "train.lr_schedule.shape",
                                             "train.clip_grad",
                                             "train.on_nonfinite",
                                             "train.train_steps",
                                             "validate.every",
                                             "validate.windows",
                                             "checkpoint.directory",
                                             "checkpoint.every",
                                             "checkpoint.keep",
                                             "checkpoint.resume",
                                             "log.directory",
                                             "log.every",
                                             "run.stop_after"};

/// "600s", "10m" or "2h" in seconds.
static Json durationValue(const std::string &text) {
  double factor = text.ends_with("s")   ? 1
                  : text.ends_with("m") ? 60
                  : text.ends_with("h") ? 3600
                                        : 0;
  double number = 0;
  const char *end = text.data() + text.size() - 1;
  auto [rest, code] = std::from_chars(text.data(), end, number);
  if (factor == 0 || code != std::errc() || rest != end)
    return text;
  return number * factor;
}

static Json parseValue(const std::string &key, const std::string &text) {
  if (Expected<Json> value = parseJson(text, key))
    return *value;
  return key == "run.stop_after" && !text.empty() ? durationValue(text)
                                                  : Json(text);
}

Status RunSettings::set(const std::string &assignment) {
  size_t equals = assignment.find('=');
  if (equals == std::string::npos)
    return Status::error("--set '" + assignment + "', expected key=value");
  std::string key = assignment.substr(0, equals);
  if (std::find(std::begin(changeable), std::end(changeable), key) ==
      std::end(changeable))
    return Status::error("--set " + key +
                         ": compiled into the bundle, expected a setting of "
                         "the run; compile the spec with it");
  Json value = parseValue(key, assignment.substr(equals + 1));
  if (key == "log.directory" && value.is_string() && value != "") {
    setRunDirectory(value.get<std::string>());
    return Status::success();
  }
  std::string pointer = "/" + key;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  Json tree = toTree(*this);
  tree[Json::json_pointer(pointer)] = std::move(value);
  Expected<RunSettings> changed = fromTree(tree, "--set " + assignment);
  if (!changed)
    return changed.takeStatus();
  *this = std::move(*changed);
  return Status::success();
}

} // namespace llmc::rt

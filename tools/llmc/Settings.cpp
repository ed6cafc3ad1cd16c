// What a bundle tells the runtime of its spec.
#include "tools/llmc/Settings.h"

#include "runtime/base/Json.h"
#include "runtime/plan/Manifest.h"

#include <algorithm>
#include <filesystem>
#include <thread>

using namespace llmc::frontend;

namespace llmc::tool {

std::string configJson(const Architecture &arch) {
  std::string text = "{\n  \"architectures\": [" + textToJson(arch.hfClass) +
                     "],\n  \"model_type\": " + textToJson(arch.modelType);
  for (const auto &[key, value] : arch.configKeys)
    text += ",\n  " + textToJson(key) + ": " + toJson(value);
  return text + ",\n  \"torch_dtype\": \"float32\"\n}\n";
}

unsigned threadsOf(const Spec &spec) {
  if (spec.run.threads)
    return static_cast<unsigned>(*spec.run.threads);
  return std::max(1u, std::thread::hardware_concurrency());
}

/// A bundle runs from any directory.
static std::string absolute(const std::string &path) {
  std::error_code fault;
  std::filesystem::path full = std::filesystem::absolute(path, fault);
  return fault ? path : full.string();
}

static std::vector<std::string>
absolute(const std::vector<std::string> &paths) {
  std::vector<std::string> all;
  for (const std::string &path : paths)
    all.push_back(absolute(path));
  return all;
}

static rt::LearningRateSchedule scheduleOf(const TrainSection &train) {
  const LrScheduleSection &section = train.lrSchedule;
  rt::LearningRateSchedule schedule;
  schedule.kind = section.name == "linear"   ? rt::ScheduleKind::Linear
                  : section.name == "cosine" ? rt::ScheduleKind::Cosine
                  : section.name == "wsd"    ? rt::ScheduleKind::Wsd
                                             : rt::ScheduleKind::Constant;
  schedule.lr = train.optimizer.lr;
  schedule.minLr = section.minLr;
  schedule.warmupSteps = section.warmupSteps;
  schedule.decaySteps = section.decaySteps.value_or(0);
  schedule.decayShape =
      section.shape == "sqrt" ? rt::DecayShape::Sqrt : rt::DecayShape::Linear;
  return schedule;
}

static rt::Json numberOrNull(const std::optional<int64_t> &value) {
  return value ? rt::Json(*value) : rt::Json(nullptr);
}

static void collectWindows(const std::vector<BlockItem> &items,
                           rt::Json &windows) {
  for (const BlockItem &item : items) {
    if (const auto *attention = std::get_if<Attention>(&item))
      windows.push_back(numberOrNull(attention->window));
    if (const auto *residual = std::get_if<Residual>(&item))
      collectWindows(residual->items, windows);
  }
}

/// The windows that the layers have, wherever they come from: one value if all
/// have the same.
static rt::Json windowsOf(const Architecture &arch) {
  rt::Json windows = rt::Json::array();
  for (const Layer &layer : arch.layers)
    collectWindows(layer.items, windows);
  bool same =
      std::all_of(windows.begin(), windows.end(), [&](const rt::Json &window) {
        return window == windows.front();
      });
  return same && !windows.empty() ? rt::Json(windows.front()) : windows;
}

/// What a run that goes on may not change of its model.
static std::string modelIdentity(const LoadedSpec &loaded) {
  const ModelSection &model = loaded.spec.model;
  const DataSection &data = loaded.spec.data;
  rt::Json identity = rt::Json::object();
  identity["model.use"] = loaded.arch.name;
  for (const auto &[name, value] : loaded.arch.sizes)
    if (rt::Expected<rt::Json> json = rt::parseJson(toJson(value), name))
      identity["model." + name] = *json;
  identity["model.sliding_window"] = windowsOf(loaded.arch);
  identity["model.global_tokens"] = model.globalTokens;
  identity["model.document_mask"] = model.documentMask;
  if (model.documentMask) {
    identity["data.end_of_document"] = numberOrNull(data.endOfDocument);
    identity["data.start_of_document"] = numberOrNull(data.startOfDocument);
  }
  return rt::dumpJson(identity);
}

static void fillTrain(rt::RunSettings &settings, const Spec &spec) {
  const TrainSection &train = spec.train;
  auto &out = settings.train;
  out.seed = train.seed;
  out.sequenceLength = train.sequenceLength;
  out.microBatchSize = train.microBatchSize;
  out.globalBatchSize = train.globalBatchSize;
  out.trainSteps = train.steps();
  out.ignoreLabel = train.ignoreLabel;
  out.ignoreBorderLabel = train.ignoreBorderLabel;
  out.optimizer = {train.optimizer.name, train.optimizer.betas,
                   train.optimizer.eps, train.optimizer.weightDecay.value_or(0),
                   train.optimizer.momentum};
  out.schedule = scheduleOf(train);
  out.endStep = train.lrSchedule.endStep;
  out.clipGrad = train.clipGrad;
  out.skipNonfinite = train.onNonfinite == "skip";
}

static void fillData(rt::RunSettings &settings, const DataSection &data) {
  auto &out = settings.data;
  for (const DataSource &source : data.train)
    out.train.push_back({absolute(source.paths), source.weight});
  for (const DataSource &source : data.validation)
    for (const std::string &path : source.paths)
      out.validation.push_back(absolute(path));
  out.format = rt::parseTokenFormat(data.format).value_or(out.format);
  out.shuffle = data.shuffle;
  out.epochs = data.epochs;
  out.endOfDocument = data.endOfDocument;
  out.startOfDocument = data.startOfDocument;
}

/// The default directory is in the working folder of the run, those that a file
/// names are where that file says.
static void fillDirectories(rt::RunSettings &settings, const Spec &spec) {
  const std::string &log = spec.log.directory;
  const std::string &checkpoints = spec.checkpoint.directory;
  settings.log.directory = spec.given("log.directory") ? absolute(log) : log;
  settings.checkpoint.directory = checkpoints == log + "/checkpoints"
                                      ? settings.log.directory + "/checkpoints"
                                      : absolute(checkpoints);
}

rt::RunSettings settingsOf(const LoadedSpec &loaded) {
  const Spec &spec = loaded.spec;
  rt::RunSettings settings;
  settings.name = spec.name;
  settings.model.vocabSize = loaded.arch.vocabSize;
  if (spec.model.weights)
    settings.model.weights = absolute(*spec.model.weights);
  settings.model.weightsPrefix = loaded.arch.optionalPrefix;
  // Masks and tables that older files of these families carry along.
  settings.model.weightsBuffers = {"*.attn.bias", "*.attn.masked_bias",
                                   "*.rotary_emb.inv_freq"};
  if (loaded.arch.head.tied) // some files repeat the embedding under this name
    settings.model.weightsBuffers.push_back("lm_head.weight");
  settings.model.config = configJson(loaded.arch);
  settings.model.identity = modelIdentity(loaded);
  fillTrain(settings, spec);
  fillData(settings, spec.data);
  settings.validate.every = spec.validate.every;
  settings.validate.windows = spec.validate.windows;
  settings.checkpoint.every = spec.checkpoint.every;
  settings.checkpoint.keep = spec.checkpoint.keep;
  settings.checkpoint.resume = spec.checkpoint.resume;
  fillDirectories(settings, spec);
  settings.log.every = spec.log.every;
  settings.stopAfter = spec.run.stopAfterSeconds;
  settings.spec.text = resolvedText(loaded);
  settings.spec.hash = rt::hashText(rt::hashBytes(resolvedJson(loaded)));
  return settings;
}

} // namespace llmc::tool

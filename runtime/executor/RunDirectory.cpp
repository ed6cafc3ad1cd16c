// Looking at what a run directory holds.
#include "runtime/executor/RunDirectory.h"

#include "runtime/base/Json.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace llmc::rt {

static std::string metricsPath(const RunSettings &settings) {
  return settings.log.directory + "/metrics.jsonl";
}

Expected<std::string> findCheckpoint(const std::string &path) {
  std::error_code ignored;
  if (fs::is_regular_file(path + "/state.json", ignored))
    return path;
  if (std::optional<std::string> newest = CheckpointStore::newest(path))
    return *newest;
  return Status::error("'" + path + "': no complete checkpoint here");
}

/// Also when neither exists yet.
static bool liesInside(const std::string &path, const std::string &directory) {
  std::error_code ignored;
  auto resolve = [&](const std::string &name) {
    fs::path full = fs::absolute(name, ignored);
    fs::path real = fs::weakly_canonical(full, ignored);
    return ignored ? full.lexically_normal() : real;
  };
  fs::path relative = resolve(path).lexically_relative(resolve(directory));
  return !relative.empty() && *relative.begin() != "..";
}

static bool checkpointsLieInside(const RunSettings &settings) {
  return liesInside(settings.checkpoint.directory, settings.log.directory);
}

std::vector<std::string> lockedDirectories(const RunSettings &settings) {
  if (checkpointsLieInside(settings))
    return {settings.log.directory};
  return {settings.log.directory, settings.checkpoint.directory};
}

/// What lies outside of the run directory may belong to other runs too.
static Status checkOverwrite(const RunSettings &settings) {
  const std::string &directory = settings.checkpoint.directory;
  if (checkpointsLieInside(settings) || !CheckpointStore::newest(directory))
    return Status::success();
  return Status::error(
      "--overwrite removes only what lies in the run directory '" +
      settings.log.directory + "', and checkpoint.directory '" + directory +
      "' outside of it holds checkpoints; expected another "
      "checkpoint.directory, or one from which they were removed by hand");
}

static bool holdsRun(const RunSettings &settings) {
  std::error_code ignored;
  return fs::exists(metricsPath(settings), ignored) ||
         CheckpointStore::newest(settings.checkpoint.directory);
}

Expected<std::optional<std::string>>
chooseCheckpoint(const RunSettings &settings, bool overwrite) {
  if (overwrite)
    if (Status status = checkOverwrite(settings); !status)
      return status;
  const std::string &resume = settings.checkpoint.resume;
  if (resume == "never") {
    if (!overwrite && holdsRun(settings))
      return Status::error(
          "'" + settings.log.directory +
          "' holds another run and checkpoint.resume is never; expected "
          "another log.directory, or --overwrite");
    return std::optional<std::string>();
  }
  if (resume == "auto")
    return overwrite ? std::nullopt
                     : CheckpointStore::newest(settings.checkpoint.directory);
  Expected<std::string> found = findCheckpoint(resume);
  if (!found)
    return Status::error("checkpoint.resume: " + found.message());
  return std::optional(*found);
}

/// Removes the lines and checkpoints of an earlier run, and nothing else.
static Status removeRun(const RunSettings &settings) {
  std::error_code code;
  fs::remove(metricsPath(settings), code);
  while (!code) {
    std::optional<std::string> checkpoint =
        CheckpointStore::newest(settings.checkpoint.directory);
    if (!checkpoint)
      return Status::success();
    fs::remove_all(*checkpoint, code);
  }
  return Status::error("cannot remove the earlier run in '" +
                       settings.log.directory + "': " + code.message());
}

/// The directory and those around it that are not there yet, innermost first.
static std::vector<fs::path> missingDirectories(const std::string &directory) {
  std::vector<fs::path> missing;
  std::error_code code;
  fs::path path = fs::absolute(directory, code).lexically_normal();
  while (!code && path.has_relative_path() && !fs::exists(path, code)) {
    missing.push_back(path);
    path = path.parent_path();
  }
  return missing;
}

/// Creates and locks the directories that are written to, all or none.
static Status createOutputs(const RunSettings &settings, RunLocks &locks) {
  std::vector<std::string> locked = lockedDirectories(settings);
  std::vector<fs::path> created;
  for (const std::string &directory :
       {settings.log.directory, settings.checkpoint.directory}) {
    std::vector<fs::path> missing = missingDirectories(directory);
    created.insert(created.begin(), missing.begin(), missing.end());
    Status status = checkWritable(directory);
    if (status && std::count(locked.begin(), locked.end(), directory))
      status = locks.take(directory);
    if (status)
      continue;
    locks.undo();
    std::error_code ignored;
    for (const fs::path &path : created)
      fs::remove(path, ignored);
    return status;
  }
  return Status::success();
}

Status prepareRunDirectory(const RunSettings &settings, bool overwrite,
                           RunLocks &locks) {
  if (Status status = createOutputs(settings, locks); !status)
    return status;
  CheckpointStore::removePartial(settings.checkpoint.directory);
  if (overwrite)
    if (Status status = removeRun(settings); !status)
      return status;
  return writeFileAtomically(settings.log.directory + "/spec.yaml",
                             settings.spec.text);
}

//===----------------------------------------------------------------------===//
// Resuming
//===----------------------------------------------------------------------===//

static std::string differenceText(const std::string &key, const Json &before,
                                  const Json &now) {
  return key + " is " + dumpJson(now) + ", the checkpoint was made with " +
         dumpJson(before);
}

/// The keys at which two runs differ, each with both values.
static std::vector<std::string>
findDifferences(const Json &before, const Json &now,
                std::initializer_list<const char *> keys) {
  std::vector<std::string> found;
  for (const char *key : keys) {
    std::string pointer = "/" + std::string(key);
    for (char &c : pointer)
      c = c == '.' ? '/' : c;
    const Json &old = before.at(Json::json_pointer(pointer));
    const Json &own = now.at(Json::json_pointer(pointer));
    if (old != own)
      found.push_back(differenceText(key, old, own));
  }
  return found;
}

/// The keys at which two JSON objects differ.
static std::vector<std::string> objectDifferences(const std::string &what,
                                                  const std::string &before,
                                                  const std::string &now) {
  Expected<Json> old = parseJson(before, what);
  Expected<Json> own = parseJson(now, what);
  if (!old || !own || !old->is_object() || !own->is_object())
    return before == now ? std::vector<std::string>()
                         : std::vector<std::string>{what + " differs"};
  std::vector<std::string> found;
  for (auto &[key, value] : old->items())
    if (!own->contains(key))
      found.push_back(differenceText(key, value, nullptr));
    else if ((*own)[key] != value)
      found.push_back(differenceText(key, value, (*own)[key]));
  for (auto &[key, value] : own->items())
    if (!old->contains(key))
      found.push_back(differenceText(key, nullptr, value));
  return found;
}

static Status refuse(const std::string &checkpoint, const std::string &what,
                     const std::vector<std::string> &differences) {
  std::string list;
  for (const std::string &difference : differences)
    list += "\n  " + difference;
  return Status::error("'" + checkpoint + "' cannot be resumed with " + what +
                       ":" + list);
}

/// The settings in their normal form, in which every key is present.
static Expected<Json> settingsTree(const std::string &text,
                                   const std::string &path) {
  Expected<RunSettings> settings = RunSettings::fromJson(text, path);
  if (!settings)
    return settings.takeStatus();
  return parseJson(settings->toJson(), path);
}

namespace {

/// What a checkpoint says of the run that wrote it.
struct Record {
  CheckpointState state;
  Json settings;
};

} // namespace

static Expected<Record> readRecord(const std::string &checkpoint) {
  Expected<CheckpointState> state = CheckpointStore::readState(checkpoint);
  if (!state)
    return state.takeStatus();
  std::string path = checkpoint + "/" + checkpointfile::settings;
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeStatus();
  Expected<Json> settings = settingsTree(std::string(file->text()), path);
  if (!settings)
    return settings.takeStatus();
  return Record{*state, std::move(*settings)};
}

/// Shapes alone do not tell a window, an epsilon or an activation apart.
static Status checkModel(const std::string &checkpoint, const Json &before,
                         const RunSettings::Model &model) {
  const Json &old = before["model"];
  std::vector<std::string> found = objectDifferences(
      "model", old["identity"].get<std::string>(), model.identity);
  if (found.empty())
    found = objectDifferences("config.json", old["config"].get<std::string>(),
                              model.config);
  if (found.empty())
    return Status::success();
  found.back() += "; a model cannot change on resume";
  return refuse(checkpoint, "another model", found);
}

static Status checkData(const std::string &checkpoint, const Record &record,
                        const Json &now, uint64_t windowsPerEpoch) {
  std::vector<std::string> found = findDifferences(
      record.settings, now,
      {"data.train", "data.format", "data.shuffle", "data.end_of_document",
       "data.start_of_document", "train.ignore_label",
       "train.ignore_border_label", "train.sequence_length",
       "train.global_batch_size", "train.seed", "model.vocab_size"});
  if (found.empty() && record.state.windowsPerEpoch != windowsPerEpoch)
    found.push_back(differenceText("the number of windows in data.train",
                                   record.state.windowsPerEpoch,
                                   windowsPerEpoch));
  return found.empty() ? Status::success()
                       : refuse(checkpoint, "other data", found);
}

static Status checkOptimizer(const std::string &checkpoint, const Json &before,
                             const RunSettings::Train &train) {
  std::string old = before["train"]["optimizer"]["name"].get<std::string>();
  if (old == train.optimizer.name)
    return Status::success();
  return Status::error(
      "'" + checkpoint + "' cannot be resumed: train.optimizer.name is " +
      train.optimizer.name + ", the checkpoint was made with " + old +
      "; changing it on resume is not implemented yet");
}

/// Every step takes one global batch.
static Status checkPosition(const std::string &checkpoint,
                            const CheckpointState &state,
                            int64_t globalBatchSize) {
  uint64_t expected = 0;
  bool overflow = __builtin_mul_overflow(uint64_t(state.step),
                                         uint64_t(globalBatchSize), &expected);
  if (!overflow && state.windows == expected)
    return Status::success();
  return Status::error("'" + checkpoint + "/state.json' is damaged: windows " +
                       std::to_string(state.windows) + ", expected step " +
                       std::to_string(state.step) + " x " +
                       std::to_string(globalBatchSize) +
                       " of train.global_batch_size");
}

Status damagedCheckpoint(const std::string &checkpoint,
                         const RunSettings &settings,
                         const std::string &message) {
  std::optional<std::string> older = CheckpointStore::before(checkpoint);
  if (!older)
    return Status::error(message);
  std::string note = "; the complete checkpoint before it is '" + *older + "'";
  if (settings.checkpoint.resume == "auto")
    note += ": to go on from there, move '" + checkpoint + "' away";
  return Status::error(message + note);
}

Expected<ResumePoint> checkResume(const std::string &checkpoint,
                                  const RunSettings &settings,
                                  uint64_t windowsPerEpoch) {
  Expected<Record> record = readRecord(checkpoint);
  if (!record)
    return damagedCheckpoint(checkpoint, settings, record.message());
  Expected<Json> now = settingsTree(settings.toJson(), "settings");
  if (!now)
    return now.takeStatus();
  const Json &before = record->settings;
  if (Status status = checkModel(checkpoint, before, settings.model); !status)
    return status;
  if (Status status = checkData(checkpoint, *record, *now, windowsPerEpoch);
      !status)
    return status;
  if (Status status = checkOptimizer(checkpoint, before, settings.train);
      !status)
    return status;
  if (Status status = checkPosition(checkpoint, record->state,
                                    settings.train.globalBatchSize);
      !status)
    return damagedCheckpoint(checkpoint, settings, status.message());
  return ResumePoint{
      record->state,
      findDifferences(before, *now,
                      {"train.optimizer.lr", "train.optimizer.betas",
                       "train.optimizer.eps", "train.optimizer.weight_decay",
                       "train.optimizer.momentum", "train.lr_schedule.name",
                       "train.lr_schedule.warmup_steps",
                       "train.lr_schedule.end_step", "train.lr_schedule.min_lr",
                       "train.lr_schedule.decay_steps",
                       "train.lr_schedule.shape", "train.clip_grad"})};
}

} // namespace llmc::rt

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
  return key + " was " + dumpJson(before) + ", is " + dumpJson(now);
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

/// The keys of config.json at which two models differ: shapes alone do not tell
/// an epsilon or an activation apart.
static std::vector<std::string> modelDifferences(const std::string &before,
                                                 const std::string &now) {
  Expected<Json> old = parseJson(before, "config.json");
  Expected<Json> own = parseJson(now, "config.json");
  if (!old || !own || !old->is_object() || !own->is_object())
    return before == now ? std::vector<std::string>()
                         : std::vector<std::string>{"config.json differs"};
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

Expected<ResumePoint> checkResume(const std::string &checkpoint,
                                  const RunSettings &settings) {
  Expected<CheckpointState> state = CheckpointStore::readState(checkpoint);
  if (!state)
    return state.takeStatus();
  std::string path = checkpoint + "/" + checkpointfile::settings;
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeStatus();
  Expected<Json> before = settingsTree(std::string(file->text()), path);
  if (!before)
    return before.takeStatus();
  Expected<Json> now = settingsTree(settings.toJson(), "settings");
  if (!now)
    return now.takeStatus();

  std::vector<std::string> model = modelDifferences(
      (*before)["model"]["config"].get<std::string>(), settings.model.config);
  if (!model.empty())
    return refuse(checkpoint, "another model", model);
  std::vector<std::string> refused = findDifferences(
      *before, *now,
      {"data.train", "data.format", "data.shuffle", "data.end_of_document",
       "data.start_of_document", "train.ignore_label",
       "train.ignore_border_label", "train.sequence_length",
       "train.global_batch_size", "train.seed", "model.vocab_size"});
  if (!refused.empty())
    return refuse(checkpoint, "other data", refused);
  return ResumePoint{*state,
                     findDifferences(*before, *now,
                                     {"train.optimizer", "train.lr_schedule",
                                      "train.clip_grad"})};
}

} // namespace llmc::rt

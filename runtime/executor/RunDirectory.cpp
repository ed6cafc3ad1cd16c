//===- RunDirectory.cpp - Where a run begins and writes -------------------===//
//
// Looking at what a run directory holds.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/RunDirectory.h"

#include "runtime/base/Json.h"

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

static bool holdsRun(const RunSettings &settings) {
  std::error_code ignored;
  return fs::exists(metricsPath(settings), ignored) ||
         CheckpointStore::newest(settings.checkpoint.directory);
}

Expected<std::optional<std::string>>
chooseCheckpoint(const RunSettings &settings, bool overwrite) {
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

Status prepareRunDirectory(const RunSettings &settings, bool overwrite) {
  for (const std::string &directory :
       {settings.log.directory, settings.checkpoint.directory})
    if (Status status = checkWritable(directory); !status)
      return status;
  if (overwrite)
    if (Status status = removeRun(settings); !status)
      return status;
  return writeFileAtomically(settings.log.directory + "/spec.yaml",
                             settings.spec.text);
}

//===----------------------------------------------------------------------===//
// Resuming
//===----------------------------------------------------------------------===//

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
      found.push_back(std::string(key) + " was " + dumpJson(old) + ", is " +
                      dumpJson(own));
  }
  return found;
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

  std::vector<std::string> refused = findDifferences(
      *before, *now,
      {"data.train", "data.format", "data.shuffle", "data.end_of_document",
       "data.start_of_document", "train.ignore_label",
       "train.ignore_border_label", "train.sequence_length",
       "train.global_batch_size", "train.seed", "model.vocab_size"});
  if (!refused.empty()) {
    std::string list;
    for (const std::string &difference : refused)
      list += "\n  " + difference;
    return Status::error("'" + checkpoint +
                         "' cannot be resumed with other data:" + list);
  }
  return ResumePoint{*state,
                     findDifferences(*before, *now,
                                     {"train.optimizer", "train.lr_schedule",
                                      "train.clip_grad"})};
}

} // namespace llmc::rt

// Saves, finds and loads checkpoints.
#include "runtime/checkpoint/CheckpointStore.h"

#include "runtime/base/Json.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace fs = std::filesystem;

namespace llmc::rt {

static constexpr const char *modelFile = "model.safetensors";
static constexpr const char *optimizerFile = "optimizer.safetensors";
static constexpr const char *stateFile = "state.json";
static constexpr std::string_view stepPrefix = "step_";

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

static std::string stepName(int64_t step) {
  char name[40];
  std::snprintf(name, sizeof(name), "step_%08lld", (long long)step);
  return name;
}

/// The step of a directory that is named as stepName does.
static std::optional<int64_t> stepOfName(const std::string &name) {
  if (!name.starts_with(stepPrefix) || name.size() > stepPrefix.size() + 18)
    return std::nullopt;
  int64_t step = 0;
  for (char c : name.substr(stepPrefix.size())) {
    if (c < '0' || c > '9')
      return std::nullopt;
    step = step * 10 + (c - '0');
  }
  return stepName(step) == name ? std::optional(step) : std::nullopt;
}

std::string CheckpointStore::pathOf(int64_t step) const {
  return directory + "/" + stepName(step);
}

/// The steps whose checkpoints are complete, newest first.
static std::vector<int64_t> completeSteps(const std::string &directory) {
  std::vector<int64_t> steps;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end;
       it.increment(code)) {
    std::optional<int64_t> step = stepOfName(it->path().filename().string());
    std::error_code ignored;
    if (step && fs::is_regular_file(it->path() / stateFile, ignored) &&
        fs::is_regular_file(it->path() / modelFile, ignored))
      steps.push_back(*step);
  }
  std::sort(steps.rbegin(), steps.rend());
  return steps;
}

std::optional<std::string>
CheckpointStore::newest(const std::string &directory) {
  std::vector<int64_t> steps = completeSteps(directory);
  if (steps.empty())
    return std::nullopt;
  return directory + "/" + stepName(steps.front());
}

std::optional<std::string>
CheckpointStore::before(const std::string &checkpoint) {
  fs::path path(checkpoint);
  std::string directory = path.parent_path().string();
  std::optional<int64_t> own = stepOfName(path.filename().string());
  if (own)
    for (int64_t step : completeSteps(directory))
      if (step < *own)
        return directory + "/" + stepName(step);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

/// The slot's tensors under the names that they have in the file.
static std::vector<TensorRef> prefixed(const OptimizerSlot &slot) {
  std::vector<TensorRef> tensors = slot.tensors;
  for (TensorRef &tensor : tensors)
    tensor.mapping.file = slot.prefix + tensor.mapping.file;
  return tensors;
}

static std::vector<TensorRef>
optimizerTensors(const CheckpointTensors &tensors) {
  std::vector<TensorRef> all;
  for (const OptimizerSlot &slot : tensors.optimizer)
    for (TensorRef &tensor : prefixed(slot))
      all.push_back(std::move(tensor));
  return all;
}

static Status writeTensors(const std::string &path,
                           const std::vector<TensorRef> &tensors,
                           const std::vector<NamedShape> &shapes) {
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(path, shapes, FloatType::F32);
  if (!writer)
    return writer.takeStatus();
  for (const NamedShape &shape : shapes)
    if (Status written = scatter(shape.name, tensors, *writer); !written)
      return written;
  return writer->finish();
}

static Status writeFile(const std::string &path, const std::string &contents) {
  Expected<OutputFile> file = OutputFile::create(path, contents.size());
  if (!file)
    return file.takeStatus();
  if (Status written = file->write(contents); !written)
    return written;
  return file->finish();
}

static std::string stateText(const CheckpointState &state) {
  Json json = Json::object();
  json["format_version"] = CheckpointState::formatVersion;
  json["step"] = state.step;
  json["windows"] = state.windows;
  json["seed"] = state.seed;
  json["spec_hash"] = state.specHash;
  json["total_tokens"] = state.totalTokens;
  json["windows_per_epoch"] = state.windowsPerEpoch;
  return json.dump(1) + "\n";
}

Status CheckpointStore::save(const CheckpointState &state,
                             const CheckpointTensors &tensors,
                             const std::vector<CheckpointFile> &files) const {
  std::vector<TensorRef> optimizer = optimizerTensors(tensors);
  Expected<std::vector<NamedShape>> weightShapes = fileTensors(tensors.weights);
  if (!weightShapes)
    return weightShapes.takeStatus();
  Expected<std::vector<NamedShape>> optimizerShapes = fileTensors(optimizer);
  if (!optimizerShapes)
    return optimizerShapes.takeStatus();

  Expected<DirectoryCommit> aside = DirectoryCommit::begin(pathOf(state.step));
  if (!aside)
    return aside.takeStatus();
  uint64_t bytes =
      SafetensorsWriter::fileBytes(*weightShapes, FloatType::F32) +
      SafetensorsWriter::fileBytes(*optimizerShapes, FloatType::F32);
  if (Status room = checkFreeSpace(directory, bytes); !room)
    return room;

  auto pathIn = [&](const std::string &name) {
    return aside->path() + "/" + name;
  };
  Status status =
      writeTensors(pathIn(modelFile), tensors.weights, *weightShapes);
  if (status && !optimizer.empty())
    status = writeTensors(pathIn(optimizerFile), optimizer, *optimizerShapes);
  for (const CheckpointFile &file : files)
    if (status)
      status = writeFile(pathIn(file.name), file.contents);
  if (status)
    status = writeFile(pathIn(stateFile), stateText(state));
  if (status)
    status = aside->commit();
  if (status)
    removeOld(state.step);
  return status;
}

void CheckpointStore::removeOld(int64_t written) const {
  std::vector<int64_t> steps = completeSteps(directory);
  std::string suffix(DirectoryCommit::asideSuffix);
  for (size_t i = size_t(keep); i < steps.size(); ++i) {
    if (steps[i] == written)
      continue;
    // Renamed first: one that is half removed must not look complete.
    std::string path = pathOf(steps[i]);
    std::error_code code;
    fs::rename(path, path + suffix, code);
    if (!code)
      fs::remove_all(path + suffix, code);
  }
}

void CheckpointStore::removePartial(const std::string &directory) {
  std::vector<fs::path> found;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end;
       it.increment(code)) {
    std::string name = it->path().filename().string();
    if (name.ends_with(DirectoryCommit::asideSuffix) &&
        stepOfName(
            name.substr(0, name.size() - DirectoryCommit::asideSuffix.size())))
      found.push_back(it->path());
  }
  for (const fs::path &path : found)
    fs::remove_all(path, code);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static Expected<uint64_t> readCount(const Json &json, const char *key,
                                    const std::string &path) {
  if (json.is_object() && json.contains(key) && json[key].is_number_unsigned())
    return json[key].get<uint64_t>();
  return Status::error("'" + path + "': key '" + key +
                       "' is missing or not a number of 0 or more");
}

Expected<CheckpointState>
CheckpointStore::readState(const std::string &checkpoint) {
  std::string path = checkpoint + "/" + stateFile;
  Expected<Json> json = readJsonFile(path);
  if (!json)
    return json.takeStatus();
  Expected<int64_t> version = jsonInteger(*json, "format_version", path);
  if (!version)
    return version.takeStatus();
  if (*version != CheckpointState::formatVersion)
    return Status::error("'" + path + "': checkpoint format " +
                         std::to_string(*version) + ", expected " +
                         std::to_string(CheckpointState::formatVersion));
  Expected<int64_t> step = jsonInteger(*json, "step", path);
  Expected<uint64_t> windows = readCount(*json, "windows", path);
  Expected<uint64_t> seed = readCount(*json, "seed", path);
  Expected<std::string> hash = jsonString(*json, "spec_hash", path);
  Expected<uint64_t> tokens = readCount(*json, "total_tokens", path);
  Expected<uint64_t> epoch = readCount(*json, "windows_per_epoch", path);
  if (!step)
    return step.takeStatus();
  if (!windows)
    return windows.takeStatus();
  if (!seed)
    return seed.takeStatus();
  if (!hash)
    return hash.takeStatus();
  if (!tokens)
    return tokens.takeStatus();
  if (!epoch)
    return epoch.takeStatus();
  if (*step < 0)
    return Status::error("'" + path + "': step " + std::to_string(*step) +
                         ", expected 0 or more");
  return CheckpointState{*step, *windows, *seed, *hash, *tokens, *epoch};
}

Status CheckpointStore::load(const std::string &checkpoint,
                             const CheckpointTensors &tensors) {
  Expected<WeightsFile> weights =
      WeightsFile::open(checkpoint + "/" + modelFile);
  if (!weights)
    return weights.takeStatus();
  if (Status read = readTensors(*weights, "", tensors.weights); !read)
    return read;
  std::vector<TensorRef> optimizer = optimizerTensors(tensors);
  if (optimizer.empty())
    return Status::success();
  Expected<WeightsFile> state =
      WeightsFile::open(checkpoint + "/" + optimizerFile);
  if (!state)
    return state.takeStatus();
  return readTensors(*state, "", optimizer);
}

} // namespace llmc::rt

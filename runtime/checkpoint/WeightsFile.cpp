// Single files, shards, and the comparison with what a model needs.
#include "runtime/checkpoint/WeightsFile.h"

#include "runtime/base/Json.h"

#include <algorithm>
#include <filesystem>
#include <fnmatch.h>
#include <set>

namespace fs = std::filesystem;

namespace llmc::rt {

static bool isFile(const std::string &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

static bool isDirectory(const std::string &path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

Expected<WeightsFile> WeightsFile::open(const std::string &path,
                                        const std::string &optionalPrefix) {
  std::string file = path;
  if (isDirectory(path)) {
    file = path + "/model.safetensors";
    if (!isFile(file))
      file = path + "/model.safetensors.index.json";
    if (!isFile(file))
      return Status::error("directory '" + path +
                           "' holds neither model.safetensors nor "
                           "model.safetensors.index.json");
  }
  WeightsFile weights;
  weights.name = file;
  Status added = file.ends_with(".json")
                     ? weights.addIndex(file, optionalPrefix)
                     : weights.addFile(file, optionalPrefix);
  if (!added)
    return added;
  return weights;
}

static std::string dropPrefix(const std::string &name,
                              const std::string &prefix) {
  return !prefix.empty() && name.starts_with(prefix)
             ? name.substr(prefix.size())
             : name;
}

Status WeightsFile::addFile(const std::string &path,
                            const std::string &optionalPrefix) {
  Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.takeStatus();
  files.push_back(std::make_unique<SafetensorsFile>(std::move(*file)));
  for (const TensorEntry &entry : files.back()->tensors()) {
    std::string tensor = dropPrefix(entry.name, optionalPrefix);
    auto [other, added] = views.insert({tensor, {files.back().get(), &entry}});
    if (!added)
      return Status::error("tensor '" + tensor + "' is given twice: as '" +
                           other->second.entry->name + "' in '" +
                           other->second.file->path() + "' and as '" +
                           entry.name + "' in '" + path + "'");
  }
  return Status::success();
}

/// The shard that each tensor of an index should be in.
static Expected<std::map<std::string, std::string>>
readWeightMap(const std::string &path) {
  Expected<Json> index = readJsonFile(path);
  if (!index)
    return index.takeStatus();
  if (!index->is_object() || !index->contains("weight_map") ||
      !(*index)["weight_map"].is_object())
    return Status::error("'" + path + "': no map 'weight_map'");
  std::map<std::string, std::string> shards;
  for (auto &[tensor, shard] : (*index)["weight_map"].items()) {
    if (!shard.is_string())
      return Status::error("'" + path + "': the shard of a tensor is " +
                           shard.type_name() + ", expected a string");
    const std::string &file = shard.get_ref<const std::string &>();
    // An index may not reach outside of its directory.
    if (file.empty() || file.find('/') != std::string::npos)
      return Status::error("'" + path + "': shard '" + file +
                           "' is not the name of a file beside the index");
    shards[tensor] = file;
  }
  return shards;
}

Status WeightsFile::addIndex(const std::string &path,
                             const std::string &optionalPrefix) {
  Expected<std::map<std::string, std::string>> weightMap = readWeightMap(path);
  if (!weightMap)
    return weightMap.takeStatus();
  std::set<std::string> shards;
  for (auto &[tensor, shard] : *weightMap)
    shards.insert(shard);
  std::string directory = fs::path(path).parent_path().string();
  auto pathOf = [&](const std::string &shard) {
    return directory.empty() ? shard : directory + "/" + shard;
  };
  for (const std::string &shard : shards) {
    std::error_code ignored;
    if (!fs::exists(pathOf(shard), ignored))
      return Status::error("'" + path + "' names shard '" + shard +
                           "', which is missing");
    if (Status added = addFile(pathOf(shard), optionalPrefix); !added)
      return added;
  }
  for (auto &[tensor, shard] : *weightMap) {
    const WeightView *view = find(dropPrefix(tensor, optionalPrefix));
    if (!view || view->file->path() != pathOf(shard))
      return Status::error("'" + path + "' places tensor '" + tensor +
                           "' in shard '" + shard +
                           "', which has no such "
                           "tensor");
  }
  return Status::success();
}

const WeightView *WeightsFile::find(const std::string &tensor) const {
  auto it = views.find(tensor);
  return it == views.end() ? nullptr : &it->second;
}

static bool matchesAny(const std::string &name,
                       const std::vector<std::string> &patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string &pattern) {
                       return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
                     });
}

Status WeightsFile::check(const std::vector<NamedShape> &wanted,
                          const std::vector<std::string> &buffers) const {
  std::string missing, extra, wrong;
  int64_t missingCount = 0, extraCount = 0, wrongCount = 0;
  std::set<std::string> names;
  for (const NamedShape &tensor : wanted) {
    names.insert(tensor.name);
    const WeightView *view = find(tensor.name);
    if (!view) {
      missing += "\n  missing: " + tensor.name + " " + shapeText(tensor.shape);
      ++missingCount;
    } else if (view->entry->shape != tensor.shape) {
      wrong += "\n  shape: " + tensor.name + " " +
               shapeText(view->entry->shape) + ", expected " +
               shapeText(tensor.shape);
      ++wrongCount;
    } else if (!view->entry->dtype->floatType) {
      wrong += "\n  dtype: " + tensor.name + " " +
               std::string(view->entry->dtype->name) +
               ", expected F32, F64, F16 or BF16";
      ++wrongCount;
    }
  }
  for (auto &[tensor, view] : views)
    if (!names.count(tensor) && !matchesAny(tensor, buffers)) {
      extra += "\n  extra: " + tensor + " " + shapeText(view.entry->shape);
      ++extraCount;
    }
  if (missingCount + extraCount + wrongCount == 0)
    return Status::success();
  return Status::error("'" + name + "' does not hold the tensors of the " +
                       "model: " + std::to_string(missingCount) + " missing, " +
                       std::to_string(extraCount) + " extra, " +
                       std::to_string(wrongCount) +
                       " of another shape or type" + missing + extra + wrong);
}

const std::vector<std::string> &gpt2Buffers() {
  static const std::vector<std::string> buffers = {"*.attn.bias",
                                                   "*.attn.masked_bias"};
  return buffers;
}

} // namespace llmc::rt

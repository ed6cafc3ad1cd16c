// One file, or shards and their index.
#include "runtime/checkpoint/Export.h"

#include "runtime/base/Json.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace llmc::rt {

/// Tensors in the order of their names, cut into groups of at most `limit`
/// bytes.
static std::vector<std::vector<NamedShape>>
formShards(const WeightsFile &weights, FloatType type, uint64_t limit) {
  std::vector<std::vector<NamedShape>> shards(1);
  uint64_t bytes = 0;
  for (auto &[name, view] : weights.tensors()) {
    uint64_t size = view.entry->elements * floatTypeBytes(type);
    if (!shards.back().empty() && bytes + size > limit) {
      shards.emplace_back();
      bytes = 0;
    }
    shards.back().push_back({name, view.entry->shape});
    bytes += size;
  }
  return shards;
}

static Status writeTensors(const WeightsFile &weights, const std::string &path,
                           const std::vector<NamedShape> &tensors,
                           FloatType type) {
  Expected<SafetensorsWriter> writer =
      SafetensorsWriter::create(path, tensors, type);
  if (!writer)
    return writer.takeStatus();
  std::vector<float> chunk(1 << 16);
  for (const NamedShape &tensor : tensors) {
    const WeightView &view = *weights.find(tensor.name);
    for (uint64_t at = 0; at < view.entry->elements; at += chunk.size()) {
      uint64_t n = std::min<uint64_t>(chunk.size(), view.entry->elements - at);
      view.read(at, n, chunk.data());
      if (Status written = writer->write(chunk.data(), n); !written)
        return written;
    }
  }
  return writer->finish();
}

/// Complete or absent, as what is replaced may be what is read.
static Status writeShard(const WeightsFile &weights, const std::string &path,
                         const std::vector<NamedShape> &tensors,
                         FloatType type) {
  std::string aside = path + std::string(DirectoryCommit::asideSuffix);
  Status written = writeTensors(weights, aside, tensors, type);
  if (written && ::rename(aside.c_str(), path.c_str()) != 0)
    written = systemError("write", path);
  if (!written)
    ::unlink(aside.c_str());
  return written;
}

Status exportWeights(const WeightsFile &weights, const std::string &directory,
                     FloatType type, uint64_t limit) {
  for (auto &[name, view] : weights.tensors())
    if (!view.entry->dtype->floatType)
      return Status::error("'" + view.file->path() + "': tensor '" + name +
                           "' is " + std::string(view.entry->dtype->name) +
                           ", expected F32, F64, F16 or BF16");
  if (Status created = createDirectories(directory); !created)
    return created;
  std::vector<std::vector<NamedShape>> shards =
      formShards(weights, type, limit);
  if (shards.size() == 1)
    return writeShard(weights, directory + "/model.safetensors", shards[0],
                      type);

  Json weightMap = Json::object();
  uint64_t total = 0;
  for (size_t i = 0; i < shards.size(); ++i) {
    char name[64];
    std::snprintf(name, sizeof(name), "model-%05zu-of-%05zu.safetensors", i + 1,
                  shards.size());
    for (const NamedShape &tensor : shards[i]) {
      weightMap[tensor.name] = name;
      total += tensor.elements() * floatTypeBytes(type);
    }
    if (Status written =
            writeShard(weights, directory + "/" + name, shards[i], type);
        !written)
      return written;
  }
  Json index = Json::object();
  index["metadata"] = {{"total_size", total}};
  index["weight_map"] = std::move(weightMap);
  // Readers prefer a single file, which would be another export's.
  std::error_code ignored;
  std::filesystem::remove(directory + "/model.safetensors", ignored);
  return writeFileAtomically(directory + "/model.safetensors.index.json",
                             index.dump(2) + "\n");
}

} // namespace llmc::rt

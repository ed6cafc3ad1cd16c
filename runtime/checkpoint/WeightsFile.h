// Weights by name from one safetensors file, an index with its shards, or the
// directory of either.
#ifndef LLMC_RUNTIME_CHECKPOINT_WEIGHTSFILE_H
#define LLMC_RUNTIME_CHECKPOINT_WEIGHTSFILE_H

#include "runtime/checkpoint/SafetensorsFile.h"
#include "runtime/checkpoint/SafetensorsWriter.h"

#include <map>

namespace llmc::rt {

/// Where a tensor of the model is.
struct WeightView {
  const SafetensorsFile *file;
  const TensorEntry *entry;

  void read(uint64_t first, uint64_t n, float *out) const {
    file->read(*entry, first, n, out);
  }
};

class WeightsFile {
public:
  /// Opens a .safetensors file, a .json index with all its shards, or a
  /// directory that holds model.safetensors or model.safetensors.index.json.
  /// `optionalPrefix` is dropped from the names that have it.
  static Expected<WeightsFile> open(const std::string &path,
                                    const std::string &optionalPrefix = "");

  const std::string &path() const { return name; }
  /// By name, without the prefix.
  const std::map<std::string, WeightView> &tensors() const { return views; }
  const WeightView *find(const std::string &tensor) const;

  /// Succeeds if the file holds exactly the wanted tensors, in their shapes and
  /// with float elements. Names that match one of `buffers` (with `*`) are not
  /// weights and may be there. All that differs is in the one message.
  Status check(const std::vector<NamedShape> &wanted,
               const std::vector<std::string> &buffers = {}) const;

private:
  Status addFile(const std::string &path, const std::string &optionalPrefix);
  Status addIndex(const std::string &path, const std::string &optionalPrefix);

  std::string name;
  /// Behind pointers: views stay valid when the list grows or moves.
  std::vector<std::unique_ptr<SafetensorsFile>> files;
  std::map<std::string, WeightView> views;
};

/// Buffers that older files of GPT-2 carry beside the weights.
const std::vector<std::string> &gpt2Buffers();

} // namespace llmc::rt

#endif // LLMC_RUNTIME_CHECKPOINT_WEIGHTSFILE_H

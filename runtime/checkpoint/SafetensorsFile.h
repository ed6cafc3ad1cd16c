// Reads tensors of a safetensors file as floats.
#ifndef LLMC_RUNTIME_CHECKPOINT_SAFETENSORSFILE_H
#define LLMC_RUNTIME_CHECKPOINT_SAFETENSORSFILE_H

#include "runtime/base/File.h"
#include "runtime/checkpoint/SafetensorsHeader.h"

namespace llmc::rt {

class SafetensorsFile {
public:
  /// Maps the file and checks all of its header, see parseSafetensorsHeader.
  static Expected<SafetensorsFile> open(const std::string &path);

  const std::string &path() const { return file.path(); }
  /// Sorted by name.
  const std::vector<TensorEntry> &tensors() const { return entries; }
  const TensorEntry *find(std::string_view name) const;

  /// Elements [first, first + n) of an entry of this file, which must be of a
  /// float type and have them.
  void read(const TensorEntry &entry, uint64_t first, uint64_t n,
            float *out) const;

private:
  SafetensorsFile(MappedFile file, std::vector<TensorEntry> entries,
                  uint64_t dataStart)
      : file(std::move(file)), entries(std::move(entries)),
        dataStart(dataStart) {}

  MappedFile file;
  std::vector<TensorEntry> entries;
  uint64_t dataStart;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_CHECKPOINT_SAFETENSORSFILE_H

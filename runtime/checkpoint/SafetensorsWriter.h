// A safetensors file written tensor by tensor, without a copy of the whole.
#ifndef LLMC_RUNTIME_CHECKPOINT_SAFETENSORSWRITER_H
#define LLMC_RUNTIME_CHECKPOINT_SAFETENSORSWRITER_H

#include "runtime/base/File.h"
#include "runtime/checkpoint/SafetensorsHeader.h"

namespace llmc::rt {

struct NamedShape {
  std::string name;
  Shape shape;

  uint64_t elements() const;
};

/// The header is padded with spaces, so that the data begins at a multiple of 8
/// bytes; its metadata is {"format": "pt"}, which loaders ask for.
class SafetensorsWriter {
public:
  /// Creates the file with tensors in this order, all of one type.
  static Expected<SafetensorsWriter>
  create(const std::string &path, const std::vector<NamedShape> &tensors,
         FloatType type);

  /// The bytes that such a file has.
  static uint64_t fileBytes(const std::vector<NamedShape> &tensors,
                            FloatType type);

  /// Appends elements; those of one tensor follow those of the one before.
  Status write(const float *values, uint64_t n);

  /// Flushes to the disk. All elements must have been written.
  Status finish();

private:
  SafetensorsWriter(OutputFile file, FloatType type, uint64_t elements)
      : file(std::move(file)), type(type), missing(elements) {}

  OutputFile file;
  FloatType type;
  /// Elements that are still to be written.
  uint64_t missing;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_CHECKPOINT_SAFETENSORSWRITER_H

// The table of tensors of a safetensors file, checked against hostile input.
#ifndef LLMC_RUNTIME_CHECKPOINT_SAFETENSORSHEADER_H
#define LLMC_RUNTIME_CHECKPOINT_SAFETENSORSHEADER_H

#include "runtime/base/Status.h"
#include "runtime/checkpoint/DType.h"

#include <string>
#include <vector>

namespace llmc::rt {

using Shape = std::vector<int64_t>;

/// "[768, 3072]".
std::string shapeText(const Shape &shape);

struct TensorEntry {
  std::string name;
  const DType *dtype = nullptr;
  Shape shape;
  /// In the data behind the header.
  uint64_t begin = 0, end = 0;
  uint64_t elements = 0;
};

/// Parses the JSON of a header; `dataBytes` is what the file holds behind it.
/// Checked are the grammar, names given twice, sizes against types and shapes,
/// and that the tensors cover the data without a hole or an overlap. `path` is
/// for messages. The result is sorted by name.
Expected<std::vector<TensorEntry>>
parseSafetensorsHeader(std::string_view json, uint64_t dataBytes,
                       const std::string &path);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_CHECKPOINT_SAFETENSORSHEADER_H

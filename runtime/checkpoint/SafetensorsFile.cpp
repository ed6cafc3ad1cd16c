// The frame of the file, and reads by name.
#include "runtime/checkpoint/SafetensorsFile.h"

#include <algorithm>
#include <cstring>

namespace llmc::rt {

static constexpr uint64_t lengthBytes = 8;
static constexpr uint64_t maxHeaderBytes = 100'000'000;

Expected<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  Expected<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.takeStatus();
  auto failure = [&](const std::string &message) {
    return Status::error("'" + path + "': " + message);
  };
  uint64_t size = mapped->size(), header;
  if (size < lengthBytes)
    return failure(std::to_string(size) +
                   " bytes, expected at least the 8 of a safetensors file");
  std::memcpy(&header, mapped->data(), lengthBytes);
  if (header > maxHeaderBytes)
    return failure(
        "a header of " + std::to_string(header) + " bytes, expected at most " +
        std::to_string(maxHeaderBytes) + ": this is no safetensors file");
  if (header > size - lengthBytes)
    return failure("the file is truncated: a header of " +
                   std::to_string(header) + " bytes in a file of " +
                   std::to_string(size));
  uint64_t dataStart = lengthBytes + header;
  Expected<std::vector<TensorEntry>> entries = parseSafetensorsHeader(
      mapped->text().substr(lengthBytes, header), size - dataStart, path);
  if (!entries)
    return entries.takeStatus();
  return SafetensorsFile(std::move(*mapped), std::move(*entries), dataStart);
}

const TensorEntry *SafetensorsFile::find(std::string_view name) const {
  auto it =
      std::lower_bound(entries.begin(), entries.end(), name,
                       [](const TensorEntry &entry, std::string_view key) {
                         return entry.name < key;
                       });
  return it != entries.end() && it->name == name ? &*it : nullptr;
}

void SafetensorsFile::read(const TensorEntry &entry, uint64_t first, uint64_t n,
                           float *out) const {
  FloatType type = *entry.dtype->floatType;
  const uint8_t *from = file.data() + dataStart + entry.begin;
  toFloats(type, from + first * floatTypeBytes(type), n, out);
}

} // namespace llmc::rt

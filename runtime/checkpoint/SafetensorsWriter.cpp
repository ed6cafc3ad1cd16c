// The header, then the elements as they come.
#include "runtime/checkpoint/SafetensorsWriter.h"

#include "runtime/base/Json.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace llmc::rt {

uint64_t NamedShape::elements() const {
  uint64_t product = 1;
  for (int64_t size : shape)
    product *= uint64_t(size);
  return product;
}

/// The length field and the padded JSON.
static std::string makeHeader(const std::vector<NamedShape> &tensors,
                              FloatType type) {
  Json header = Json::object();
  header["__metadata__"] = {{"format", "pt"}};
  uint64_t at = 0;
  for (const NamedShape &tensor : tensors) {
    uint64_t end = at + tensor.elements() * floatTypeBytes(type);
    Json entry = Json::object();
    entry["dtype"] = std::string(floatTypeName(type));
    entry["shape"] = tensor.shape;
    entry["data_offsets"] = {at, end};
    header.push_back({tensor.name, std::move(entry)});
    at = end;
  }
  std::string json = dumpJson(header);
  json.append((8 - json.size() % 8) % 8, ' ');
  uint64_t length = json.size();
  std::string text(8, '\0');
  std::memcpy(text.data(), &length, 8);
  return text + json;
}

static uint64_t countElements(const std::vector<NamedShape> &tensors) {
  uint64_t sum = 0;
  for (const NamedShape &tensor : tensors)
    sum += tensor.elements();
  return sum;
}

uint64_t SafetensorsWriter::fileBytes(const std::vector<NamedShape> &tensors,
                                      FloatType type) {
  return makeHeader(tensors, type).size() +
         countElements(tensors) * floatTypeBytes(type);
}

Expected<SafetensorsWriter>
SafetensorsWriter::create(const std::string &path,
                          const std::vector<NamedShape> &tensors,
                          FloatType type) {
  Expected<OutputFile> file =
      OutputFile::create(path, fileBytes(tensors, type));
  if (!file)
    return file.takeStatus();
  if (Status written = file->write(makeHeader(tensors, type)); !written)
    return written;
  return SafetensorsWriter(std::move(*file), type, countElements(tensors));
}

Status SafetensorsWriter::write(const float *values, uint64_t n) {
  if (n > missing)
    return Status::error("internal: more elements than the header names");
  missing -= n;
  if (type == FloatType::F32)
    return file.write(values, n * sizeof(float));
  std::array<uint8_t, 65536> buffer;
  uint64_t perBuffer = buffer.size() / floatTypeBytes(type);
  while (n > 0) {
    uint64_t now = std::min(n, perBuffer);
    fromFloats(type, values, now, buffer.data());
    if (Status written = file.write(buffer.data(), now * floatTypeBytes(type));
        !written)
      return written;
    values += now;
    n -= now;
  }
  return Status::success();
}

Status SafetensorsWriter::finish() {
  if (missing != 0)
    return Status::error("internal: " + std::to_string(missing) +
                         " elements of the header were not written");
  return file.finish();
}

} // namespace llmc::rt

// Safetensors files, good and bad, and mapped tensors.
#ifndef LLMC_TEST_UNIT_RUNTIMECHECKPOINT_TENSORS_H
#define LLMC_TEST_UNIT_RUNTIMECHECKPOINT_TENSORS_H

#include "runtime/checkpoint/TensorMapping.h"

#include "test/Unit/RuntimeBase/TempFiles.h"

#include <numeric>

namespace llmc::rt {

/// The bytes of a file with this header and that much data.
inline std::string rawSafetensors(const std::string &header,
                                  const std::string &data) {
  return bytesOf<uint64_t>({header.size()}) + header + data;
}

struct TestTensor {
  NamedShape shape;
  std::vector<float> values;
};

inline TestTensor countingTensor(const std::string &name, const Shape &shape,
                                 float first = 0) {
  TestTensor tensor{{name, shape}, {}};
  tensor.values.resize(tensor.shape.elements());
  std::iota(tensor.values.begin(), tensor.values.end(), first);
  return tensor;
}

/// Writes a file with the writer under test.
inline std::string writeTensors(const std::string &path,
                                const std::vector<TestTensor> &tensors,
                                FloatType type = FloatType::F32) {
  std::vector<NamedShape> shapes;
  for (const TestTensor &tensor : tensors)
    shapes.push_back(tensor.shape);
  auto writer = SafetensorsWriter::create(path, shapes, type);
  EXPECT_TRUE(writer) << writer.message();
  for (const TestTensor &tensor : tensors)
    EXPECT_TRUE(writer->write(tensor.values.data(), tensor.values.size()).ok());
  EXPECT_TRUE(writer->finish().ok());
  return path;
}

inline std::vector<float> readValues(const WeightsFile &weights,
                                     const std::string &name) {
  const WeightView *view = weights.find(name);
  if (!view)
    return {};
  std::vector<float> values(view->entry->elements);
  view->read(0, values.size(), values.data());
  return values;
}

/// A tensor in memory that owns its elements.
struct MemoryTensor {
  TensorMapping mapping;
  std::vector<float> values;

  MemoryTensor(TensorMapping mapping, float first = 0)
      : mapping(std::move(mapping)), values(size_t(this->mapping.elements())) {
    std::iota(values.begin(), values.end(), first);
  }
  TensorRef ref() { return {mapping, values.data()}; }
};

} // namespace llmc::rt

#endif // LLMC_TEST_UNIT_RUNTIMECHECKPOINT_TENSORS_H

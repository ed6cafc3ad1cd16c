// Memory to file and back, and initial values that do not see the layout.
#include "runtime/checkpoint/TensorMapping.h"

#include "runtime/base/Philox.h"
#include "test/Unit/RuntimeCheckpoint/Tensors.h"

#include <algorithm>

namespace llmc::rt {
namespace {

/// q, k and v of two rows each, three columns, in one file tensor.
std::vector<MemoryTensor> makeSlices(bool transposed) {
  Shape shape = transposed ? Shape{3, 6} : Shape{6, 3};
  std::vector<MemoryTensor> slices;
  for (int64_t i = 0; i < 3; ++i)
    slices.emplace_back(TensorMapping{"qkv", shape, transposed, 2 * i, 2, 3},
                        10.0f * float(i));
  return slices;
}

std::vector<TensorRef> refs(std::vector<MemoryTensor> &tensors) {
  std::vector<TensorRef> result;
  for (MemoryTensor &tensor : tensors)
    result.push_back(tensor.ref());
  return result;
}

/// Scatters into a file; returns the file.
Expected<WeightsFile> scatterAll(const TempDir &dir,
                                 const std::vector<TensorRef> &tensors) {
  auto shapes = fileTensors(tensors);
  EXPECT_TRUE(shapes) << shapes.message();
  auto writer =
      SafetensorsWriter::create(dir.path("f"), *shapes, FloatType::F32);
  for (const NamedShape &shape : *shapes)
    EXPECT_TRUE(scatter(shape.name, tensors, *writer).ok());
  EXPECT_TRUE(writer->finish().ok());
  return WeightsFile::open(dir.path("f"));
}

TEST(TensorMapping, FlatIndices) {
  TensorMapping plain{"w", {6, 3}, false, 2, 2, 3};
  EXPECT_EQ(plain.fileIndexOf(0), 6);
  EXPECT_EQ(plain.fileIndexOf(5), 11);
  TensorMapping transposed{"w", {3, 6}, true, 2, 2, 3};
  EXPECT_EQ(transposed.fileIndexOf(0), 2);
  EXPECT_EQ(transposed.fileIndexOf(1), 8);
  EXPECT_EQ(transposed.fileIndexOf(3), 3);
  TensorMapping vector{"b", {6}, false, 4, 2, 1};
  EXPECT_EQ(vector.fileIndexOf(1), 5);
}

TEST(TensorMapping, ChecksItsSlice) {
  EXPECT_TRUE((TensorMapping{"w", {6, 3}, false, 4, 2, 3}.check().ok()));
  EXPECT_TRUE((TensorMapping{"w", {3, 6}, true, 4, 2, 3}.check().ok()));
  EXPECT_TRUE((TensorMapping{"w", {6}, false, 4, 2, 1}.check().ok()));
  EXPECT_EQ((TensorMapping{"w", {6, 3}, false, 5, 2, 3}.check().message()),
            "rows 5 to 5 + 2 of 3 columns do not lie in tensor 'w' [6, 3]");
  EXPECT_FALSE((TensorMapping{"w", {6, 3}, true, 0, 2, 3}.check().ok()));
  EXPECT_FALSE((TensorMapping{"w", {6}, true, 0, 2, 1}.check().ok()));
  EXPECT_FALSE((TensorMapping{"w", {6}, false, 0, 2, 2}.check().ok()));
  EXPECT_FALSE((TensorMapping{"w", {6, 3, 1}, false, 0, 2, 3}.check().ok()));
  EXPECT_FALSE((TensorMapping{"w", {6, 3}, false, -1, 2, 3}.check().ok()));
  EXPECT_FALSE((TensorMapping{"w", {6, 3}, false, 0, 0, 3}.check().ok()));
  EXPECT_FALSE((TensorMapping{"w", {}, false, 0, 1, 1}.check().ok()));
  EXPECT_FALSE(
      (TensorMapping{"w", {6, 3}, false, INT64_MAX, 2, 3}.check().ok()));
}

TEST(TensorMapping, ScattersPlainSlices) {
  TempDir dir;
  auto slices = makeSlices(false);
  auto weights = scatterAll(dir, refs(slices));
  ASSERT_TRUE(weights) << weights.message();
  EXPECT_EQ(weights->find("qkv")->entry->shape, (Shape{6, 3}));
  EXPECT_EQ(readValues(*weights, "qkv"),
            (std::vector<float>{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 20,
                                21, 22, 23, 24, 25}));
}

TEST(TensorMapping, ScattersTransposedSlices) {
  TempDir dir;
  auto slices = makeSlices(true);
  auto weights = scatterAll(dir, refs(slices));
  ASSERT_TRUE(weights) << weights.message();
  EXPECT_EQ(readValues(*weights, "qkv"),
            (std::vector<float>{0, 3, 10, 13, 20, 23, 1, 4, 11, 14, 21, 24, 2,
                                5, 12, 15, 22, 25}));
}

TEST(TensorMapping, GathersWhatItScattered) {
  TempDir dir;
  for (bool transposed : {false, true}) {
    auto slices = makeSlices(transposed);
    auto weights = scatterAll(dir, refs(slices));
    auto loaded = slices;
    for (MemoryTensor &tensor : loaded)
      std::fill(tensor.values.begin(), tensor.values.end(), -1.0f);
    ASSERT_TRUE(readTensors(*weights, "", refs(loaded)).ok());
    for (size_t i = 0; i < slices.size(); ++i)
      EXPECT_EQ(loaded[i].values, slices[i].values);
  }
}

TEST(TensorMapping, TheOrderOfTheSlicesDoesNotMatter) {
  TempDir dir;
  auto slices = makeSlices(false);
  std::reverse(slices.begin(), slices.end());
  auto weights = scatterAll(dir, refs(slices));
  EXPECT_EQ(readValues(*weights, "qkv").front(), 0);
}

TEST(TensorMapping, SlicesThatDoNotCoverAreRefused) {
  auto slices = makeSlices(false);
  slices.erase(slices.begin() + 1);
  EXPECT_EQ(fileTensors(refs(slices)).message(),
            "the slices of tensor 'qkv' do not cover its 6 rows exactly once");
}

TEST(TensorMapping, SlicesThatOverlapAreRefused) {
  auto slices = makeSlices(false);
  slices.push_back(slices[1]);
  EXPECT_FALSE(fileTensors(refs(slices)));
}

TEST(TensorMapping, SlicesThatDisagreeAreRefused) {
  auto slices = makeSlices(false);
  slices[1] = makeSlices(true)[1];
  EXPECT_EQ(fileTensors(refs(slices)).message(),
            "the slices of tensor 'qkv' disagree about its shape or layout");
}

TEST(TensorMapping, ReadingReportsAllThatDiffers) {
  TempDir dir;
  auto weights = WeightsFile::open(
      writeTensors(dir.path("f"), {countingTensor("qkv", {5, 3})}));
  auto slices = makeSlices(false);
  Status status = readTensors(*weights, "", refs(slices));
  EXPECT_TRUE(contains(status.message(), "shape: qkv [5, 3], expected [6, 3]"))
      << status.message();
  EXPECT_EQ(slices[0].values[1], 1); // Nothing was read.
}

TEST(InitialiseNormal, ValuesDependOnTheFileTensorAlone) {
  // The same file tensor, once whole and once in slices of its transpose.
  TensorMapping whole{"w", {3, 6}, false, 0, 3, 6};
  std::vector<float> file(18);
  initialiseNormal(whole, 4, 0.02, file.data());
  for (size_t e = 0; e < 18; ++e)
    EXPECT_EQ(file[e], float(0.02 * normalAt(4, hashName("w"), e)));
  for (int64_t offset : {0, 2, 4}) {
    TensorMapping slice{"w", {3, 6}, true, offset, 2, 3};
    std::vector<float> values(6);
    initialiseNormal(slice, 4, 0.02, values.data());
    for (int64_t o = 0; o < 2; ++o)
      for (int64_t i = 0; i < 3; ++i)
        EXPECT_EQ(values[size_t(o * 3 + i)], file[size_t(i * 6 + offset + o)]);
  }
}

} // namespace
} // namespace llmc::rt

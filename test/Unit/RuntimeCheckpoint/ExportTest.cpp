// Single files and shards.
#include "runtime/checkpoint/Export.h"

#include "test/Unit/RuntimeCheckpoint/Tensors.h"

namespace fs = std::filesystem;

namespace llmc::rt {
namespace {

Expected<WeightsFile> makeWeights(const TempDir &dir) {
  return WeightsFile::open(
      writeTensors(dir.path("w"),
                   {countingTensor("c", {100000}),
                    countingTensor("a", {2, 3}, 5), countingTensor("b", {4})}));
}

TEST(Export, WritesOneFile) {
  TempDir dir;
  auto weights = makeWeights(dir);
  ASSERT_TRUE(exportWeights(*weights, dir.path("out"), FloatType::F32).ok());
  auto exported = WeightsFile::open(dir.path("out"));
  ASSERT_TRUE(exported) << exported.message();
  EXPECT_EQ(exported->tensors().size(), 3u);
  for (const char *name : {"a", "b", "c"})
    EXPECT_EQ(readValues(*exported, name), readValues(*weights, name));
}

TEST(Export, ConvertsTheType) {
  TempDir dir;
  auto weights = makeWeights(dir);
  ASSERT_TRUE(exportWeights(*weights, dir.path("out"), FloatType::BF16).ok());
  auto exported = WeightsFile::open(dir.path("out"));
  EXPECT_EQ(exported->find("a")->entry->dtype->name, "BF16");
  EXPECT_EQ(readValues(*exported, "a"), readValues(*weights, "a"));
}

TEST(Export, ShardsAboveTheLimit) {
  TempDir dir;
  auto weights = makeWeights(dir);
  ASSERT_TRUE(
      exportWeights(*weights, dir.path("out"), FloatType::F32, 40).ok());
  EXPECT_FALSE(fs::exists(dir.path("out/model.safetensors")));
  EXPECT_TRUE(fs::exists(dir.path("out/model-00001-of-00002.safetensors")));
  auto exported = WeightsFile::open(dir.path("out"));
  ASSERT_TRUE(exported) << exported.message();
  EXPECT_TRUE(exported->path().ends_with(".index.json"));
  EXPECT_EQ(readValues(*exported, "c"), readValues(*weights, "c"));
  EXPECT_TRUE(contains(readText(exported->path()), "\"total_size\": 400040"));
}

TEST(Export, ADirectoryThatCannotBeMadeIsNamed) {
  TempDir dir;
  auto weights = makeWeights(dir);
  Status status = exportWeights(*weights, dir.path("w/out"), FloatType::F32);
  EXPECT_EQ(status.message(), "cannot create directory '" + dir.path("w/out") +
                                  "': Not a directory");
}

} // namespace
} // namespace llmc::rt

// Files, shards and directories, and the list of what differs.
#include "runtime/checkpoint/WeightsFile.h"

#include "test/Unit/RuntimeCheckpoint/Tensors.h"

namespace fs = std::filesystem;

namespace llmc::rt {
namespace {

/// Two shards and their index.
std::string writeSharded(const TempDir &dir, const std::string &index) {
  writeTensors(dir.path("one.safetensors"), {countingTensor("a", {2})});
  writeTensors(dir.path("two.safetensors"), {countingTensor("b", {3}, 10)});
  return dir.write("model.safetensors.index.json", index);
}

constexpr const char *goodIndex = R"({"metadata": {"total_size": 20},
  "weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})";

TEST(WeightsFile, OpensASingleFile) {
  TempDir dir;
  writeTensors(dir.path("w.safetensors"), {countingTensor("a", {2, 2})});
  auto weights = WeightsFile::open(dir.path("w.safetensors"));
  ASSERT_TRUE(weights) << weights.message();
  EXPECT_EQ(readValues(*weights, "a"), (std::vector<float>{0, 1, 2, 3}));
}

TEST(WeightsFile, OpensADirectory) {
  TempDir dir;
  writeTensors(dir.path("model.safetensors"), {countingTensor("a", {2})});
  auto weights = WeightsFile::open(dir.path());
  ASSERT_TRUE(weights) << weights.message();
  EXPECT_EQ(weights->path(), dir.path("model.safetensors"));
}

TEST(WeightsFile, OpensShardsByIndexAndByDirectory) {
  TempDir dir;
  std::string index = writeSharded(dir, goodIndex);
  for (const std::string &path : {index, dir.path()}) {
    auto weights = WeightsFile::open(path);
    ASSERT_TRUE(weights) << weights.message();
    EXPECT_EQ(readValues(*weights, "a"), (std::vector<float>{0, 1}));
    EXPECT_EQ(readValues(*weights, "b"), (std::vector<float>{10, 11, 12}));
  }
}

TEST(WeightsFile, DropsAnOptionalPrefix) {
  TempDir dir;
  writeTensors(dir.path("f"), {countingTensor("transformer.wte", {2}),
                               countingTensor("lm_head", {1})});
  auto weights = WeightsFile::open(dir.path("f"), "transformer.");
  ASSERT_TRUE(weights) << weights.message();
  EXPECT_TRUE(weights->find("wte"));
  EXPECT_TRUE(weights->find("lm_head"));
  EXPECT_TRUE(weights->check({{"wte", {2}}, {"lm_head", {1}}}).ok());
}

TEST(WeightsFile, ANameWithAndWithoutThePrefixIsRefused) {
  TempDir dir;
  writeTensors(dir.path("f"), {countingTensor("transformer.wte", {2}),
                               countingTensor("wte", {2})});
  std::string message =
      WeightsFile::open(dir.path("f"), "transformer.").message();
  EXPECT_TRUE(contains(message, "tensor 'wte' is given twice")) << message;
}

TEST(WeightsFile, ADirectoryWithoutWeightsIsRefused) {
  TempDir dir;
  EXPECT_EQ(WeightsFile::open(dir.path()).message(),
            "directory '" + dir.path() +
                "' holds neither model.safetensors nor "
                "model.safetensors.index.json");
}

TEST(WeightsFile, AMissingShardIsNamed) {
  TempDir dir;
  std::string index = writeSharded(dir, goodIndex);
  fs::remove(dir.path("two.safetensors"));
  EXPECT_EQ(WeightsFile::open(index).message(),
            "'" + index + "' names shard 'two.safetensors', which is missing");
}

TEST(WeightsFile, ATensorThatItsShardLacksIsNamed) {
  TempDir dir;
  std::string index =
      writeSharded(dir, R"({"weight_map": {"a": "one.safetensors",
                              "b": "one.safetensors"}})");
  EXPECT_EQ(WeightsFile::open(index).message(),
            "'" + index +
                "' places tensor 'b' in shard 'one.safetensors', which has no "
                "such tensor");
}

TEST(WeightsFile, AnIndexMayNotLeaveItsDirectory) {
  TempDir dir;
  std::string index =
      writeSharded(dir, R"({"weight_map": {"a": "../one.safetensors"}})");
  EXPECT_EQ(WeightsFile::open(index).message(),
            "'" + index +
                "': shard '../one.safetensors' is not the name of a file "
                "beside the index");
}

TEST(WeightsFile, AnIndexWithoutAMapIsRefused) {
  TempDir dir;
  for (const char *text : {"{}", "[]", R"({"weight_map": 3})"}) {
    std::string index = writeSharded(dir, text);
    EXPECT_EQ(WeightsFile::open(index).message(),
              "'" + index + "': no map 'weight_map'");
  }
}

TEST(WeightsFile, ATensorInTwoShardsIsRefused) {
  TempDir dir;
  std::string index = writeSharded(dir, goodIndex);
  writeTensors(dir.path("two.safetensors"),
               {countingTensor("a", {2}), countingTensor("b", {3})});
  EXPECT_TRUE(contains(WeightsFile::open(index).message(),
                       "tensor 'a' is given twice"));
}

TEST(WeightsCheck, AllThatDiffersIsListed) {
  TempDir dir;
  writeTensors(dir.path("f"),
               {countingTensor("good", {2}), countingTensor("renamed", {2, 3}),
                countingTensor("shape", {3, 2}), countingTensor("more", {})});
  auto weights = WeightsFile::open(dir.path("f"));
  Status status = weights->check(
      {{"good", {2}}, {"name", {2, 3}}, {"gone", {1}}, {"shape", {2, 3}}});
  EXPECT_EQ(status.message(),
            "'" + dir.path("f") +
                "' does not hold the tensors of the model: 2 missing, 2 "
                "extra, 1 of another shape or type\n"
                "  missing: name [2, 3]\n"
                "  missing: gone [1]\n"
                "  extra: more []\n"
                "  extra: renamed [2, 3]\n"
                "  shape: shape [3, 2], expected [2, 3]");
}

TEST(WeightsCheck, BuffersAreNotExtra) {
  TempDir dir;
  writeTensors(dir.path("f"), {countingTensor("h.0.attn.bias", {1, 1, 4, 4}),
                               countingTensor("h.0.attn.masked_bias", {}),
                               countingTensor("h.0.attn.c_attn.bias", {6})});
  auto weights = WeightsFile::open(dir.path("f"));
  EXPECT_TRUE(
      weights->check({{"h.0.attn.c_attn.bias", {6}}}, gpt2Buffers()).ok());
  // The bias of a projection is a weight.
  Status status = weights->check({}, gpt2Buffers());
  EXPECT_TRUE(contains(status.message(), "0 missing, 1 extra"));
  EXPECT_TRUE(contains(status.message(), "extra: h.0.attn.c_attn.bias [6]"));
}

TEST(WeightsCheck, IntegersAreNoWeights) {
  TempDir dir;
  dir.write("f", rawSafetensors(R"({"a":{"dtype":"I64","shape":[1],)"
                                R"("data_offsets":[0,8]}})",
                                std::string(8, '\0')));
  auto weights = WeightsFile::open(dir.path("f"));
  ASSERT_TRUE(weights) << weights.message();
  EXPECT_TRUE(contains(weights->check({{"a", {1}}}).message(),
                       "dtype: a I64, expected F32, F64, F16 or BF16"));
}

} // namespace
} // namespace llmc::rt

// The evaluated models against the tensors of the golden files.
#include "frontend/yaml/Document.h"
#include "test/Unit/Frontend/SpecFixture.h"

#include <cmath>
#include <cstdlib>
#include <map>

using namespace llmc::frontend;

namespace {

using ArchitectureOf = SpecFixture;

using Shapes = std::map<std::string, std::vector<int64_t>>;

/// Names and shapes from the header of a safetensors file.
Shapes shapesOf(const std::string &bytes) {
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | uint8_t(bytes[size_t(i)]);
  std::vector<YamlProblem> problems;
  auto header = parseYaml(bytes.substr(8, length), "header", problems);
  Shapes shapes;
  for (const Entry &entry : header.value_or(Node()).entries) {
    const Node *shape = entry.value.find("shape");
    for (size_t i = 0; shape && i < shape->items.size(); ++i)
      shapes[entry.key].push_back(std::stoll(shape->items[i].text));
  }
  return shapes;
}

TEST_F(ArchitectureOf, EveryGoldenHasItsTensors) {
  const char *golden = std::getenv("LLMC_GOLDEN");
  if (!golden)
    GTEST_SKIP() << "LLMC_GOLDEN does not name the goldens";
  int cases = 0;
  for (const auto &entry : std::filesystem::directory_iterator(golden)) {
    std::string config = (entry.path() / "config.json").string();
    if (!std::filesystem::exists(config))
      continue;
    ++cases;
    std::string use = entry.path().filename().string();
    use.resize(use.find('-'));
    auto loaded = load("llmc: 1\nmodel: {use: " + use + ", config: '" + config +
                       "'}\ntrain: {sequence_length: 4, micro_batch_size: 1, "
                       "train_steps: 1}\n");
    ASSERT_TRUE(loaded) << messages();
    Shapes ours;
    for (const TensorInfo &tensor : loaded->arch.tensors)
      ours[tensor.name] = tensor.shape;
    EXPECT_EQ(ours,
              shapesOf(readAll((entry.path() / "model.safetensors").string())))
        << entry.path();
  }
  EXPECT_EQ(cases, 13);
}

TEST_F(ArchitectureOf, Gpt2) {
  auto loaded = load(good());
  ASSERT_TRUE(loaded) << messages();
  const Architecture &arch = loaded->arch;
  EXPECT_EQ(arch.modelType, "gpt2");
  EXPECT_EQ(arch.hfClass, "GPT2LMHeadModel");
  EXPECT_EQ(arch.optionalPrefix, "transformer.");
  EXPECT_EQ(arch.parameters, 61312);
  EXPECT_TRUE(arch.head.tied);
  EXPECT_EQ(arch.head.output.weight.name, "wte.weight");
  ASSERT_EQ(arch.layers.size(), 2u);
  EXPECT_EQ(arch.layers[1].prefix, "h.1.");
  const auto &residual = std::get<Residual>(arch.layers[1].items[0]);
  const auto &attention = std::get<Attention>(residual.items[1]);
  EXPECT_EQ(attention.headDim, 8);
  EXPECT_DOUBLE_EQ(attention.scale, 1 / std::sqrt(8.0));
  ASSERT_TRUE(attention.qkv);
  EXPECT_TRUE(attention.qkv->weight.transposed);
  EXPECT_EQ(attention.qkv->outFeatures, 96);
  const auto &mlp =
      std::get<Mlp>(std::get<Residual>(arch.layers[1].items[1]).items[1]);
  EXPECT_EQ(mlp.activation, Activation::GeluTanh);
  EXPECT_FALSE(mlp.gate);
}

TEST_F(ArchitectureOf, TensorsStandInFileOrderWithInitAndDecay) {
  auto loaded = load(good());
  ASSERT_TRUE(loaded) << messages();
  const auto &tensors = loaded->arch.tensors;
  EXPECT_EQ(tensors[0].name, "wte.weight");
  EXPECT_EQ(tensors[1].name, "wpe.weight");
  EXPECT_EQ(tensors[2].name, "h.0.ln_1.weight");
  EXPECT_EQ(tensors.back().name, "ln_f.bias");
  const TensorInfo *gain = loaded->arch.findTensor("h.0.ln_1.weight");
  EXPECT_EQ(gain->init.kind, Init::Kind::Ones);
  EXPECT_FALSE(gain->decay);
  const TensorInfo *proj = loaded->arch.findTensor("h.1.mlp.c_proj.weight");
  EXPECT_EQ(proj->init.kind, Init::Kind::Normal);
  EXPECT_DOUBLE_EQ(proj->init.std, 0.01);
  EXPECT_TRUE(proj->decay);
  EXPECT_EQ(proj->layer, 1);
  EXPECT_EQ(proj->shape, (std::vector<int64_t>{128, 32}));
}

TEST_F(ArchitectureOf, SlidingWindowHasThreeStates) {
  auto windowOf = [&](std::vector<std::string> sets) {
    auto loaded = load(good(), sets);
    EXPECT_TRUE(loaded) << messages();
    const auto &residual = std::get<Residual>(loaded->arch.layers[0].items[0]);
    return std::get<Attention>(residual.items[1]).window;
  };
  EXPECT_FALSE(windowOf({}));
  EXPECT_EQ(windowOf({"model.sliding_window=5"}), 5);
  std::vector<std::string> mistral = {"model.use=mistral",
                                      "model.intermediate_size=64",
                                      "model.num_key_value_heads=2"};
  EXPECT_EQ(windowOf(mistral), 4096);
  mistral.push_back("model.sliding_window=null");
  EXPECT_FALSE(windowOf(mistral));
}

TEST_F(ArchitectureOf, ByteTokenizerGivesTheVocabulary) {
  std::string spec = good();
  spec.erase(spec.find("  vocab_size: 96\n"), 17);
  auto loaded = load(spec, {"data.format=text"});
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(loaded->arch.vocabSize, 257);
  EXPECT_FALSE(load(spec, {"data.format=llmc"}));
  EXPECT_NE(messages().find("model.vocab_size is missing"), std::string::npos);
}

} // namespace

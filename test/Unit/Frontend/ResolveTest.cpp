// --resolved: loadable, the same, and honest about where values came from.
#include "test/Unit/Frontend/SpecFixture.h"

using namespace llmc::frontend;

namespace {

class Resolve : public SpecFixture {
protected:
  /// Values without their comments.
  static std::string values(const LoadedSpec &loaded) {
    std::string out;
    for (const ResolvedKey &key : loaded.resolved)
      out += key.key + "=" + key.value + "\n";
    return out;
  }

  static std::string from(const LoadedSpec &loaded, const std::string &key) {
    for (const ResolvedKey &each : loaded.resolved)
      if (each.key == key)
        return each.from;
    return "nowhere";
  }
};

TEST_F(Resolve, TheTextLoadsAsTheSameSpecWithoutAWord) {
  const std::vector<std::vector<std::string>> variants = {
      {},
      {"train.optimizer={name: sgd, momentum: 0.9}", "data.train=a.bin"},
      {"train.lr_schedule={name: wsd, decay_steps: 2}"},
      {"model.sliding_window=5", "model.global_tokens=2"},
      {"model.use=llama", "model.intermediate_size=[64, 48]",
       "model.rope_scaling={rope_type: linear, factor: 2}"},
      {"model.use=mistral", "model.intermediate_size=64",
       "model.num_key_value_heads=2", "model.sliding_window=null"}};
  for (const auto &sets : variants) {
    auto first = load(good(), sets);
    ASSERT_TRUE(first) << messages();
    auto second = load(resolvedText(*first));
    ASSERT_TRUE(second) << messages();
    EXPECT_EQ(messages(), "");
    // The name came from the file's stem, which is the same.
    EXPECT_EQ(values(*first), values(*second));
  }
}

TEST_F(Resolve, SaysWhereValuesCameFrom) {
  write("config.json", "{\"vocab_size\": 96, \"n_embd\": 32, \"n_layer\": 2,\n"
                       "\"n_head\": 4}\n");
  write("a.yaml", "train: {sequence_length: 4, micro_batch_size: 1}\n");
  auto loaded = load("llmc: 1\ninclude: [a.yaml]\n"
                     "model: {use: gpt2, config: config.json}\n"
                     "train: {train_steps: 1}\n",
                     {"train.seed=9"});
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(from(*loaded, "model.hidden_size"), "config.json:1");
  EXPECT_EQ(from(*loaded, "model.num_attention_heads"), "config.json:2");
  EXPECT_EQ(from(*loaded, "model.n_inner"), "library");
  EXPECT_EQ(from(*loaded, "train.sequence_length"), "a.yaml:1");
  EXPECT_EQ(from(*loaded, "train.train_steps"), "spec.yaml:4");
  EXPECT_EQ(from(*loaded, "train.seed"), "--set train.seed=9");
  EXPECT_EQ(from(*loaded, "train.clip_grad"), "default");
}

TEST_F(Resolve, JsonIsYamlOfTheSameSpec) {
  auto first = load(good());
  ASSERT_TRUE(first) << messages();
  auto second = load(resolvedJson(*first));
  ASSERT_TRUE(second) << messages();
  EXPECT_EQ(values(*first), values(*second));
}

} // namespace

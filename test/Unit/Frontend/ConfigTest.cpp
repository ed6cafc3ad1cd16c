// config.json: its four lists, spellings of transformers 4 and 5, notes.
#include "test/Unit/Frontend/SpecFixture.h"

using namespace llmc::frontend;

namespace {

class Config : public SpecFixture {
protected:
  std::optional<LoadedSpec> loadWith(const std::string &use,
                                     const std::string &config,
                                     const std::string &model = "") {
    write("config.json", config);
    return load("llmc: 1\nmodel:\n  use: " + use + "\n  config: config.json\n" +
                model +
                "train: {sequence_length: 4, micro_batch_size: 1, train_steps: "
                "1}\n");
  }

  static std::string llama(const std::string &more) {
    return "{\"vocab_size\": 96, \"hidden_size\": 32,\n"
           "\"intermediate_size\": 64, \"num_hidden_layers\": 2,\n"
           "\"num_attention_heads\": 4" +
           (more.empty() ? "" : ",\n" + more) + "}\n";
  }

  static const Attention &firstAttention(const LoadedSpec &loaded) {
    const auto &residual =
        std::get<Residual>(loaded.arch.layers.at(0).items.at(0));
    return std::get<Attention>(residual.items.at(1));
  }
};

TEST_F(Config, SizesAndAliases) {
  auto loaded =
      loadWith("gpt2", "{\"vocab_size\": 96, \"n_embd\": 32, \"n_layer\": 2, "
                       "\"n_head\": 4, \"n_inner\": null, \"n_ctx\": 8}");
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(loaded->arch.hiddenSize, 32);
  EXPECT_EQ(*loaded->arch.findSize("n_inner")->asInt(), 128);
  EXPECT_EQ(loaded->arch.embedding.positions->count, 8);
}

TEST_F(Config, WrittenUnderTransformers4Names) {
  auto loaded = loadWith("gpt2", "{\"vocab_size\": 96, \"n_embd\": 32, "
                                 "\"n_layer\": 2, \"n_head\": 4}");
  ASSERT_TRUE(loaded) << messages();
  std::vector<std::string> keys;
  for (const auto &[key, value] : loaded->arch.configKeys)
    keys.push_back(key);
  EXPECT_EQ(keys[1], "n_embd");
  EXPECT_EQ(keys[2], "n_layer");
  EXPECT_EQ(keys[3], "n_head");
}

TEST_F(Config, TwoSpellingsThatDisagree) {
  EXPECT_FALSE(loadWith("gpt2", "{\"vocab_size\": 96, \"n_embd\": 32,\n"
                                "\"n_layer\": 2, \"n_head\": 4,\n"
                                "\"hidden_size\": 64}"));
  EXPECT_EQ(messages(), "config.json:3:1: error: hidden_size 64 and n_embd 32 "
                        "(line 1) are two spellings of one size and "
                        "disagree\n");
}

TEST_F(Config, TwoSpellingsThatAgree) {
  EXPECT_TRUE(loadWith("gpt2", "{\"vocab_size\": 96, \"n_embd\": 32, "
                               "\"n_layer\": 2, \"n_head\": 4, "
                               "\"hidden_size\": 32}"))
      << messages();
}

TEST_F(Config, UnknownKeyIsRefusedAtItsLine) {
  EXPECT_FALSE(loadWith("llama", llama("\"rms_norm_epss\": 1e-5")));
  EXPECT_EQ(messages(), "config.json:4:1: error: unknown key rms_norm_epss "
                        "for architecture llama; did you mean rms_norm_eps\n");
}

TEST_F(Config, MustBe) {
  EXPECT_FALSE(loadWith("llama", llama("\"pretraining_tp\": 2")));
  EXPECT_EQ(messages(), "config.json:4:19: error: pretraining_tp is 2, but "
                        "llama supports only 1\n");
}

TEST_F(Config, NotedKeysMakeANote) {
  ASSERT_TRUE(loadWith("llama", llama("\"attention_dropout\": 0.1")));
  EXPECT_EQ(messages(), "config.json:4:1: note: attention_dropout 0.1 has no "
                        "effect, train.dropout decides\n");
}

TEST_F(Config, WithoutEffectIsSilent) {
  ASSERT_TRUE(loadWith("llama", llama("\"torch_dtype\": \"bfloat16\", "
                                      "\"use_cache\": true")));
  EXPECT_EQ(messages(), "");
}

TEST_F(Config, AnotherModelTypeIsRefused) {
  EXPECT_FALSE(loadWith("llama", llama("\"model_type\": \"qwen2\"")));
  EXPECT_EQ(messages(), "config.json:4:15: error: model_type is \"qwen2\", "
                        "expected llama for model.use llama\n");
}

TEST_F(Config, OverriddenKeysMakeANote) {
  auto loaded = loadWith("llama", llama("\"rms_norm_eps\": 1e-5"),
                         "  rms_norm_eps: 1e-6\n  num_attention_heads: 8\n");
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(messages(),
            "config.json:3:1: note: num_attention_heads 4 is overridden by "
            "model.num_attention_heads 8\n"
            "config.json:4:1: note: rms_norm_eps 1e-05 is overridden by "
            "model.rms_norm_eps 1e-06\n");
}

TEST_F(Config, RopeThetaOfTransformers5) {
  auto loaded = loadWith("llama", llama("\"rope_parameters\": {\"rope_theta\": "
                                        "5000.0, \"rope_type\": \"default\"}"));
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(firstAttention(*loaded).rope->theta, 5000.0);
  EXPECT_EQ(firstAttention(*loaded).rope->scaling.kind, RopeScalingKind::None);
}

TEST_F(Config, RopeThetaInTwoPlacesDisagrees) {
  EXPECT_FALSE(loadWith("llama", llama("\"rope_theta\": 1e4,\n"
                                       "\"rope_parameters\": {\"rope_theta\": "
                                       "5000.0}")));
  EXPECT_NE(messages().find("config.json:5:21: error: "
                            "rope_parameters.rope_theta 5000.0 and rope_theta "
                            "10000.0 (line 4) are two spellings"),
            std::string::npos)
      << messages();
}

TEST_F(Config, Llama3Scaling) {
  auto loaded = loadWith(
      "llama", llama("\"rope_scaling\": {\"factor\": 8.0, \"low_freq_factor\": "
                     "1.0, \"high_freq_factor\": 4.0, "
                     "\"original_max_position_embeddings\": 8192, "
                     "\"rope_type\": \"llama3\"}"));
  ASSERT_TRUE(loaded) << messages();
  const RopeScaling &scaling = firstAttention(*loaded).rope->scaling;
  EXPECT_EQ(scaling.kind, RopeScalingKind::Llama3);
  EXPECT_EQ(scaling.highFreqFactor, 4.0);
  EXPECT_EQ(scaling.originalMaxPositions, 8192);
}

TEST_F(Config, LinearScalingOfOlderFiles) {
  auto loaded = loadWith("llama", llama("\"rope_scaling\": {\"type\": "
                                        "\"linear\", \"factor\": 2}"));
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(firstAttention(*loaded).rope->scaling.kind,
            RopeScalingKind::Linear);
  EXPECT_EQ(firstAttention(*loaded).rope->scaling.factor, 2.0);
}

TEST_F(Config, UnknownScalingIsRefused) {
  EXPECT_FALSE(loadWith("llama", llama("\"rope_scaling\": {\"rope_type\": "
                                       "\"yarn\", \"factor\": 2}")));
  EXPECT_NE(messages().find("config.json:4:17: error: rope_scaling is "),
            std::string::npos)
      << messages();
}

TEST_F(Config, WindowOfMistral) {
  auto loaded = loadWith("mistral", llama("\"num_key_value_heads\": 2"));
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(firstAttention(*loaded).window, 4096);
  loaded = loadWith("mistral", llama("\"num_key_value_heads\": 2, "
                                     "\"sliding_window\": null"));
  ASSERT_TRUE(loaded) << messages();
  EXPECT_FALSE(firstAttention(*loaded).window);
  loaded = loadWith("mistral",
                    llama("\"num_key_value_heads\": 2, \"sliding_window\": 6"),
                    "  sliding_window: 3\n");
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(firstAttention(*loaded).window, 3);
}

TEST_F(Config, BrokenJsonIsRefused) {
  EXPECT_FALSE(loadWith("llama", "{\"vocab_size\": 96"));
  EXPECT_NE(messages().find("config.json:"), std::string::npos);
  EXPECT_FALSE(loadWith("llama", "[1]"));
  EXPECT_EQ(messages(),
            "config.json:1:1: error: the file is a list, expected a map\n");
}

TEST_F(Config, MissingFileIsRefused) {
  EXPECT_FALSE(load(good() + "", {"model.config=none.json"}));
  EXPECT_EQ(messages(), "--set model.config=none.json:1:14: error: "
                        "model.config is none.json, but there is no such "
                        "file\n");
}

} // namespace

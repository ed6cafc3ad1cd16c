// Library files of a user: the whole grammar, and what is refused in it.
#include "test/Unit/Frontend/SpecFixture.h"

using namespace llmc::frontend;

namespace {

class LibraryFile : public SpecFixture {
protected:
  /// The llama file with one piece of text replaced.
  std::optional<LoadedSpec> loadChanged(const std::string &from,
                                        const std::string &to,
                                        std::vector<std::string> sets = {}) {
    std::string file =
        readAll(LLMC_SOURCE_FOLDER "/frontend/models/llama.yaml");
    size_t at = file.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    write("mine.yaml", file.replace(at, from.size(), to));
    sets.insert(sets.begin(),
                {"model.use=mine.yaml", "model.intermediate_size=64"});
    return load(good(), sets);
  }

  static const Attention &attention(const LoadedSpec &loaded, size_t layer) {
    const auto &residual =
        std::get<Residual>(loaded.arch.layers.at(layer).items.at(0));
    return std::get<Attention>(residual.items.at(1));
  }
};

TEST_F(LibraryFile, APathToAFileNeedsNoName) {
  EXPECT_TRUE(loadChanged("architecture: llama", "architecture: mine"))
      << messages();
}

TEST_F(LibraryFile, CyclePicksByLayerNumber) {
  auto loaded = loadChanged("window: $model.sliding_window",
                            "window: {cycle: [3, null]}");
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(attention(*loaded, 0).window, 3);
  EXPECT_FALSE(attention(*loaded, 1).window);
}

TEST_F(LibraryFile, ByPicksByAnotherSize) {
  std::vector<std::string> sets = {"model.hidden_act={cycle: [silu, relu]}"};
  auto loaded = loadChanged(
      "window: $model.sliding_window",
      "window: {by: $hidden_act, silu: $head_dim, relu: null}", sets);
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(attention(*loaded, 0).window, 8);
  EXPECT_FALSE(attention(*loaded, 1).window);
}

TEST_F(LibraryFile, ByWithoutTheEntryIsRefused) {
  EXPECT_FALSE(loadChanged("window: $model.sliding_window",
                           "window: {by: $hidden_act, relu: null}"));
  EXPECT_NE(messages().find("no entry for silu"), std::string::npos)
      << messages();
}

TEST_F(LibraryFile, ListsOverLayers) {
  auto loaded = loadChanged("architecture: llama", "architecture: mine",
                            {"model.intermediate_size=[64, 48]"});
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(loaded->arch.findTensor("model.layers.1.mlp.up_proj.weight")->shape,
            (std::vector<int64_t>{48, 32}));
  EXPECT_FALSE(loadChanged("architecture: llama", "architecture: mine",
                           {"model.intermediate_size=[64]"}));
  EXPECT_NE(messages().find("model.intermediate_size has 1 entries, expected "
                            "one for each of 2 layers"),
            std::string::npos)
      << messages();
}

TEST_F(LibraryFile, EmbeddingMultiplyAndPlusOne) {
  auto loaded =
      loadChanged("tokens: {weight: model.embed_tokens.weight}",
                  "tokens: {weight: model.embed_tokens.weight, multiply: "
                  "sqrt($hidden_size / 2)}");
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(loaded->arch.embedding.multiply, 4.0);
  loaded = loadChanged("post_attention_layernorm.weight, eps: $rms_norm_eps}",
                       "post_attention_layernorm.weight, eps: $rms_norm_eps, "
                       "plus_one: true}");
  ASSERT_TRUE(loaded) << messages();
  const auto &residual = std::get<Residual>(loaded->arch.layers[0].items[1]);
  EXPECT_TRUE(std::get<Norm>(residual.items[0]).plusOne);
}

TEST_F(LibraryFile, BiasesWhenTheSizeSaysSo) {
  auto loaded = loadChanged("architecture: llama", "architecture: mine",
                            {"model.attention_bias=true"});
  ASSERT_TRUE(loaded) << messages();
  EXPECT_TRUE(attention(*loaded, 0).q->bias);
  EXPECT_TRUE(loaded->arch.findTensor("model.layers.0.self_attn.q_proj.bias"));
}

TEST_F(LibraryFile, DecayExclude) {
  auto loaded =
      loadChanged("architecture: llama", "architecture: mine",
                  {"train.optimizer.weight_decay_exclude=['*q_proj*']"});
  ASSERT_TRUE(loaded) << messages();
  const Architecture &arch = loaded->arch;
  EXPECT_FALSE(
      arch.findTensor("model.layers.0.self_attn.q_proj.weight")->decay);
  EXPECT_TRUE(arch.findTensor("model.layers.0.self_attn.k_proj.weight")->decay);
  EXPECT_FALSE(loadChanged("architecture: llama", "architecture: mine",
                           {"train.optimizer.weight_decay_exclude=['wte*']"}));
  EXPECT_NE(messages().find("wte* matches no tensor"), std::string::npos);
}

TEST_F(LibraryFile, WhatIsNotBuiltIsRefusedAtItsLine) {
  EXPECT_FALSE(loadChanged("layout: half", "layout: pairs"));
  EXPECT_NE(messages().find("error: rope layout pairs is not implemented yet, "
                            "expected half"),
            std::string::npos)
      << messages();
  EXPECT_FALSE(
      loadChanged("kv_heads:", "softcap: 50.0\n            kv_heads:"));
  EXPECT_NE(messages().find("attention.softcap 50.0 is not implemented yet"),
            std::string::npos)
      << messages();
  EXPECT_FALSE(
      loadChanged("lm_head.weight,", "lm_head.weight, bias: lm_head.bias,"));
  EXPECT_NE(messages().find("a bias of the output is not implemented yet"),
            std::string::npos)
      << messages();
  EXPECT_FALSE(loadChanged(
      "rms_norm: {weight: input_layernorm.weight, eps: $rms_norm_eps}",
      "layer_norm: {weight: input_layernorm.weight, eps: $rms_norm_eps, "
      "plus_one: true}"));
  EXPECT_NE(messages().find("layer_norm.plus_one true is not implemented yet"),
            std::string::npos)
      << messages();
}

struct Change {
  const char *from, *to, *message;
};

TEST_F(LibraryFile, FaultsOfTheFileAreErrorsAtItsLines) {
  const Change changes[] = {
      {"mlp:\n", "mpl:\n", "unknown key mpl of a block; did you mean mlp"},
      {"eps: $rms_norm_eps", "eps: $rms_norm", "$rms_norm is not a size"},
      {"heads: $num_attention_heads", "heads: $num_attention_heads / 3",
       "4 / 3 does not divide"},
      {"value: ones", "value: one", "value of initialise is one, expected"},
      {"  - {tensor: \"*\", value: normal($initializer_range)}\n", "",
       "no rule of initialise matches model.embed_tokens.weight"},
      {"post_attention_layernorm.weight", "input_layernorm.weight",
       "tensor model.layers.0.input_layernorm.weight is declared twice"},
      {"head_dim: $hidden_size / $num_attention_heads", "head_dim: $head_dim",
       "size head_dim is defined by itself"},
      {"vocab_size: required", "vocabulary: required",
       "sizes has no vocab_size"},
      {"aliases: {rope_theta:", "aliases: {rope_tetha:",
       "rope_tetha is not a size of this file"},
      {"window: $model.sliding_window", "window: 0",
       "attention.window is 0, expected an integer of at least 1 or null"},
      {"theta: $rope_theta", "theta: -1", "rope.theta is -1"},
      {"repeat: $num_hidden_layers", "repeat: 0", "repeat is 0, expected"},
      {"- output:", "- outputs:", "unknown key outputs of head"},
  };
  for (const Change &change : changes) {
    EXPECT_FALSE(loadChanged(change.from, change.to)) << change.to;
    EXPECT_NE(messages().find(change.message), std::string::npos)
        << change.to << "\n"
        << messages();
  }
}

TEST_F(LibraryFile, TiedToAnotherTensorIsRefused) {
  EXPECT_FALSE(loadChanged("tied_to: model.embed_tokens.weight",
                           "tied_to: model.norm.weight",
                           {"model.tie_word_embeddings=true"}));
  EXPECT_NE(messages().find("tied_to is model.norm.weight, expected "
                            "model.embed_tokens.weight"),
            std::string::npos)
      << messages();
}

TEST_F(LibraryFile, HugeModelsAreRefusedBeforeTheyCostAnything) {
  EXPECT_FALSE(load(good(), {"model.num_hidden_layers=1B"}));
  EXPECT_NE(messages().find("model.num_hidden_layers is 1000000000, expected "
                            "at most 10000 layers"),
            std::string::npos)
      << messages();
  EXPECT_FALSE(load(
      good(), {"model.vocab_size=2147483647", "model.hidden_size=2147483640"}));
  EXPECT_NE(messages().find("the model has more than 2^60 parameters"),
            std::string::npos)
      << messages();
}

TEST_F(LibraryFile, UnknownNameListsTheLibrary) {
  EXPECT_FALSE(load(good(), {"model.use=gpt3"}));
  EXPECT_EQ(messages(),
            "--set model.use=gpt3:1:11: error: model.use is gpt3, expected "
            "gpt2, llama, mistral or a path to a library file; did you mean "
            "gpt2\n");
}

} // namespace

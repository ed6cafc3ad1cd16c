// Layers: includes, the file, --set; which wins and what is refused.
#include "test/Unit/Frontend/SpecFixture.h"

using namespace llmc::frontend;

namespace {

using Layers = SpecFixture;

TEST_F(Layers, IncludesEarlierToLaterThenTheFileThenSet) {
  write("a.yaml", "train: {seed: 2, clip_grad: 2.0, ignore_label: 2}\n");
  write("b.yaml", "train: {seed: 3, clip_grad: 3.0}\n");
  auto loaded = load(good() + "  seed: 4\ninclude: [a.yaml, b.yaml]\n",
                     {"train.z_loss=0", "train.seed=5"});
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(loaded->spec.train.ignoreLabel, 2);
  EXPECT_EQ(loaded->spec.train.clipGrad, 3.0);
  EXPECT_EQ(loaded->spec.train.seed, 5);
  EXPECT_EQ(loaded->spec.origins["train.seed"].origin, Origin::Set);
  EXPECT_EQ(loaded->spec.origins["train.clip_grad"].origin, Origin::Include);
  EXPECT_EQ(loaded->spec.origins["train.train_steps"].origin, Origin::File);
}

TEST_F(Layers, MapsMergeAndListsReplace) {
  write("a.yaml", "train: {optimizer: {betas: [0.5, 0.6], eps: 1e-6}}\n");
  auto loaded =
      load(good() + "  optimizer: {betas: [0.7, 0.8]}\ninclude: [a.yaml]\n");
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(loaded->spec.train.optimizer.betas,
            (std::vector<double>{0.7, 0.8}));
  EXPECT_EQ(loaded->spec.train.optimizer.eps, 1e-6);
}

TEST_F(Layers, NullIsAValue) {
  write("a.yaml", "train: {clip_grad: 2.0}\n");
  auto loaded = load(good() + "  clip_grad: null\ninclude: [a.yaml]\n");
  ASSERT_TRUE(loaded) << messages();
  EXPECT_FALSE(loaded->spec.train.clipGrad);
}

TEST_F(Layers, MergeKeysWorkInSpecs) {
  auto loaded = load("llmc: 1\n"
                     "model: {use: gpt2, vocab_size: 9, hidden_size: 8, "
                     "num_hidden_layers: 1, num_attention_heads: 2}\n"
                     "train:\n"
                     "  <<: {seed: 7, micro_batch_size: 1}\n"
                     "  seed: 8\n"
                     "  sequence_length: 4\n"
                     "  train_steps: 1\n");
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(loaded->spec.train.seed, 8);
  EXPECT_EQ(loaded->spec.train.microBatchSize, 1);
  EXPECT_EQ(loaded->spec.train.globalBatchSize, 1);
}

TEST_F(Layers, PathsAreRelativeToTheFileThatNamesThem) {
  write("sub/a.yaml", "data: {train: tokens.bin}\n");
  auto loaded = load(good() + "include: [sub/a.yaml]\nlog: {directory: out}\n",
                     {"checkpoint.directory=here"});
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(loaded->spec.data.train[0].paths[0], "sub/tokens.bin");
  EXPECT_EQ(loaded->spec.log.directory, "out");
  EXPECT_EQ(loaded->spec.checkpoint.directory, "here");
}

TEST_F(Layers, DefaultsThatHangOnOtherKeys) {
  auto loaded = load(good());
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(loaded->spec.name, "spec");
  EXPECT_EQ(loaded->spec.log.directory, "runs/spec");
  EXPECT_EQ(loaded->spec.checkpoint.directory, "runs/spec/checkpoints");
  EXPECT_EQ(loaded->spec.train.optimizer.weightDecay, 0.1);
}

TEST_F(Layers, IncludeCycleIsRefused) {
  write("a.yaml", "include: [b.yaml]\n");
  write("b.yaml", "include: [a.yaml]\n");
  EXPECT_FALSE(load(good() + "include: [a.yaml]\n"));
  EXPECT_EQ(messages(), "b.yaml:1:11: error: include a.yaml includes itself, "
                        "expected an end\n");
}

TEST_F(Layers, MissingIncludeIsRefused) {
  EXPECT_FALSE(load(good() + "include: [a.yaml]\n"));
  EXPECT_EQ(messages(),
            "spec.yaml:13:11: error: include a.yaml does not exist\n");
}

TEST_F(Layers, ErrorsOfEveryLayerInOneRun) {
  write("a.yaml", "train: {sed: 2}\nlog: {every: no}\n");
  EXPECT_FALSE(load(good() + "include: [a.yaml]\nname: [x]\n",
                    {"train.seed=x", "foo=1"}));
  std::string all = messages();
  for (const char *part :
       {"a.yaml:1:9: error: unknown key train.sed; did you mean train.seed",
        "a.yaml:2:14: error: log.every is no, expected an integer of at least "
        "1",
        "spec.yaml:14:7: error: name is a list, expected text",
        "--set train.seed=x:1:12: error: train.seed is x, expected an integer "
        "of at least 0",
        "--set foo=1:1:1: error: unknown key foo"})
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
}

TEST_F(Layers, WrongSetsAreRefused) {
  for (const char *set : {"a", "=1", ".a=1", "a.=1", "a..b=1"}) {
    EXPECT_FALSE(load(good(), {set}));
    EXPECT_NE(messages().find("expected --set a.b.c=value"), std::string::npos);
  }
  EXPECT_FALSE(load(good(), {"train.seed=[1"}));
  EXPECT_NE(messages().find("error"), std::string::npos);
}

TEST_F(Layers, SetTakesWholeMaps) {
  auto loaded =
      load(good(), {"train.lr_schedule={name: cosine, min_lr: 1e-5}"});
  ASSERT_TRUE(loaded) << messages();
  EXPECT_EQ(loaded->spec.train.lrSchedule.name, "cosine");
}

TEST_F(Layers, SourcesExpandInOrder) {
  for (const char *name : {"d/t_2.bin", "d/t_1.bin", "d/x.bin"})
    write(name, "");
  auto loaded = load(good() + "data: {train: [d/x.bin, d/t_*.bin], "
                              "validation: d/none_*.bin}\n");
  ASSERT_TRUE(loaded) << messages();
  DiagnosticList list;
  EXPECT_EQ(expandSource(loaded->spec.data.train[0], list),
            (std::vector<std::string>{"d/x.bin", "d/t_1.bin", "d/t_2.bin"}));
  EXPECT_TRUE(expandSource(loaded->spec.data.validation[0], list).empty());
  EXPECT_EQ(list.str(), "spec.yaml:13:49: error: no file matches "
                        "d/none_*.bin, expected at least one\n");
}

} // namespace

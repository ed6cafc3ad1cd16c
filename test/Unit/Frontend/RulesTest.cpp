// The rule table: one faulty spec a rule, and the page that lists them.
#include "frontend/spec/Rules.h"
#include "test/Unit/Frontend/SpecFixture.h"

using namespace llmc::frontend;

namespace {

struct Case {
  const char *id;
  std::vector<std::string> sets;
  const char *message; // one of the messages of the load
};

/// Sets that make a llama of the good spec.
const std::vector<std::string> kLlama = {"model.use=llama",
                                         "model.intermediate_size=64"};

const Case kCases[] = {
    {"batch-multiple",
     {"train.global_batch_size=10", "train.micro_batch_size=4"},
     "global_batch_size 10 is not a multiple of micro_batch_size 4 x dp 1; "
     "nearest: 8, 12"},
    {"batch-multiple",
     {"train.global_batch_size=8", "parallel.dp=3"},
     "global_batch_size 8 is not a multiple of micro_batch_size 2 x dp 3; "
     "nearest: 6, 12"},
    {"batch-multiple",
     {"train.global_batch_size=1"},
     "global_batch_size 1 is not a multiple of micro_batch_size 2 x dp 1; "
     "nearest: 2"},
    {"batch-tokens",
     {"train.global_batch_size=2000000000"},
     "global_batch_size 2000000000 x sequence_length 16 is more than "
     "2147483647 tokens a step; nearest: global_batch_size 126322566"},
    {"one-length",
     {"train.train_steps=null"},
     "the length of the run is given by none, expected exactly one of"},
    {"one-length",
     {"train.train_tokens=1M", "data.epochs=2"},
     "the length of the run is given by train.train_steps and "
     "train.train_tokens and data.epochs, expected exactly one of"},
    {"warmup-fits",
     {"train.lr_schedule.warmup_steps=9"},
     "warmup_steps 9 is more than the 5 steps of the run; nearest: 5"},
    {"end-after-warmup",
     {"train.lr_schedule={name: cosine, warmup_steps: 3, end_step: 3}"},
     "end_step 3 is not more than warmup_steps 3; nearest: 4"},
    {"wsd-needs-decay",
     {"train.lr_schedule.name=wsd"},
     "lr_schedule wsd has no decay_steps, expected decay_steps of at least 1"},
    {"wsd-decay-fits",
     {"train.lr_schedule={name: wsd, warmup_steps: 2, decay_steps: 4}"},
     "decay_steps 4 and warmup_steps 2 are more than end_step 5; nearest: "
     "decay_steps 3"},
    {"min-lr",
     {"train.lr_schedule={name: cosine, min_lr: 1}"},
     "min_lr 1.0 is more than lr 6e-04; nearest: 6e-04"},
    {"sequence-fits",
     {"train.sequence_length=1025"},
     "sequence_length 1025 is more than the 1024 positions of the model; "
     "nearest: 1024"},
    {"world-size",
     {"parallel.dp=2000000", "train.global_batch_size=4000000"},
     "dp 2000000 x cp 1 x tp 1 x pp 1 are more than 1048576 ranks"},
    {"zero-group",
     {"parallel.dp=4", "parallel.zero_group=3"},
     "zero_group 3 does not divide dp 4; nearest: 2, 4"},
    {"heads-split",
     {"parallel.tp=3"},
     "num_attention_heads 4 is not a multiple of tp 3; nearest tp: 2, 4"},
    {"sequence-splits",
     {"parallel.tp=2", "train.sequence_length=15"},
     "sequence_length 15 is not a multiple of tp 2, which sequence_parallel "
     "needs; nearest: 14, 16"},
    {"context-splits",
     {"parallel.cp=3"},
     "sequence_length 16 is not a multiple of cp 3; nearest: 15, 18"},
    {"stages-filled",
     {"parallel.pp=5"},
     "pp 5 x virtual_stages 1 are more stages than embedding, 2 layers and "
     "head fill; nearest: 4"},
    {"layers-count",
     {"parallel.pp=2", "parallel.pipeline.layers=[1, 0, 1]"},
     "pipeline.layers has 3 entries, expected pp 2 x virtual_stages 1 = 2"},
    {"layers-sum",
     {"parallel.pp=2", "parallel.pipeline.layers=[1, 2]"},
     "pipeline.layers sums to 3, expected num_hidden_layers 2"},
    {"layers-zero",
     {"parallel.pp=3", "parallel.pipeline.layers=[1, 0, 1]"},
     "entry 1 of pipeline.layers is 0, expected at least 1"},
    {"virtual-stages",
     {"parallel.pp=2", "parallel.pipeline.virtual_stages=2"},
     "virtual_stages 2 with schedule 1f1b, expected interleaved-1f1b, zb-v or "
     "file"},
    {"schedule-file",
     {"parallel.pipeline.schedule=file"},
     "pipeline.schedule is file and pipeline.file is null"},
    {"tf32-target",
     {"precision.compute=tf32"},
     "precision.compute tf32 on target.device cpu, expected cuda"},
    {"one-document-token",
     {"data.end_of_document=1", "data.start_of_document=2"},
     "end_of_document 1 and start_of_document 2 are both given, expected one "
     "of them"},
    {"document-mask",
     {"model.document_mask=true"},
     "document_mask is true, but neither data.end_of_document nor "
     "data.start_of_document is given"},
    {"tokenizer-fits",
     {"data.format=text"},
     "vocab_size 96 is less than the 257 tokens of tokenizer bytes; nearest: "
     "257"},
    {"token-in-vocabulary",
     {"train.ignore_label=96"},
     "train.ignore_label 96 is not below vocab_size 96; nearest: 95"},
    {"no-window",
     {"model.global_tokens=3"},
     "model.global_tokens has no effect, because no layer has a window"},
    {"constant-rate",
     {"train.lr_schedule.min_lr=1e-5"},
     "train.lr_schedule.min_lr has no effect with lr_schedule constant"},
    {"wsd-only",
     {"train.lr_schedule={name: cosine, shape: sqrt}"},
     "train.lr_schedule.shape has no effect without lr_schedule wsd"},
    {"adamw-only",
     {"train.optimizer={name: sgd, eps: 1e-6}"},
     "train.optimizer.eps has no effect with optimizer sgd"},
    {"sgd-only",
     {"train.optimizer.momentum=0.9"},
     "train.optimizer.momentum has no effect with optimizer adamw"},
    {"no-decay",
     {"train.optimizer={weight_decay: 0, weight_decay_exclude: ['wte*']}"},
     "train.optimizer.weight_decay_exclude has no effect with weight_decay 0"},
    {"zero-shards",
     {"parallel.zero=2"},
     "parallel.zero has no effect with dp 1 x cp 1"},
    {"tensor-only",
     {"parallel.sequence_parallel=false"},
     "parallel.sequence_parallel has no effect with tp 1"},
    {"pipeline-only",
     {"parallel.pipeline.schedule=gpipe"},
     "parallel.pipeline.schedule has no effect with pp 1"},
    {"fp16-only",
     {"precision.fp16.max_skips=3"},
     "precision.fp16.max_skips has no effect without precision.compute fp16"},
    {"fp8-only",
     {"precision.fp8.margin=1"},
     "precision.fp8.margin has no effect without precision.compute fp8"},
    {"no-validation",
     {"validate.every=3"},
     "validate.every has no effect without data.validation"},
    {"no-documents",
     {"train.ignore_border_label=true"},
     "train.ignore_border_label has no effect without data.end_of_document or "
     "data.start_of_document"},
    {"unused-documents",
     {"data.end_of_document=3"},
     "data.end_of_document has no effect without model.document_mask or "
     "train.ignore_border_label"},
    {"one-rank",
     {"run.timeout=10s"},
     "run.timeout has no effect with one rank"},
};

using Rules = SpecFixture;

TEST_F(Rules, EachIsBrokenByItsCase) {
  for (const Case &each : kCases) {
    load(good(), each.sets);
    EXPECT_NE(messages().find(each.message), std::string::npos)
        << each.id << "\n"
        << messages();
  }
}

TEST_F(Rules, EachHasACase) {
  // A library file may leave these to the table; the library's own rules speak
  // first in llama, so they have a test of their own.
  std::set<std::string> covered = {"head-groups", "rotary-even"};
  for (const Case &each : kCases)
    covered.insert(each.id);
  for (const auto *table :
       {&trainingRules(), &planRules(), &modelRules(), &effectRules()})
    for (const Rule &rule : *table)
      EXPECT_TRUE(covered.count(rule.id)) << rule.id;
}

TEST_F(Rules, LibraryWithoutRulesOfItsOwn) {
  std::string file = readAll(LLMC_SOURCE_FOLDER "/frontend/models/llama.yaml");
  size_t begin = file.find("rules:"), end = file.find("initialise:");
  write("mine.yaml", file.substr(0, begin) + file.substr(end));
  std::vector<std::string> sets = kLlama;
  sets.insert(sets.end(), {"model.use=./mine.yaml", "model.head_dim=7",
                           "model.num_key_value_heads=3"});
  EXPECT_FALSE(load(good(), sets));
  EXPECT_NE(messages().find("4 heads are not a multiple of 3 key-value heads; "
                            "nearest: 2"),
            std::string::npos)
      << messages();
  EXPECT_NE(messages().find("rotary embedding needs an even head_dim, found 7; "
                            "nearest: 6, 8"),
            std::string::npos)
      << messages();
}

TEST_F(Rules, ErrorsRefuseAndWarningsDoNot) {
  EXPECT_TRUE(load(good(), {"validate.every=3"}));
  EXPECT_NE(messages().find("warning"), std::string::npos);
  EXPECT_FALSE(load(good(), {"train.global_batch_size=1"}));
}

TEST_F(Rules, ArithmeticIsCheckedBesideWhatIsNotBuilt) {
  EXPECT_FALSE(load(good(), {"parallel.tp=3"}));
  EXPECT_NE(messages().find("parallel.tp 3 is not implemented yet, expected 1"),
            std::string::npos);
  EXPECT_NE(messages().find("is not a multiple of tp 3"), std::string::npos);
}

TEST_F(Rules, ThePageIsTheTable) {
  EXPECT_EQ(readAll(LLMC_SOURCE_FOLDER "/docs/rules.md"), rulesMarkdown())
      << "print it with: llmc check --print-rules > docs/rules.md";
}

} // namespace

// Settings to JSON and back, wrong files, and what --set may change.
#include "test/Support/UnigramBundle.h"

#include <gtest/gtest.h>

namespace llmc::rt {
namespace {

class RunSettingsTest : public testing::Test {
protected:
  RunSettings good() { return unigram::makeSettings(dir, 3); }

  std::string readError(const std::string &from, const std::string &to) {
    std::string text = good().toJson();
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return RunSettings::fromJson(text, "settings.json").message();
  }

  TempDir dir;
};

TEST_F(RunSettingsTest, ReadsWhatItWrote) {
  RunSettings settings = good();
  settings.train.ignoreLabel = 3;
  settings.train.clipGrad = 0.5;
  settings.train.optimizer = {"adamw", {0.9, 0.99}, 1e-8, 0.1, 0};
  settings.train.skipNonfinite = true;
  settings.train.schedule.kind = ScheduleKind::Wsd;
  settings.train.schedule.decaySteps = 2;
  settings.train.schedule.decayShape = DecayShape::Sqrt;
  settings.train.schedule.minLr = 1e-5;
  settings.data.train.push_back({{"a", "b*"}, 0.25});
  settings.data.format = TokenFormat::RawU16;
  settings.data.endOfDocument = 1;
  settings.model.weights = "model.safetensors";
  settings.stopAfter = 90;
  Expected<RunSettings> read =
      RunSettings::fromJson(settings.toJson(), "settings.json");
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->toJson(), settings.toJson());
  EXPECT_EQ(read->data.train[1].paths[1], "b*");
  EXPECT_EQ(read->train.clipGrad, 0.5);
  EXPECT_FALSE(read->data.startOfDocument.has_value());
}

TEST_F(RunSettingsTest, RefusesWrongTypes) {
  EXPECT_EQ(readError("\"seed\": 1", "\"seed\": -1"),
            "'settings.json': train.seed is -1, expected an integer of at "
            "least 0");
  EXPECT_EQ(readError("\"shuffle\": false", "\"shuffle\": 0"),
            "'settings.json': data.shuffle is 0, expected true or false");
  EXPECT_EQ(readError("\"lr\": 0.5", "\"lr\": \"0.5\""),
            "'settings.json': train.optimizer.lr is \"0.5\", expected a "
            "number");
  EXPECT_EQ(readError("\"betas\": []", "\"betas\": [0.9, null]"),
            "'settings.json': train.optimizer.betas has an entry null, "
            "expected a number");
  EXPECT_EQ(readError("\"weight\": 1.0", "\"weight\": null"),
            "'settings.json': data.train.weight is null, expected a number");
}

TEST_F(RunSettingsTest, RefusesUnknownAndMissingKeys) {
  EXPECT_EQ(readError("\"keep\"", "\"kept\""),
            "'settings.json': checkpoint.keep is missing, expected an integer");
  EXPECT_EQ(readError("\"keep\": 3", "\"keep\": 3, \"kept\": 3"),
            "'settings.json': checkpoint.kept is not a setting");
}

TEST_F(RunSettingsTest, RefusesUnknownChoices) {
  EXPECT_EQ(
      readError("\"on_nonfinite\": \"stop\"", "\"on_nonfinite\": \"ignore\""),
      "'settings.json': train.on_nonfinite is 'ignore', expected one of "
      "stop, skip");
}

TEST_F(RunSettingsTest, RefusesSizesThatCannotBe) {
  EXPECT_EQ(readError("\"sequence_length\": 4", "\"sequence_length\": 0"),
            "'settings.json': train.sequence_length is 0, expected 1 to "
            "2147483647");
  EXPECT_EQ(readError("\"global_batch_size\": 6", "\"global_batch_size\": 7"),
            "'settings.json': train.global_batch_size 7 is not a multiple of "
            "train.micro_batch_size 2");
  EXPECT_TRUE(contains(readError("\"global_batch_size\": 6",
                                 "\"global_batch_size\": 2147483646"),
                       "a global batch of 2147483646 x 4 tokens"));
  EXPECT_EQ(readError("\"epochs\": null", "\"epochs\": 2"),
            "'settings.json': expected exactly one of train.train_steps and "
            "data.epochs");
}

TEST_F(RunSettingsTest, RefusesAnotherFormat) {
  EXPECT_EQ(readError("\"format\": 1", "\"format\": 7"),
            "'settings.json': format 7, expected 1");
}

TEST_F(RunSettingsTest, RefusesWhatIsNoObject) {
  EXPECT_EQ(RunSettings::fromJson("[]", "settings.json").message(),
            "'settings.json': is array, expected an object");
}

TEST_F(RunSettingsTest, SetChangesRunTimeSettings) {
  RunSettings settings = good();
  for (const char *assignment :
       {"train.optimizer.lr=1e-3", "train.clip_grad=null", "log.every=7",
        "checkpoint.resume=never", "run.stop_after=10m"}) {
    Status status = settings.set(assignment);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  EXPECT_EQ(settings.train.schedule.lr, 1e-3);
  EXPECT_FALSE(settings.train.clipGrad.has_value());
  EXPECT_EQ(settings.log.every, 7);
  EXPECT_EQ(settings.checkpoint.resume, "never");
  EXPECT_EQ(settings.stopAfter, 600);
}

TEST_F(RunSettingsTest, ANewRunDirectoryTakesItsCheckpointsAlong) {
  RunSettings settings = good();
  ASSERT_TRUE(settings.set("log.directory=elsewhere").ok());
  EXPECT_EQ(settings.log.directory, "elsewhere");
  EXPECT_EQ(settings.checkpoint.directory, "elsewhere/checkpoints");
}

TEST_F(RunSettingsTest, SetRefusesWhatIsCompiledIn) {
  RunSettings settings = good();
  EXPECT_EQ(settings.set("model.hidden_size=64").message(),
            "--set model.hidden_size: compiled into the bundle, expected a "
            "setting of the run; compile the spec with it");
  EXPECT_EQ(settings.set("log.every").message(),
            "--set 'log.every', expected key=value");
  EXPECT_EQ(settings.set("log.every=often").message(),
            "'--set log.every=often': log.every is \"often\", expected an "
            "integer");
  EXPECT_EQ(settings.log.every, 10);
}

} // namespace
} // namespace llmc::rt

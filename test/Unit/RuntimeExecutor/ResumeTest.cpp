// Runs that go on from a checkpoint, and run directories that hold another run.
#include "test/Unit/RuntimeExecutor/TrainingRun.h"

namespace llmc::rt {
namespace {

TEST(Resume, GoesOnBitForBit) {
  TrainingRun whole, parts;
  ASSERT_EQ(whole.run().code, 0);
  RunOptions four;
  four.steps = 4;
  ASSERT_EQ(parts.run(four).code, 0);
  EXPECT_EQ(parts.summary()["outcome"], "stopped");
  EXPECT_EQ(parts.metrics().size(), 4u);
  RunEnd end = parts.run();
  ASSERT_EQ(end.code, 0) << end.message;
  EXPECT_EQ(parts.weights(10), whole.weights(10));
  std::vector<Json> a = whole.metrics(), b = parts.metrics();
  ASSERT_EQ(b.size(), 10u);
  for (size_t i = 0; i < 10; ++i)
    for (const char *key : {"step", "loss", "grad_norm", "lr", "total_tokens"})
      EXPECT_EQ(a[i][key], b[i][key]) << key << " of line " << i;
}

TEST(Resume, TheCheckpointWinsOverWeightsAndTheLogSaysSo) {
  TrainingRun other, run;
  ASSERT_EQ(other.run().code, 0);
  RunOptions four;
  four.steps = 4;
  ASSERT_EQ(run.run(four).code, 0);
  run.settings.model.weights =
      other.dir.path("run/checkpoints/step_00000010/model.safetensors");
  ASSERT_EQ(run.run().code, 0);
  EXPECT_TRUE(contains(run.output(), "step_00000004', step 4; it wins over "
                                     "model.weights"))
      << run.output();
  EXPECT_EQ(run.weights(10), other.weights(10));
}

TEST(Resume, AFinishedRunHasNothingToDo) {
  TrainingRun run;
  ASSERT_EQ(run.run().code, 0);
  ASSERT_EQ(run.run().code, 0);
  EXPECT_TRUE(contains(run.output(), "nothing to do: step 10 of 10"));
  EXPECT_EQ(run.metrics().size(), 10u);
}

TEST(Resume, FromAPathIntoThisRunDirectory) {
  TrainingRun first, second;
  ASSERT_EQ(first.run().code, 0);
  second.settings.checkpoint.resume = first.dir.path("run/checkpoints");
  second.settings.data.train = first.settings.data.train;
  second.settings.train.trainSteps = 12;
  RunEnd end = second.run();
  ASSERT_EQ(end.code, 0) << end.message;
  EXPECT_EQ(second.metrics().size(), 2u);
  EXPECT_EQ(second.metrics()[0]["step"], 11);
}

TEST(Resume, NotesWhatDiffers) {
  TrainingRun run;
  ASSERT_EQ(run.run().code, 0);
  run.settings.train.trainSteps = 11;
  run.settings.train.schedule.lr = 0.25;
  run.settings.train.optimizer.weightDecay = 0.1;
  ASSERT_EQ(run.run().code, 0);
  EXPECT_TRUE(contains(run.output(), "note: train.optimizer.lr is 0.25, the "
                                     "checkpoint was made with 0.5\nnote: "
                                     "train.optimizer.weight_decay is 0.1, the "
                                     "checkpoint was made with 0.0\n"))
      << run.output();
}

TEST(Resume, RefusesOtherData) {
  TrainingRun run;
  ASSERT_EQ(run.run().code, 0);
  run.settings.train.trainSteps = 11;
  run.settings.train.seed = 2;
  run.settings.data.shuffle = true;
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, "data.shuffle is true, the checkpoint was "
                                    "made with false"))
      << end.message;
  EXPECT_TRUE(contains(end.message, "train.seed is 2, the checkpoint was made "
                                    "with 1"));
}

TEST(Resume, RefusesAnotherModelOfEqualShapes) {
  TrainingRun run;
  run.settings.model.config = R"({"eps": 1e-5, "act": "gelu", "old": 1})";
  ASSERT_EQ(run.run().code, 0);
  run.settings.train.trainSteps = 11;
  run.settings.model.config = R"({"eps": 1e-6, "act": "gelu", "new": 2})";
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, "cannot be resumed with another model:\n"
                                    "  eps is 1e-06, the checkpoint was made "
                                    "with 1e-05\n"
                                    "  old is null, the checkpoint was made "
                                    "with 1\n"
                                    "  new is 2, the checkpoint was made with "
                                    "null; a model cannot change on resume"))
      << end.message;
}

TEST(Resume, RefusesAnotherMask) {
  TrainingRun run;
  run.settings.model.identity =
      R"({"model.use": "a", "model.sliding_window": 8})";
  ASSERT_EQ(run.run().code, 0);
  run.settings.model.identity =
      R"({"model.use": "a", "model.sliding_window": 4})";
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message,
                       "another model:\n  model.sliding_window is 4, the "
                       "checkpoint was made with 8; a model cannot change on "
                       "resume"))
      << end.message;
}

TEST(Resume, RefusesAnotherOptimizer) {
  TrainingRun run;
  run.settings.train.optimizer.name = "sgd";
  ASSERT_EQ(run.run().code, 0);
  run.settings.train.optimizer.name = "adamw";
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message,
                       "train.optimizer.name is adamw, the checkpoint was "
                       "made with sgd; changing it on resume is not "
                       "implemented yet"))
      << end.message;
}

TEST(Resume, RefusesOtherDataUnderTheSameName) {
  TrainingRun run;
  std::string data = run.dir.write("mine.u8", unigram::tokenBytes(4001));
  run.settings.data.train = {{{data}}};
  ASSERT_EQ(run.run().code, 0);
  run.dir.write("mine.u8", unigram::tokenBytes(3601));
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message,
                       "the number of windows in data.train is 900, the "
                       "checkpoint was made with 1000"))
      << end.message;
}

/// A run of 10 steps with checkpoints of steps 4, 8 and 10.
class DamagedCheckpoint : public testing::Test {
protected:
  void SetUp() override {
    run.settings.checkpoint.every = 4;
    ASSERT_EQ(run.run().code, 0);
    run.settings.train.trainSteps = 12;
  }

  std::string path(int64_t step, const std::string &file = "") const {
    char name[32];
    std::snprintf(name, sizeof(name), "step_%08lld", (long long)step);
    return run.dir.path("run/checkpoints/" + std::string(name) + file);
  }

  void replaceInState(const std::string &from, const std::string &to) {
    std::string text = readText(path(10, "/state.json"));
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, from.size(), to);
    run.dir.write("run/checkpoints/step_00000010/state.json", text);
  }

  TrainingRun run;
};

TEST_F(DamagedCheckpoint, NamesAnOlderOne) {
  run.dir.write("run/checkpoints/step_00000010/model.safetensors", "damaged");
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(
      end.message, "; the complete checkpoint before it is '" + path(8) +
                       "': to go on from there, move '" + path(10) + "' away"))
      << end.message;
  // What it says works.
  std::filesystem::rename(path(10), run.dir.path("away"));
  end = run.run();
  EXPECT_EQ(end.code, 0) << end.message;
}

TEST_F(DamagedCheckpoint, APathOfOneNamesAnOlderOne) {
  run.dir.write("run/checkpoints/step_00000010/state.json", "{");
  run.settings.checkpoint.resume = path(10);
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(end.message.ends_with("before it is '" + path(8) + "'"))
      << end.message;
}

TEST_F(DamagedCheckpoint, APositionThatIsNotThatOfTheStepIsRefused) {
  replaceInState("\"windows\": 60", "\"windows\": 54");
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, path(10, "/state.json") +
                                        "' is damaged: windows 54, expected "
                                        "step 10 x 6 of "
                                        "train.global_batch_size"))
      << end.message;
}

TEST_F(DamagedCheckpoint, AKeyThatIsMissingIsNamed) {
  replaceInState("windows_per_epoch", "windows_of_epoch");
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, "key 'windows_per_epoch' is missing"))
      << end.message;
}

TEST(Resume, NeverRefusesADirectoryThatHoldsARun) {
  TrainingRun run;
  run.settings.checkpoint.resume = "never";
  ASSERT_EQ(run.run().code, 0);
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, "holds another run")) << end.message;
  EXPECT_EQ(run.metrics().size(), 10u);
}

TEST(Resume, OverwriteBeginsAnew) {
  TrainingRun run;
  ASSERT_EQ(run.run().code, 0);
  run.settings.checkpoint.resume = "never";
  run.settings.train.trainSteps = 3;
  RunOptions overwrite;
  overwrite.overwrite = true;
  RunEnd end = run.run(overwrite);
  ASSERT_EQ(end.code, 0) << end.message;
  EXPECT_EQ(run.metrics().size(), 3u);
  EXPECT_EQ(CheckpointStore::newest(run.settings.checkpoint.directory),
            run.dir.path("run/checkpoints/step_00000003"));
}

TEST(Resume, RefusesAPathWithoutACheckpoint) {
  TrainingRun run;
  run.settings.checkpoint.resume = run.dir.path("bundle");
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_EQ(end.message, "checkpoint.resume: '" + run.dir.path("bundle") +
                             "': no complete checkpoint here");
}

} // namespace
} // namespace llmc::rt

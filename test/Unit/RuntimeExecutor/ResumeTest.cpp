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
  ASSERT_EQ(run.run().code, 0);
  EXPECT_TRUE(contains(run.output(), "note: train.optimizer was {\"lr\":0.5}, "
                                     "is {\"lr\":0.25}"))
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
  EXPECT_TRUE(contains(end.message, "data.shuffle was false, is true"))
      << end.message;
  EXPECT_TRUE(contains(end.message, "train.seed was 1, is 2"));
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
                                    "  eps was 1e-05, is 1e-06\n"
                                    "  old was 1, is null\n"
                                    "  new was null, is 2"))
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

// One run at a time in a directory, and what of it may be removed.
#include "test/Unit/RuntimeExecutor/TrainingRun.h"

namespace fs = std::filesystem;

namespace llmc::rt {
namespace {

RunOptions overwriting() {
  RunOptions options;
  options.overwrite = true;
  return options;
}

TEST(RunDirectory, ASecondRunIsRefused) {
  TrainingRun run;
  RunOptions four;
  four.steps = 4;
  ASSERT_EQ(run.run(four).code, 0);
  std::string before = readText(run.dir.path("run/metrics.jsonl"));
  {
    RunLocks other;
    ASSERT_TRUE(other.take(run.dir.path("run")).ok());
    for (RunOptions options : {RunOptions(), overwriting()}) {
      RunEnd end = run.run(options);
      EXPECT_EQ(end.code, exitcode::wrong);
      EXPECT_EQ(end.message,
                "another run writes into '" + run.dir.path("run") + "'");
    }
  }
  EXPECT_EQ(readText(run.dir.path("run/metrics.jsonl")), before);
  EXPECT_EQ(run.run().code, 0);
}

TEST(RunDirectory, CheckpointsElsewhereAreLockedToo) {
  TrainingRun run;
  run.settings.checkpoint.directory = run.dir.path("elsewhere");
  fs::create_directories(run.dir.path("elsewhere"));
  RunLocks other;
  ASSERT_TRUE(other.take(run.dir.path("elsewhere")).ok());
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_EQ(end.message,
            "another run writes into '" + run.dir.path("elsewhere") + "'");
  EXPECT_FALSE(fs::exists(run.dir.path("run")));
}

TEST(RunDirectory, ALockThatIsNotTakenLeavesNoFile) {
  TrainingRun run;
  fs::create_directories(run.dir.path("run"));
  run.settings.checkpoint.directory = run.dir.write("file", "") + "/c";
  EXPECT_EQ(run.run().code, exitcode::wrong);
  EXPECT_TRUE(fs::is_empty(run.dir.path("run")));
}

TEST(RunDirectory, OverwriteLeavesWhatLiesOutside) {
  TrainingRun run;
  run.settings.checkpoint.directory = run.dir.path("elsewhere");
  ASSERT_EQ(run.run().code, 0);
  RunEnd end = run.run(overwriting());
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, "checkpoint.directory '" +
                                        run.dir.path("elsewhere") +
                                        "' outside of it holds checkpoints; "
                                        "expected another"))
      << end.message;
  EXPECT_TRUE(fs::exists(run.dir.path("elsewhere/step_00000010/state.json")));
  EXPECT_EQ(run.metrics().size(), 10u);

  fs::remove_all(run.dir.path("elsewhere"));
  end = run.run(overwriting());
  EXPECT_EQ(end.code, 0) << end.message;
  EXPECT_EQ(run.metrics().size(), 10u);
}

TEST(RunDirectory, OverwriteSeesThroughPathsAndLinks) {
  TrainingRun run;
  fs::create_directories(run.dir.path("elsewhere"));
  fs::create_directories(run.dir.path("run"));
  fs::create_directory_symlink(run.dir.path("elsewhere"),
                               run.dir.path("run/checkpoints"));
  ASSERT_EQ(run.run().code, 0);
  EXPECT_EQ(run.run(overwriting()).code, exitcode::wrong);
  EXPECT_TRUE(fs::exists(run.dir.path("elsewhere/step_00000010")));
  run.settings.checkpoint.directory = run.dir.path("run/../run/c");
  ASSERT_EQ(run.run().code, 0);
  EXPECT_EQ(run.run(overwriting()).code, 0);
}

TEST(RunDirectory, WhatACrashLeftIsRemoved) {
  TrainingRun run;
  fs::create_directories(run.dir.path("run/checkpoints/step_00000007.partial"));
  fs::create_directories(run.dir.path("run/checkpoints/mine.partial"));
  run.dir.write("run/checkpoints/step_00000007.partial/model.safetensors", "x");
  ASSERT_EQ(run.run().code, 0);
  EXPECT_FALSE(
      fs::exists(run.dir.path("run/checkpoints/step_00000007.partial")));
  EXPECT_TRUE(fs::exists(run.dir.path("run/checkpoints/mine.partial")));
}

TEST(RunDirectory, NamesTheCheckpointItWrote) {
  TrainingRun run;
  run.settings.checkpoint.every = 4;
  run.settings.checkpoint.keep = 2;
  ASSERT_EQ(run.run().code, 0);
  run.settings.checkpoint.resume =
      run.dir.path("run/checkpoints/step_00000008");
  run.settings.train.trainSteps = 9;
  run.settings.checkpoint.keep = 1;
  RunEnd end = run.run();
  ASSERT_EQ(end.code, 0) << end.message;
  std::string written = run.dir.path("run/checkpoints/step_00000009");
  EXPECT_TRUE(contains(run.output(), "checkpoint '" + written + "' saved"))
      << run.output();
  EXPECT_EQ(run.summary()["checkpoint"], written);
  EXPECT_TRUE(fs::exists(written));
}

} // namespace
} // namespace llmc::rt

// The ways in which a run ends early, and that nothing is lost.
#include "test/Unit/RuntimeExecutor/TrainingRun.h"

#include "runtime/executor/Interrupts.h"

#include <csignal>
#include <limits>
#include <thread>

namespace llmc::rt {
namespace {

/// Sends a signal to this process as soon as the run has written a metric.
class SignalDuringRun {
public:
  SignalDuringRun(const TrainingRun &run, int signal)
      : sender([&run, signal] {
          while (readText(run.dir.path("run/metrics.jsonl")).empty())
            std::this_thread::yield();
          kill(getpid(), signal);
        }) {}
  ~SignalDuringRun() { sender.join(); }

private:
  std::thread sender;
};

TEST(Ending, AnInterruptSavesAndTheRunGoesOn) {
  for (int signal : {SIGINT, SIGTERM}) {
    TrainingRun run;
    run.settings.train.trainSteps = 1000000;
    run.settings.log.every = 1000000;
    RunEnd end;
    {
      SignalDuringRun sender(run, signal);
      end = run.run();
    }
    ASSERT_EQ(end.code, 128 + signal) << end.message;
    EXPECT_EQ(run.summary()["outcome"], "interrupted");
    int64_t steps = run.summary()["steps"];
    ASSERT_GE(steps, 1);
    EXPECT_EQ(run.metrics().size(), size_t(steps));
    EXPECT_TRUE(contains(end.message, "saved in '")) << end.message;

    // The interrupted run and one that was not agree.
    run.settings.train.trainSteps = steps + 1;
    ASSERT_EQ(run.run().code, 0);
    TrainingRun whole;
    whole.settings.train.trainSteps = steps + 1;
    ASSERT_EQ(whole.run().code, 0);
    EXPECT_EQ(run.weights(steps + 1), whole.weights(steps + 1));
  }
}

TEST(Ending, AnInterruptOfTheLastValidationIsNoSuccess) {
  TrainingRun run;
  run.settings.train.trainSteps = 1;
  run.settings.data.validation = {
      run.dir.write("v.u8", unigram::tokenBytes(400000))};
  RunEnd end;
  {
    // The first metric is that of the validation before the step.
    SignalDuringRun sender(run, SIGINT);
    end = run.run();
  }
  ASSERT_EQ(end.code, 130) << end.message;
  EXPECT_EQ(run.summary()["outcome"], "interrupted");
  EXPECT_TRUE(contains(end.message, "saved in '")) << end.message;
  for (const Json &line : run.metrics())
    EXPECT_TRUE(line["step"] == 0 || !line.contains("validation_loss"));
}

TEST(EndingDeathTest, TheSecondInterruptEndsAtOnce) {
  EXPECT_EXIT(
      {
        Interrupts interrupts;
        raise(SIGINT);
        raise(SIGINT);
      },
      testing::ExitedWithCode(130), "nothing was saved");
}

TEST(Ending, StopAfterSavesAndSucceeds) {
  TrainingRun run;
  run.settings.train.trainSteps = 1000000;
  run.settings.stopAfter = 1e-9;
  RunEnd end = run.run();
  EXPECT_EQ(end.code, 0) << end.message;
  EXPECT_EQ(run.summary()["outcome"], "stopped");
  EXPECT_EQ(run.metrics().size(), 1u);
  EXPECT_EQ(run.weights(1).size(), 4u);
}

TEST(Ending, AFullDiskKeepsTheOldCheckpoint) {
  TrainingRun run;
  run.settings.model.config = std::string(100000, ' ');
  RunOptions four;
  four.steps = 4;
  ASSERT_EQ(run.run(four).code, 0);
  std::vector<float> before = run.weights(4);
  run.settings.train.trainSteps = 5;
  unigram::writeBundle(run.dir, run.plan, run.settings);
  Expected<Bundle> bundle = openBundle(run.dir.path("bundle"));
  ASSERT_TRUE(bundle.ok());
  RunOptions quiet;
  quiet.output = ::open("/dev/null", O_WRONLY);
  RunEnd end;
  {
    // Enough for the metrics, too little for a checkpoint.
    FileSizeLimit limit(50000);
    end = Trainer::run(std::move(*bundle), run.settings, quiet);
  }
  ::close(quiet.output);
  EXPECT_EQ(end.code, exitcode::fault);
  EXPECT_TRUE(contains(end.message, "step 5: the checkpoint is not saved: "
                                    "cannot write '" +
                                        run.dir.path("run/checkpoints/")))
      << end.message;
  EXPECT_EQ(run.weights(4), before);
  EXPECT_EQ(CheckpointStore::newest(run.settings.checkpoint.directory),
            run.dir.path("run/checkpoints/step_00000004"));
  EXPECT_EQ(run.summary()["outcome"], "failed");
}

TEST(Ending, WithoutPermissionNothingRuns) {
  TrainingRun run;
  // A file in the place of a directory: also root cannot write there.
  run.dir.write("run", "");
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, "'" + run.dir.path("run") + "'"))
      << end.message;
}

TEST(Ending, ATokenOutsideTheVocabularySavesWhatIsTrained) {
  TrainingRun run;
  std::string tokens = unigram::tokenBytes(4001);
  tokens[24 * 3 + 5] = 77;
  run.settings.data.train = {{{run.dir.write("bad.u8", tokens)}}};
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, "bad.u8")) << end.message;
  EXPECT_TRUE(contains(end.message, "77")) << end.message;
  EXPECT_EQ(run.metrics().size(), 3u);
  EXPECT_EQ(run.weights(3).size(), 4u);
}

TEST(Ending, ANormThatIsNotFiniteStops) {
  TrainingRun run;
  run.settings.train.schedule.lr = std::numeric_limits<double>::max();
  run.settings.train.trainSteps = 5;
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::policy);
  EXPECT_TRUE(contains(end.message, "step 2: loss nan")) << end.message;
  EXPECT_TRUE(contains(end.message, "stopped, as train.on_nonfinite says"));
  EXPECT_EQ(run.metrics()[1]["loss"], "nan");
  EXPECT_EQ(run.summary()["outcome"], "stopped");
}

TEST(Ending, SkippingLeavesTheWeights) {
  TrainingRun run;
  run.settings.train.schedule.lr = std::numeric_limits<double>::max();
  run.settings.train.skipNonfinite = true;
  run.settings.train.trainSteps = 3;
  run.settings.checkpoint.every = 1;
  RunEnd end = run.run();
  ASSERT_EQ(end.code, 0) << end.message;
  EXPECT_TRUE(contains(run.output(), "step 2: loss nan")) << run.output();
  EXPECT_EQ(std::memcmp(run.weights(1).data(), run.weights(3).data(), 16), 0);
}

TEST(Ending, SkippingEveryStepStops) {
  TrainingRun run;
  run.settings.train.schedule.lr = std::numeric_limits<double>::max();
  run.settings.train.skipNonfinite = true;
  run.settings.train.trainSteps = 200;
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::policy);
  EXPECT_TRUE(contains(end.message, "100 steps in a row were skipped; step "
                                    "101: loss nan"))
      << end.message;
  EXPECT_EQ(run.metrics().size(), 101u);
  EXPECT_EQ(run.summary()["outcome"], "stopped");
  EXPECT_EQ(run.weights(101).size(), 4u);
}

TEST(Ending, TheNullDeviceSavesNothingAndSaysSo) {
  TrainingRun run;
  run.plan.target = "null";
  RunEnd end = run.run();
  ASSERT_EQ(end.code, 0) << end.message;
  EXPECT_TRUE(contains(run.output(), "no checkpoint is saved")) << run.output();
  EXPECT_EQ(run.metrics().size(), 10u);
  EXPECT_EQ(CheckpointStore::newest(run.settings.checkpoint.directory),
            std::nullopt);
  EXPECT_EQ(run.summary()["checkpoint"], nullptr);
}

TEST(Ending, ABundleOfAnotherDeviceIsRefused) {
  TrainingRun run;
  run.plan.target = "cuda";
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, "target 'cuda', expected cpu or null"))
      << end.message;
}

} // namespace
} // namespace llmc::rt

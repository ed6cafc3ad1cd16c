// Runs on the CPU: numbers against a float64 loop, accumulation, validation.
#include "test/Unit/RuntimeExecutor/TrainingRun.h"

#include "runtime/base/Philox.h"

#include <cmath>

namespace llmc::rt {
namespace {

/// The unigram model in float64.
struct Reference {
  std::vector<double> w;
  double loss = 0, norm = 0;

  void step(const std::vector<int> &labels, double lr, double clip) {
    double sum = 0;
    std::vector<double> gradient(4);
    loss = 0;
    for (double x : w)
      sum += std::exp(x);
    for (int label : labels) {
      loss += (std::log(sum) - w[label]) / double(labels.size());
      for (int v = 0; v < 4; ++v)
        gradient[v] +=
            (std::exp(w[v]) / sum - (v == label)) / double(labels.size());
    }
    norm = 0;
    for (double g : gradient)
      norm += g * g;
    norm = std::sqrt(norm);
    for (int v = 0; v < 4; ++v)
      w[v] -= lr * std::min(1.0, clip / norm) * gradient[v];
  }
};

std::vector<double> initialWeights(uint64_t seed) {
  std::vector<double> w;
  for (uint64_t i = 0; i < 4; ++i)
    w.push_back(float(0.5 * normalAt(seed, hashName("unigram.weight"), i)));
  return w;
}

TEST(Trainer, AgreesWithTheReference) {
  TrainingRun run;
  run.settings.train.clipGrad = 0.1;
  run.settings.train.schedule.warmupSteps = 4;
  run.settings.train.ignoreLabel = 3;
  RunEnd end = run.run();
  ASSERT_EQ(end.code, 0) << end.message;
  std::vector<Json> lines = run.metrics();
  ASSERT_EQ(lines.size(), 10u);

  Reference reference{initialWeights(1)};
  std::string tokens = unigram::tokenBytes(4001);
  uint64_t total = 0;
  for (int64_t step = 0; step < 10; ++step) {
    std::vector<int> labels;
    for (int64_t i = step * 24; i < (step + 1) * 24; ++i)
      if (tokens[i + 1] != 3)
        labels.push_back(tokens[i + 1]);
    double lr = 0.5 * std::min(1.0, double(step + 1) / 4);
    reference.step(labels, lr, 0.1);
    total += labels.size();
    EXPECT_EQ(lines[step]["step"], step + 1);
    EXPECT_NEAR(lines[step]["loss"].get<double>(), reference.loss, 1e-5);
    EXPECT_NEAR(lines[step]["grad_norm"].get<double>(), reference.norm, 1e-5);
    EXPECT_EQ(lines[step]["lr"].get<double>(), lr);
    EXPECT_EQ(lines[step]["tokens"], labels.size());
    EXPECT_EQ(lines[step]["total_tokens"], total);
  }
  std::vector<float> weights = run.weights(10);
  for (int v = 0; v < 4; ++v)
    EXPECT_NEAR(weights[v], reference.w[v], 1e-5);
}

TEST(Trainer, MicroBatchesDoNotChangeTheResult) {
  std::vector<std::vector<float>> results;
  for (int64_t microBatches : {6, 3, 1}) {
    // Slot and shapes stay; what changes is how many micro-batches of 8 labels
    // make a step, so the whole data is the same after 6, 12 and 36 steps.
    TrainingRun run(microBatches);
    run.settings.train.trainSteps = 1;
    ASSERT_EQ(run.run().code, 0);
    results.push_back(run.weights(1));
  }
  // The tokens repeat after 8 labels: the mean is the same in all three.
  for (int v = 0; v < 4; ++v) {
    EXPECT_NEAR(results[0][v], results[1][v], 1e-6);
    EXPECT_NEAR(results[0][v], results[2][v], 1e-6);
  }
}

TEST(Trainer, ReportsWhatItWillDo) {
  TrainingRun run;
  ASSERT_EQ(run.run().code, 0);
  EXPECT_TRUE(contains(run.output(), "batch: 6 x 4 = 24 tokens per step, 3 "
                                     "accumulation steps of 2"))
      << run.output();
  EXPECT_TRUE(contains(run.output(), "weights: from the seed 1"));
  EXPECT_TRUE(contains(run.output(), "unigram: 4 parameters"));
}

TEST(Trainer, SaysWhichWindowsAreLeft) {
  TrainingRun run;
  run.settings.train.trainSteps = std::nullopt;
  run.settings.data.epochs = 1;
  ASSERT_EQ(run.run().code, 0);
  // 1000 windows, 6 a step.
  EXPECT_TRUE(contains(run.output(),
                       "data: 1000 windows an epoch, 1 epoch, 166 steps; the "
                       "last 4 windows do not fill a global batch"))
      << run.output();
  EXPECT_EQ(run.metrics().size(), 166u);
  EXPECT_EQ(run.summary()["windows_left"], 4);
}

TEST(Trainer, ValidatesBeforeEveryNAndAfter) {
  TrainingRun run;
  run.settings.train.trainSteps = 7;
  run.settings.data.validation = {
      run.dir.write("v.u8", unigram::tokenBytes(30))};
  run.settings.validate.every = 3;
  RunEnd end = run.run();
  ASSERT_EQ(end.code, 0) << end.message;
  std::vector<int64_t> steps;
  std::vector<double> losses;
  for (const Json &line : run.metrics())
    if (line.contains("validation_loss")) {
      steps.push_back(line["step"]);
      losses.push_back(line["validation_loss"]);
    }
  EXPECT_EQ(steps, (std::vector<int64_t>{0, 3, 6, 7}));
  EXPECT_LT(losses.back(), losses.front());
  // All 29 labels count, the short window at the end too.
  std::vector<double> w = initialWeights(1);
  double sum = 0, expected = 0;
  for (double x : w)
    sum += std::exp(x);
  std::string tokens = unigram::tokenBytes(30);
  for (int i = 1; i < 30; ++i)
    expected += std::log(sum) - w[int(tokens[i])];
  EXPECT_NEAR(losses.front(), expected / 29, 1e-5);
}

TEST(Trainer, WritesTheFilesOfTheRunDirectory) {
  TrainingRun run;
  run.settings.checkpoint.every = 4;
  run.settings.checkpoint.keep = 2;
  ASSERT_EQ(run.run().code, 0);
  EXPECT_EQ(readText(run.dir.path("run/spec.yaml")), "llmc: 1\n");
  EXPECT_EQ(run.summary()["outcome"], "finished");
  EXPECT_EQ(run.summary()["steps"], 10);
  EXPECT_EQ(run.summary()["checkpoint"],
            run.dir.path("run/checkpoints/step_00000010"));
  std::set<std::string> names;
  for (auto &entry :
       std::filesystem::directory_iterator(run.dir.path("run/checkpoints")))
    names.insert(entry.path().filename().string());
  EXPECT_EQ(names, (std::set<std::string>{"step_00000008", "step_00000010"}));
  EXPECT_EQ(readText(run.dir.path("run/checkpoints/step_00000010/spec.yaml")),
            "llmc: 1\n");
}

TEST(Trainer, TakesWeightsFromAFile) {
  TrainingRun first, second;
  ASSERT_EQ(first.run().code, 0);
  second.settings.model.weights =
      first.dir.path("run/checkpoints/step_00000010/model.safetensors");
  second.settings.train.schedule.lr = 0;
  RunEnd end = second.run();
  ASSERT_EQ(end.code, 0) << end.message;
  EXPECT_EQ(first.weights(10), second.weights(10));
  EXPECT_TRUE(contains(second.output(),
                       "weights: from '" + *second.settings.model.weights));
}

TEST(Trainer, RefusesASpecWithoutData) {
  TrainingRun run;
  run.settings.data.train.clear();
  RunEnd end = run.run();
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, "no data.train")) << end.message;
}

TEST(Trainer, RefusesWeightsOfAnotherModel) {
  TrainingRun run;
  run.settings.model.weights = run.dir.path("tokens.u8");
  EXPECT_EQ(run.run().code, exitcode::wrong);
  EXPECT_FALSE(std::filesystem::exists(run.dir.path("run")));
}

} // namespace
} // namespace llmc::rt

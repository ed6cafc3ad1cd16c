// Goes from a bundle's settings to metrics and checkpoints.
#ifndef LLMC_RUNTIME_EXECUTOR_TRAINER_H
#define LLMC_RUNTIME_EXECUTOR_TRAINER_H

#include "runtime/data/ValidationReader.h"
#include "runtime/executor/Executor.h"
#include "runtime/executor/FiniteCheck.h"
#include "runtime/executor/RunDirectory.h"
#include "runtime/executor/Trace.h"
#include "runtime/metrics/MetricsWriter.h"
#include "runtime/metrics/ProgressLine.h"
#include "runtime/metrics/Summary.h"

#include <chrono>

namespace llmc::rt {

struct RunOptions {
  bool overwrite = false;
  /// Ends after this many more steps.
  std::optional<int64_t> steps;
  /// Where to write a trace; empty: nowhere.
  std::string traceFile;
  bool checkFinite = false;
  /// Where progress goes.
  int output = 1;
};

/// What `llmc run` ends with.
namespace exitcode {
inline constexpr int done = 0;
/// The spec, the data or the command is wrong.
inline constexpr int wrong = 1;
inline constexpr int fault = 2;
inline constexpr int policy = 3;
} // namespace exitcode

struct RunEnd {
  int code = exitcode::done;
  /// Empty if all was done.
  std::string message;
};

/// Trains; everything is checked and allocated before the first step.
class Trainer {
public:
  static RunEnd run(Bundle bundle, const RunSettings &settings,
                    const RunOptions &options);

private:
  using Clock = std::chrono::steady_clock;

  Trainer(std::unique_ptr<Executor> executor, const RunSettings &settings,
          const RunOptions &options, BatchReader reader, RunLocks locks);

  // TrainerStart.cpp
  static Expected<std::unique_ptr<Trainer>>
  create(Bundle bundle, const RunSettings &settings, const RunOptions &options);
  Status openData();
  Status chooseLength();
  Status loadState();
  Status checkFirstTokens();
  Status openOutputs();
  void describe();

  // Trainer.cpp
  RunEnd loop();
  RunEnd trainSteps();
  RunEnd step();
  RunEnd afterStep();
  RunEnd nonfinite(const StepResult &result, double loss);
  Status report(const StepResult &result, double loss, int64_t counted,
                double lr, Clock::time_point begin);
  RunEnd validate();
  RunEnd save();
  RunEnd interrupted();
  /// After an error that left the weights as the last step made them.
  RunEnd saveThenFail(int code, const std::string &message);
  void writeOutcome(const RunEnd &end);
  bool timeIsUp() const;
  /// False for a target that executes nothing: there are no numbers to judge or
  /// to save.
  bool computes() const;

  /// A run of this many skipped steps has come to nothing.
  static constexpr int64_t mostSkipped = 100;

  RunSettings settings;
  RunOptions options;
  RunLocks locks;
  std::unique_ptr<Executor> executor;
  BatchReader reader;
  std::optional<ValidationReader> validation;
  CheckpointStore store;
  std::optional<MetricsWriter> metrics;
  std::optional<ProgressLine> progress;
  std::optional<Trace> trace;
  std::optional<FiniteCheck> finite;

  Clock::time_point started = Clock::now();
  /// Finished steps, of this run and the ones it goes on from.
  int64_t finished = 0;
  int64_t firstStep = 0;
  int64_t lastStep = 0;
  /// Where this process ends: lastStep or earlier.
  int64_t stopStep = 0;
  int64_t saved = -1;
  /// Skipped steps since the last one that was not.
  int64_t skipped = 0;
  uint64_t totalTokens = 0;
  std::string weightsFrom;
  std::vector<std::string> notes;
  RunSummary summary;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_TRAINER_H

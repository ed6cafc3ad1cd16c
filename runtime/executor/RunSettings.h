// The part of a spec that is not compiled in: data, schedule, where to write.
#ifndef LLMC_RUNTIME_EXECUTOR_RUNSETTINGS_H
#define LLMC_RUNTIME_EXECUTOR_RUNSETTINGS_H

#include "runtime/base/LearningRate.h"
#include "runtime/data/BatchReader.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llmc::rt {

/// Written by the compiler into settings.json of a bundle, in the sections of
/// the spec. Paths are absolute or relative to the working directory.
struct RunSettings {
  static constexpr int64_t formatVersion = 1;

  std::string name;

  struct Model {
    int64_t vocabSize = 0;
    /// File, index or directory of the initial weights; absent: from the seed.
    std::optional<std::string> weights;
    /// Dropped from the names of a weights file where they have it.
    std::string weightsPrefix;
    /// Names (with `*`) that a weights file may have beside the weights.
    std::vector<std::string> weightsBuffers;
    /// config.json for other programs, written beside exported weights.
    std::string config;
    /// What a run that goes on may not change, by the keys of the spec: a JSON
    /// object.
    std::string identity = "{}";
  } model;

  struct Train {
    uint64_t seed = 1;
    int64_t sequenceLength = 0;
    int64_t microBatchSize = 0;
    int64_t globalBatchSize = 0;
    /// Absent when data.epochs decides.
    std::optional<int64_t> trainSteps;
    std::optional<int64_t> ignoreLabel;
    bool ignoreBorderLabel = false;
    /// Compiled in; for the comparison with a checkpoint.
    struct Optimizer {
      std::string name;
      std::vector<double> betas;
      double eps = 0;
      double weightDecay = 0;
      double momentum = 0;
    } optimizer;
    /// `endStep` is the one below, or the length of the run.
    LearningRateSchedule schedule;
    std::optional<int64_t> endStep;
    /// Absent: no clipping.
    std::optional<double> clipGrad;
    /// What a step with a norm that is not finite does: end the run, or leave
    /// the weights as they are.
    bool skipNonfinite = false;
  } train;

  struct Data {
    std::vector<SourceSpec> train;
    /// Empty: no validation.
    std::vector<std::string> validation;
    TokenFormat format = TokenFormat::Auto;
    bool shuffle = true;
    std::optional<int64_t> epochs;
    std::optional<int64_t> endOfDocument;
    std::optional<int64_t> startOfDocument;
  } data;

  struct Validate {
    int64_t every = 250;
    std::optional<int64_t> windows;
  } validate;

  struct Checkpoint {
    std::string directory;
    int64_t every = 500;
    int64_t keep = 3;
    /// auto, never, or the path of a checkpoint.
    std::string resume = "auto";
  } checkpoint;

  struct Log {
    std::string directory;
    int64_t every = 10;
  } log;

  /// Seconds after which the run saves and ends.
  std::optional<double> stopAfter;

  struct Spec {
    std::string hash;
    /// The whole resolved spec.
    std::string text;
  } spec;

  BatchOptions batchOptions() const;
  int64_t microBatches() const {
    return train.globalBatchSize / train.microBatchSize;
  }

  std::string toJson() const;
  /// Parses and checks; `path` is for messages.
  static Expected<RunSettings> fromJson(std::string_view text,
                                        const std::string &path);

  /// Changes one setting by "key=value", with the key of the spec. What is
  /// compiled into a plan is refused.
  Status set(const std::string &assignment);
  /// Moves the run directory, and the checkpoints with it if they are inside.
  void setRunDirectory(const std::string &directory);
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_RUNSETTINGS_H

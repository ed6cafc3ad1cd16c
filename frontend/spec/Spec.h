// The sections of a spec as plain structs; the initialisers are the defaults.
#ifndef LLMC_FRONTEND_SPEC_SPEC_H
#define LLMC_FRONTEND_SPEC_SPEC_H

#include "frontend/yaml/SourceMark.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace llmc::frontend {

/// Which layer decided a value, weakest first.
enum class Origin { Default, Library, Config, Include, File, Set };

const char *toString(Origin origin);

struct ModelSection {
  std::string use;                    // as written
  std::string libraryFile;            // the library file it means
  std::optional<std::string> config;  // path of a config.json
  std::optional<std::string> weights; // file, index or directory
  /// Three states: not given; given as null (no window at all); given as W.
  bool slidingWindowGiven = false;
  std::optional<int64_t> slidingWindow;
  int64_t globalTokens = 0;
  bool documentMask = false;
  bool decomposeAttention = false;
};

struct PipelineSection {
  std::string schedule = "1f1b";
  int64_t virtualStages = 1;
  std::optional<std::vector<int64_t>> layers; // absent: auto
  std::optional<std::string> file;
};

struct ParallelSection {
  int64_t dp = 1, tp = 1, pp = 1, cp = 1, ep = 1;
  int64_t zero = 0;
  std::optional<int64_t> zeroGroup;
  bool sequenceParallel = true;
  PipelineSection pipeline;

  int64_t worldSize() const { return dp * cp * tp * pp; }
};

struct Fp16Section {
  double initialScale = 65536;
  int64_t growthInterval = 2000;
  double minScale = 1;
  int64_t maxSkips = 100;
};

struct Fp8Section {
  std::string recipe = "delayed";
  int64_t amaxHistory = 16;
  int64_t margin = 0;
  std::vector<std::string> exclude = {"first", "last"};
};

struct PrecisionSection {
  std::string compute = "fp32"; // fp32 | tf32 | bf16 | fp16 | fp8
  std::string master = "fp32";  // fp32 | none
  std::string gradients = "fp32";
  std::string reduce = "fp32";
  std::string optimizerState = "fp32"; // fp32 | bf16
  Fp16Section fp16;
  Fp8Section fp8;
};

struct Recompute {
  std::string kind = "none"; // none | full | selective | budget
  int64_t budget = 0;        // bytes, for budget
};

struct MemorySection {
  Recompute recompute;
  int64_t logitsLimit = int64_t(256) << 20;
};

struct OptimizerSection {
  std::string name = "adamw"; // adamw | sgd
  double lr = 6.0e-4;
  std::vector<double> betas = {0.9, 0.95}; // always two; adamw
  double eps = 1.0e-8;                     // adamw
  double momentum = 0;                     // sgd
  /// Absent: 0.1 for adamw, 0 for sgd. Set by the loader, so a loaded spec
  /// always has it.
  std::optional<double> weightDecay;
  std::vector<std::string> weightDecayExclude; // globs over tensor names
};

struct LrScheduleSection {
  std::string name = "constant"; // constant | linear | cosine | wsd
  int64_t warmupSteps = 0;
  std::optional<int64_t> endStep; // absent: the length of the run
  double minLr = 0;
  std::optional<int64_t> decaySteps; // wsd, required there
  std::string shape = "linear";      // linear | sqrt, for wsd
};

struct OnSpike {
  double zscore = 6;
  int64_t window = 128;
  int64_t limit = 5;
};

struct TrainSection {
  int64_t sequenceLength = 0;  // required
  int64_t microBatchSize = 0;  // required
  int64_t globalBatchSize = 0; // absent: micro_batch_size * dp, by the loader
  /// Exactly one of trainSteps, trainTokens and data.epochs is given.
  std::optional<int64_t> trainSteps;
  std::optional<int64_t> trainTokens;
  int64_t seed = 1;
  double dropout = 0;
  std::optional<int64_t> ignoreLabel;
  bool ignoreBorderLabel = false;
  OptimizerSection optimizer;
  LrScheduleSection lrSchedule;
  std::optional<double> clipGrad = 1.0;
  double zLoss = 0;
  std::string onNonfinite = "stop"; // stop | skip
  std::optional<OnSpike> onSpike;

  int64_t tokensPerStep() const { return globalBatchSize * sequenceLength; }
  /// Optimiser steps of the run; absent when data.epochs decides.
  std::optional<int64_t> steps() const;
};

/// One source: its files in order (globs are not expanded here).
struct DataSource {
  std::vector<std::string> paths; // absolute or relative to the working folder
  double weight = 1;
  SourceMark mark;
};

struct DataSection {
  std::vector<DataSource> train;      // empty: no data.train in the spec
  std::vector<DataSource> validation; // at most one source; may be empty
  std::string format = "auto";
  std::string tokenizer = "bytes";
  bool shuffle = true;
  std::optional<int64_t> epochs;
  std::optional<int64_t> endOfDocument;
  std::optional<int64_t> startOfDocument;
};

struct ValidateSection {
  int64_t every = 250;
  std::optional<int64_t> windows;
};

struct CheckpointSection {
  std::string directory; // by the loader: log.directory/checkpoints
  int64_t every = 500;
  int64_t keep = 3;
  bool keepBest = false;
  bool async = true;
  std::string resume = "auto"; // auto | never | a path
  bool newData = false;
};

struct LogSection {
  std::string directory; // by the loader: runs/NAME
  int64_t every = 10;
  bool tensorboard = false;
};

struct RunSection {
  std::optional<int64_t> threads;
  std::optional<int64_t> ranksPerHost;
  std::string comm = "auto"; // auto | local | mpi | nccl
  double timeoutSeconds = 600;
  std::optional<double> stopAfterSeconds;
};

struct TargetSection {
  std::string device = "cpu"; // cpu | cuda | ptxsim | null
  std::string arch = "native";
  std::optional<int64_t> memory; // bytes one rank may use
  std::optional<std::string> cluster;
};

/// Where the value of a key came from.
struct KeyOrigin {
  Origin origin = Origin::Default;
  SourceMark mark;
};

struct Spec {
  std::string file; // the spec file itself
  std::string name; // absent: the stem of the file
  ModelSection model;
  ParallelSection parallel;
  PrecisionSection precision;
  MemorySection memory;
  TrainSection train;
  DataSection data;
  ValidateSection validate;
  CheckpointSection checkpoint;
  LogSection log;
  RunSection run;
  TargetSection target;

  /// Dotted key (`train.optimizer.lr`, `model.hidden_size`) to its origin;
  /// keys that no layer names are absent.
  std::map<std::string, KeyOrigin> origins;

  bool given(const std::string &key) const { return origins.count(key) > 0; }
  /// The place of a key, else of the nearest section around it that a layer
  /// names, else the start of the spec file.
  SourceMark markOf(const std::string &key) const;
};

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_SPEC_H

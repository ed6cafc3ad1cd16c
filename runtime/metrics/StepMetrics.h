// The numbers of one optimiser step.
#ifndef LLMC_RUNTIME_METRICS_STEPMETRICS_H
#define LLMC_RUNTIME_METRICS_STEPMETRICS_H

#include <cstdint>
#include <optional>

namespace llmc::rt {

struct StepMetrics {
  /// From 1.
  int64_t step = 0;
  /// The mean over the counted tokens of the whole global batch.
  double loss = 0;
  /// Before clipping.
  double gradNorm = 0;
  double lr = 0;
  /// The counted tokens of this step, and of the run so far.
  int64_t tokens = 0;
  int64_t totalTokens = 0;
  double tokensPerSecond = 0;
  double stepSeconds = 0;
  /// Not set where the peak of the machine is not known.
  std::optional<double> mfu;
  /// All arenas of the rank with most.
  int64_t memoryBytes = 0;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_METRICS_STEPMETRICS_H

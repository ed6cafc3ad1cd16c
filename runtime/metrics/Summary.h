// The outcome of a run.
#ifndef LLMC_RUNTIME_METRICS_SUMMARY_H
#define LLMC_RUNTIME_METRICS_SUMMARY_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <optional>
#include <string>

namespace llmc::rt {

struct RunSummary {
  /// "finished", "stopped", "interrupted" or "failed".
  std::string outcome;
  /// Why, if it did not finish.
  std::string reason;
  std::string name;
  /// The optimiser steps that the run has behind it, and those it was to make.
  int64_t steps = 0;
  int64_t plannedSteps = 0;
  int64_t totalTokens = 0;
  /// Of the last step and the last validation.
  std::optional<double> loss;
  std::optional<double> validationLoss;
  double seconds = 0;
  int64_t memoryBytes = 0;
  /// Windows at the end of the last epoch that did not fill a global batch.
  uint64_t windowsLeft = 0;
  /// The newest checkpoint; empty if there is none.
  std::string checkpoint;
};

/// Replaces the file. What is not known is null; numbers that are not finite
/// are strings as in metrics.jsonl.
Status writeSummary(const std::string &path, const RunSummary &summary);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_METRICS_SUMMARY_H

// Which labels count, and the layout of tokens and labels in memory.
#ifndef LLMC_RUNTIME_DATA_BATCH_H
#define LLMC_RUNTIME_DATA_BATCH_H

#include <cstdint>
#include <optional>

namespace llmc::rt {

/// What a label that does not count is written as.
inline constexpr int32_t ignoredLabel = -1;

struct BatchOptions {
  int64_t sequenceLength = 0;
  int64_t microBatchSize = 0;
  int64_t dp = 1;
  int64_t globalBatchSize = 0;
  int64_t vocabSize = 0;
  std::optional<int64_t> ignoreLabel;
  /// At most one of the two is given.
  std::optional<int64_t> endOfDocument;
  std::optional<int64_t> startOfDocument;
  bool ignoreBorderLabel = false;

  /// The rows of one micro-batch over all replicas.
  int64_t rowsPerMicroBatch() const { return dp * microBatchSize; }
  int64_t microBatches() const { return globalBatchSize / rowsPerMicroBatch(); }
  /// The row of the global batch that is row `i` of a replica's micro-batch.
  int64_t globalRow(int64_t micro, int64_t replica, int64_t i) const {
    return (micro * dp + replica) * microBatchSize + i;
  }

  /// The label of the token after `input`: the token itself, or ignoredLabel.
  int32_t labelOf(uint32_t input, uint32_t next) const {
    if (ignoreLabel && next == *ignoreLabel)
      return ignoredLabel;
    bool border = (endOfDocument && input == *endOfDocument) ||
                  (startOfDocument && next == *startOfDocument);
    return ignoreBorderLabel && border ? ignoredLabel : int32_t(next);
  }

  int64_t countLabels(const uint32_t *window, int64_t labels) const {
    int64_t counted = 0;
    for (int64_t t = 0; t < labels; ++t)
      counted += labelOf(window[t], window[t + 1]) != ignoredLabel;
    return counted;
  }

  /// Writes a window of `labels` inputs and labels into column `column` of the
  /// sequence-first arrays [sequenceLength, microBatchSize]; the rest of the
  /// column is token 0 with labels that do not count.
  void fillColumn(const uint32_t *window, int64_t labels, int64_t column,
                  int32_t *tokensOut, int32_t *labelsOut) const {
    for (int64_t t = 0; t < sequenceLength; ++t) {
      int64_t at = t * microBatchSize + column;
      tokensOut[at] = t < labels ? int32_t(window[t]) : 0;
      labelsOut[at] =
          t < labels ? labelOf(window[t], window[t + 1]) : ignoredLabel;
    }
  }
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DATA_BATCH_H

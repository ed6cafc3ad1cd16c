// The same windows at every validation, grouped into micro-batches.
#ifndef LLMC_RUNTIME_DATA_VALIDATIONREADER_H
#define LLMC_RUNTIME_DATA_VALIDATIONREADER_H

#include "runtime/data/Batch.h"
#include "runtime/data/TokenSource.h"

#include <optional>
#include <string>
#include <vector>

namespace llmc::rt {

/// The validation data of a run. `windows` set: the first N windows of the
/// source. Not set: all of them, and what is left as one short window. A short
/// window and a micro-batch that is not full are padded with token 0 and labels
/// that do not count. Nothing is allocated after `open`.
class ValidationReader {
public:
  static Expected<ValidationReader> open(const std::vector<std::string> &paths,
                                         TokenFormat format,
                                         std::optional<int64_t> windows,
                                         const BatchOptions &options);

  int64_t windows() const { return count; }
  /// Micro-batches of all replicas that one validation runs.
  int64_t microBatches() const;

  /// Reads a micro-batch of all replicas, checks its tokens against the
  /// vocabulary and returns how many of its labels count.
  Expected<int64_t> load(int64_t micro);

  /// The part of a replica of the micro-batch loaded last, in the layout
  /// [sequence_length, micro_batch_size].
  void fill(int64_t replica, int32_t *tokens, int32_t *labels) const;

private:
  ValidationReader(TokenSource source, int64_t count,
                   const BatchOptions &options);
  /// The labels of a window: sequence_length, less in the last, 0 behind it.
  int64_t labelsOf(int64_t window) const;

  TokenSource source;
  BatchOptions config;
  int64_t count;
  int64_t loaded = 0;
  /// The windows of the micro-batch, sequence_length + 1 tokens each.
  std::vector<uint32_t> rows;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DATA_VALIDATIONREADER_H

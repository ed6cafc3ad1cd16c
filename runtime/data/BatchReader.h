// Reads and checks the windows of a step and hands out its micro-batches.
#ifndef LLMC_RUNTIME_DATA_BATCHREADER_H
#define LLMC_RUNTIME_DATA_BATCHREADER_H

#include "runtime/data/Batch.h"
#include "runtime/data/TokenSource.h"
#include "runtime/data/WindowOrder.h"

#include <string>
#include <vector>

namespace llmc::rt {

/// A source of the spec: its files and its weight in the mixture.
struct SourceSpec {
  /// Paths and globs.
  std::vector<std::string> paths;
  double weight = 1.0;
};

/// The training data of a run. Nothing is allocated after `open`.
class BatchReader {
public:
  /// Opens every file; a source with less than one window is an error.
  static Expected<BatchReader> open(const std::vector<SourceSpec> &sources,
                                    TokenFormat format, uint64_t seed,
                                    bool shuffle, const BatchOptions &options);

  const BatchOptions &options() const { return config; }
  uint64_t windowsPerEpoch() const { return order.windowsPerEpoch(); }
  /// Windows taken so far: the data position of a checkpoint.
  uint64_t position() const { return order.position(); }
  void seek(uint64_t position) { order.seek(position); }

  /// Reads the next global batch, checks its tokens against the vocabulary and
  /// returns how many of its labels count.
  Expected<int64_t> nextBatch();

  /// Micro-batch `micro` of a replica, of the batch read last: tokens and
  /// labels in the layout [sequence_length, micro_batch_size].
  void fill(int64_t micro, int64_t replica, int32_t *tokens,
            int32_t *labels) const;

private:
  BatchReader(std::vector<TokenSource> sources, WindowOrder order,
              const BatchOptions &options);

  std::vector<TokenSource> sources;
  WindowOrder order;
  BatchOptions config;
  /// The windows of the global batch, sequence_length + 1 tokens each. They are
  /// copied once, so that what was checked is what is trained on.
  std::vector<uint32_t> batch;
};

/// The first token of [0, n) that is not below `vocabSize`, or n.
int64_t findBadToken(const uint32_t *tokens, int64_t n, int64_t vocabSize);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DATA_BATCHREADER_H

// The order of the training windows of a run, a function of the seed and the
// position alone.
#ifndef LLMC_RUNTIME_DATA_WINDOWORDER_H
#define LLMC_RUNTIME_DATA_WINDOWORDER_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <vector>

namespace llmc::rt {

/// Where `index` of `count` windows goes in epoch `epoch` of source number
/// `source`: a bijection of [0, count) that needs no memory. It is a balanced
/// Feistel network of eight rounds over the smallest 2h bits that hold the
/// count, whose round function is Philox (key: seed xor the hash of "data
/// order"; counter: epoch, source, round, half). A result outside the range
/// goes through again until it is inside ("cycle walking"), on average less
/// than four times.
uint64_t permuteWindow(uint64_t index, uint64_t count, uint64_t seed,
                       uint32_t source, uint64_t epoch);

/// A source as the order sees it.
struct SourceShare {
  /// At least one.
  uint64_t windows;
  /// Positive; only the ratios count.
  double weight = 1.0;
};

struct WindowRef {
  uint32_t source;
  uint64_t index;
};

/// The windows of a run one after the other, without end. Each source goes
/// through its windows epoch after epoch; a global batch may take windows of
/// two epochs. Window k of the run comes from the source with the largest
/// `weight * k - taken`, the first of equals, weights scaled to sum 1.
class WindowOrder {
public:
  WindowOrder(std::vector<SourceShare> sources, uint64_t seed, bool shuffle);

  /// Makes `position` the next window. Costs nothing with one source, a walk
  /// over what comes before with several.
  void seek(uint64_t position);
  uint64_t position() const { return taken; }
  WindowRef next();

  /// One pass over all sources.
  uint64_t windowsPerEpoch() const;

private:
  uint32_t pickSource() const;

  std::vector<SourceShare> sources;
  /// How many windows were taken from each source, and in all.
  std::vector<uint64_t> takenFrom;
  uint64_t taken = 0;
  uint64_t seed;
  bool shuffle;
};

/// The optimiser steps of a run of whole epochs, and the windows that do not
/// fill a last global batch.
struct EpochSteps {
  uint64_t steps;
  uint64_t windowsLeft;
};

/// Fails when not even one global batch can be filled.
Expected<EpochSteps> stepsOfEpochs(uint64_t windowsPerEpoch, uint64_t epochs,
                                   uint64_t globalBatchSize);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DATA_WINDOWORDER_H

// The permutation of an epoch and the mixture of sources.
#include "runtime/data/WindowOrder.h"

#include "runtime/base/Philox.h"

#include <bit>

namespace llmc::rt {

static constexpr int feistelRounds = 8;

uint64_t permuteWindow(uint64_t index, uint64_t count, uint64_t seed,
                       uint32_t source, uint64_t epoch) {
  if (count <= 1)
    return index;
  int half = (std::bit_width(count - 1) + 1) / 2;
  uint64_t mask = (uint64_t(1) << half) - 1;
  // The draws of the data order must not meet those of other uses of the seed.
  uint64_t key = seed ^ hashName("data order");
  do {
    uint64_t left = index >> half, right = index & mask;
    for (int round = 0; round < feistelRounds; ++round) {
      // Rounds are told apart in the second word: the halves need at most 32
      // bits of the counter and the source has 24.
      uint64_t low = uint64_t(source) << 40 | uint64_t(round) << 32 | right;
      uint64_t mixed = left ^ (philox(key, epoch, low)[0] & mask);
      left = right;
      right = mixed;
    }
    index = left << half | right;
  } while (index >= count);
  return index;
}

WindowOrder::WindowOrder(std::vector<SourceShare> sources, uint64_t seed,
                         bool shuffle)
    : sources(std::move(sources)), takenFrom(this->sources.size(), 0),
      seed(seed), shuffle(shuffle) {
  double sum = 0;
  for (const SourceShare &source : this->sources)
    sum += source.weight;
  for (SourceShare &source : this->sources)
    source.weight /= sum;
}

uint64_t WindowOrder::windowsPerEpoch() const {
  uint64_t sum = 0;
  for (const SourceShare &source : sources)
    sum += source.windows;
  return sum;
}

uint32_t WindowOrder::pickSource() const {
  uint32_t best = 0;
  double largest = 0;
  for (uint32_t s = 0; s < sources.size(); ++s) {
    double owed = sources[s].weight * double(taken) - double(takenFrom[s]);
    if (s == 0 || owed > largest) {
      best = s;
      largest = owed;
    }
  }
  return best;
}

void WindowOrder::seek(uint64_t position) {
  if (sources.size() == 1) {
    taken = takenFrom[0] = position;
    return;
  }
  if (position < taken) {
    taken = 0;
    takenFrom.assign(sources.size(), 0);
  }
  for (; taken < position; ++taken)
    ++takenFrom[pickSource()];
}

WindowRef WindowOrder::next() {
  uint32_t source = pickSource();
  uint64_t count = sources[source].windows;
  uint64_t epoch = takenFrom[source] / count;
  uint64_t index = takenFrom[source] % count;
  ++takenFrom[source];
  ++taken;
  if (shuffle)
    index = permuteWindow(index, count, seed, source, epoch);
  return {source, index};
}

Expected<EpochSteps> stepsOfEpochs(uint64_t windowsPerEpoch, uint64_t epochs,
                                   uint64_t globalBatchSize) {
  uint64_t windows;
  if (__builtin_mul_overflow(windowsPerEpoch, epochs, &windows))
    return Status::error("data.epochs " + std::to_string(epochs) + " of " +
                         std::to_string(windowsPerEpoch) +
                         " windows are more than 2^64 windows");
  if (windows < globalBatchSize)
    return Status::error("data.epochs " + std::to_string(epochs) + " gives " +
                         std::to_string(windows) +
                         " windows, expected at least global_batch_size " +
                         std::to_string(globalBatchSize));
  return EpochSteps{windows / globalBatchSize, windows % globalBatchSize};
}

} // namespace llmc::rt

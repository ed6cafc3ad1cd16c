// Placement by decreasing best fit under three orders.
#include "passes/MemoryPlan/MemoryPlan.h"

#include "test/faults/Fault.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace llmc::memplan {
namespace {

int64_t alignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

bool liveTogether(const Buffer &a, const Buffer &b) {
  int64_t early = LLMC_FAULT("solver-overlaps") ? 1 : 0;
  return a.begin < b.end && b.begin < a.end - early;
}

/// The most bytes that are live at any position.
int64_t mostLiveBytes(const Problem &problem) {
  std::vector<std::pair<int64_t, int64_t>> changes; // position, bytes
  for (const Buffer &buffer : problem.buffers) {
    changes.emplace_back(buffer.begin, buffer.size);
    changes.emplace_back(buffer.end, -buffer.size);
  }
  // At equal positions what ends sorts first, as its bytes are negative.
  std::sort(changes.begin(), changes.end());
  int64_t live = 0, most = 0;
  for (auto [position, bytes] : changes) {
    live += bytes;
    most = std::max(most, live);
  }
  return most;
}

/// The offset of the smallest gap that holds the buffer between those placed
/// before it that live at the same time, else the end of the last of them.
int64_t bestFit(const Problem &problem, const std::vector<int64_t> &offsets,
                const std::vector<size_t> &placedByOffset,
                const Buffer &buffer) {
  std::optional<int64_t> best;
  int64_t bestGap = 0, free = 0; // nothing live lies at or beyond `free`
  for (size_t other : placedByOffset) {
    const Buffer &placed = problem.buffers[other];
    if (!liveTogether(placed, buffer))
      continue;
    int64_t start = alignUp(free, buffer.alignment);
    int64_t gap = offsets[other] - start;
    if (gap >= buffer.size && (!best || gap < bestGap)) {
      best = start;
      bestGap = gap;
    }
    free = std::max(free, offsets[other] + placed.size);
  }
  return best.value_or(alignUp(free, buffer.alignment));
}

Solution place(const Problem &problem, const std::vector<size_t> &order) {
  Solution solution;
  solution.offsets.assign(problem.buffers.size(), 0);
  std::vector<size_t> placedByOffset;
  for (size_t i : order) {
    const Buffer &buffer = problem.buffers[i];
    if (buffer.size == 0)
      continue;
    int64_t offset = bestFit(problem, solution.offsets, placedByOffset, buffer);
    solution.offsets[i] = offset;
    solution.peak = std::max(solution.peak, offset + buffer.size);
    auto at = std::upper_bound(placedByOffset.begin(), placedByOffset.end(),
                               offset, [&](int64_t value, size_t other) {
                                 return value < solution.offsets[other];
                               });
    placedByOffset.insert(at, i);
  }
  return solution;
}

/// All buffers by decreasing key; equal keys stay in the order of the problem.
template <typename Key>
std::vector<size_t> decreasing(const Problem &problem, Key key) {
  std::vector<size_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return key(problem.buffers[a]) > key(problem.buffers[b]);
  });
  return order;
}

} // namespace

Solution solve(const Problem &problem) {
  auto length = [](const Buffer &b) { return b.end - b.begin; };
  const std::vector<size_t> orders[] = {
      decreasing(problem,
                 [&](const Buffer &b) { return std::pair(b.size, length(b)); }),
      decreasing(problem,
                 [&](const Buffer &b) { return std::pair(length(b), b.size); }),
      decreasing(problem, [&](const Buffer &b) {
        return double(b.size) * double(length(b)); // may exceed 64 bits
      })};
  int64_t lowerBound = mostLiveBytes(problem);
  Solution best = place(problem, orders[0]);
  for (size_t i = 1; i < 3 && best.peak > lowerBound; ++i) {
    Solution other = place(problem, orders[i]);
    if (other.peak < best.peak)
      best = std::move(other);
  }
  best.lowerBound = lowerBound;
  return best;
}

} // namespace llmc::memplan

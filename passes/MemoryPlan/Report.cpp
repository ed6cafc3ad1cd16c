// A plan as text: what it needs, what fragmentation costs, who is to blame.
#include "passes/MemoryPlan/MemoryPlan.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace llmc::memplan {
namespace {

/// The first position at which the most bytes are live.
int64_t fullestPosition(const Problem &problem) {
  std::map<int64_t, int64_t> changes;
  for (const Buffer &buffer : problem.buffers) {
    changes[buffer.begin] += buffer.size;
    changes[buffer.end] -= buffer.size;
  }
  int64_t live = 0, most = 0, where = 0;
  for (auto [position, bytes] : changes) {
    live += bytes;
    if (live > most) {
      most = live;
      where = position;
    }
  }
  return where;
}

} // namespace

std::string report(const Problem &problem, const Solution &solution,
                   size_t count) {
  char percent[32];
  double lost = double(solution.peak - solution.lowerBound);
  std::snprintf(percent, sizeof(percent), "%.1f",
                solution.peak ? 100 * lost / double(solution.peak) : 0.0);
  std::string text = std::to_string(problem.buffers.size()) +
                     " buffers, peak " + std::to_string(solution.peak) +
                     " bytes, at least " + std::to_string(solution.lowerBound) +
                     ", fragmentation " + percent + " %\n";
  int64_t where = fullestPosition(problem);
  std::vector<size_t> live;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &buffer = problem.buffers[i];
    if (buffer.size > 0 && buffer.begin <= where && where < buffer.end)
      live.push_back(i);
  }
  if (live.empty())
    return text;
  std::stable_sort(live.begin(), live.end(), [&](size_t a, size_t b) {
    return problem.buffers[a].size > problem.buffers[b].size;
  });
  text += "largest of " + std::to_string(live.size()) + " live at position " +
          std::to_string(where) + ":\n";
  live.resize(std::min(live.size(), count));
  for (size_t i : live) {
    const Buffer &buffer = problem.buffers[i];
    text += "  " + std::to_string(buffer.size) + " bytes at " +
            std::to_string(solution.offsets[i]) + ": " + buffer.name + " [" +
            std::to_string(buffer.begin) + ", " + std::to_string(buffer.end) +
            ")\n";
  }
  return text;
}

} // namespace llmc::memplan

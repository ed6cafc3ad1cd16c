// The independent checker of a placement: one sweep over time that keeps the
// live buffers ordered by address.
#include "passes/MemoryPlan/MemoryPlan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace llmc::memplan {
namespace {

class Sweep {
public:
  Sweep(const Problem &problem, const Solution &solution)
      : problem(problem), solution(solution) {}

  std::vector<std::string> run();

private:
  void checkPlace(size_t i);
  void begin(size_t i);
  void finish(size_t i);
  void overlap(size_t a, size_t b, int64_t position);
  std::string describe(size_t i) const;

  const Problem &problem;
  const Solution &solution;
  std::vector<std::string> errors;
  std::map<int64_t, size_t> liveByOffset; // disjoint in address
  int64_t liveBytes = 0, mostLiveBytes = 0;
};

std::string Sweep::describe(size_t i) const {
  const Buffer &buffer = problem.buffers[i];
  return "buffer " + std::to_string(i) + " '" + buffer.name + "' at [" +
         std::to_string(solution.offsets[i]) + ", " +
         std::to_string(solution.offsets[i] + buffer.size) + ") live in [" +
         std::to_string(buffer.begin) + ", " + std::to_string(buffer.end) + ")";
}

void Sweep::checkPlace(size_t i) {
  const Buffer &buffer = problem.buffers[i];
  int64_t offset = solution.offsets[i];
  std::string who = "buffer " + std::to_string(i) + " '" + buffer.name + "'";
  if (offset < 0 || buffer.size > solution.peak ||
      offset > solution.peak - buffer.size)
    errors.push_back(who + " of " + std::to_string(buffer.size) +
                     " bytes stands at " + std::to_string(offset) +
                     ", expected within the " + std::to_string(solution.peak) +
                     " bytes of the arena");
  if (offset % buffer.alignment != 0)
    errors.push_back(who + " stands at " + std::to_string(offset) +
                     ", expected a multiple of " +
                     std::to_string(buffer.alignment));
}

void Sweep::overlap(size_t a, size_t b, int64_t position) {
  errors.push_back(describe(std::min(a, b)) + " overlaps " +
                   describe(std::max(a, b)) + " at position " +
                   std::to_string(position));
}

void Sweep::begin(size_t i) {
  const Buffer &buffer = problem.buffers[i];
  liveBytes += buffer.size;
  mostLiveBytes = std::max(mostLiveBytes, liveBytes);
  int64_t offset = solution.offsets[i];
  auto next = liveByOffset.lower_bound(offset);
  bool clash = false;
  if (next != liveByOffset.end() && next->first - offset < buffer.size) {
    overlap(i, next->second, buffer.begin);
    clash = true;
  }
  if (next != liveByOffset.begin()) {
    auto [start, previous] = *std::prev(next);
    if (offset - start < problem.buffers[previous].size) {
      overlap(i, previous, buffer.begin);
      clash = true;
    }
  }
  // Only disjoint buffers are kept, so the two neighbours show every clash.
  if (!clash)
    liveByOffset.emplace(offset, i);
}

void Sweep::finish(size_t i) {
  liveBytes -= problem.buffers[i].size;
  auto it = liveByOffset.find(solution.offsets[i]);
  if (it != liveByOffset.end() && it->second == i)
    liveByOffset.erase(it);
}

std::vector<std::string> Sweep::run() {
  if (solution.offsets.size() != problem.buffers.size())
    return {"the solution places " + std::to_string(solution.offsets.size()) +
            " buffers, expected " + std::to_string(problem.buffers.size())};
  // Position, 0 for an end and 1 for a begin, buffer.
  std::vector<std::tuple<int64_t, int, size_t>> events;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    checkPlace(i);
    if (problem.buffers[i].size == 0)
      continue;
    events.emplace_back(problem.buffers[i].begin, 1, i);
    events.emplace_back(problem.buffers[i].end, 0, i);
  }
  // Offsets outside the arena may overflow what follows.
  if (!errors.empty())
    return errors;
  std::sort(events.begin(), events.end());
  for (auto [position, isBegin, i] : events)
    isBegin ? begin(i) : finish(i);
  if (solution.lowerBound != mostLiveBytes)
    errors.push_back("the lower bound is " +
                     std::to_string(solution.lowerBound) + ", expected " +
                     std::to_string(mostLiveBytes) +
                     ", the most bytes live at once");
  return errors;
}

} // namespace

std::vector<std::string> verify(const Problem &problem,
                                const Solution &solution) {
  if (std::vector<std::string> errors = check(problem); !errors.empty())
    return errors;
  return Sweep(problem, solution).run();
}

} // namespace llmc::memplan

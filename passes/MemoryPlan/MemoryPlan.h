// The placement of buffers in one arena as a problem of its own: a problem is
// checked, solved, and the solution verified by code that shares nothing with
// the solver.
#ifndef LLMC_PASSES_MEMORYPLAN_MEMORYPLAN_H
#define LLMC_PASSES_MEMORYPLAN_MEMORYPLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace llmc::memplan {

/// One block of memory that must exist from position `begin` up to, but not
/// including, position `end` of the final order. A result that nobody reads
/// still lives at the position that writes it. The interval of a buffer that an
/// asynchronous operation touches reaches to the end of its wait.
struct Buffer {
  std::string name;
  int64_t size = 0; // bytes; a buffer of no bytes overlaps nothing
  int64_t begin = 0;
  int64_t end = 0;
  int64_t alignment = 64; // bytes, a power of two
};

/// A buffer's number is its index here and in `Solution::offsets`.
struct Problem {
  std::vector<Buffer> buffers;
};

struct Solution {
  std::vector<int64_t> offsets;
  int64_t peak = 0;       // bytes of the arena
  int64_t lowerBound = 0; // most bytes live at once: no plan can need less
};

/// Everything that is wrong with the problem itself, one message a fault;
/// empty if it may be solved. It bounds the sum of all sizes, so that no
/// arithmetic on a checked problem can overflow.
std::vector<std::string> check(const Problem &problem);

/// Places the buffers of a checked problem: best fit in three orders (size,
/// length of life, their product; each decreasing), the smallest result wins.
/// The result depends on the problem only.
Solution solve(const Problem &problem);

/// Everything that is wrong with a solution, found by a sweep over time: two
/// buffers that are live together and overlap, a wrong alignment, a buffer
/// outside the arena, a wrong lower bound. Empty if it is good.
std::vector<std::string> verify(const Problem &problem,
                                const Solution &solution);

/// Text for people: peak, lower bound, what fragmentation costs, and the
/// `count` largest buffers that are live where the most bytes are.
std::string report(const Problem &problem, const Solution &solution,
                   size_t count = 5);

} // namespace llmc::memplan

#endif // LLMC_PASSES_MEMORYPLAN_MEMORYPLAN_H

// The rules that a memory problem must keep before it may be solved.
#include "passes/MemoryPlan/MemoryPlan.h"

#include <limits>

namespace llmc::memplan {
namespace {

/// Largest alignment worth asking for: a huge page.
constexpr int64_t maxAlignment = int64_t(1) << 21;

std::string interval(const Buffer &buffer) {
  return "[" + std::to_string(buffer.begin) + ", " +
         std::to_string(buffer.end) + ")";
}

} // namespace

std::vector<std::string> check(const Problem &problem) {
  std::vector<std::string> errors;
  int64_t total = 0;
  bool overflows = false;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &buffer = problem.buffers[i];
    std::string who = "buffer " + std::to_string(i) + " '" + buffer.name + "'";
    bool aligned = buffer.alignment > 0 && buffer.alignment <= maxAlignment &&
                   (buffer.alignment & (buffer.alignment - 1)) == 0;
    if (!aligned)
      errors.push_back(who + " has alignment " +
                       std::to_string(buffer.alignment) +
                       ", expected a power of two of at most " +
                       std::to_string(maxAlignment));
    if (buffer.begin < 0 || buffer.begin >= buffer.end)
      errors.push_back(who + " lives in " + interval(buffer) +
                       ", expected at least one position from 0 on");
    if (buffer.size < 0) {
      errors.push_back(who + " has " + std::to_string(buffer.size) +
                       " bytes, expected at least 0");
      continue;
    }
    // No placement ends beyond the sum of all sizes with their padding.
    int64_t padding = aligned ? buffer.alignment - 1 : 0;
    overflows |= __builtin_add_overflow(total, buffer.size, &total) ||
                 __builtin_add_overflow(total, padding, &total);
  }
  if (overflows)
    errors.push_back("the sizes of all " +
                     std::to_string(problem.buffers.size()) +
                     " buffers add up to more than " +
                     std::to_string(std::numeric_limits<int64_t>::max()) +
                     " bytes, expected at most that");
  return errors;
}

} // namespace llmc::memplan

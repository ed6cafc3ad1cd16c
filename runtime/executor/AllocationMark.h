// Lets a tool that counts allocations tell steps from start-up and saving.
#ifndef LLMC_RUNTIME_EXECUTOR_ALLOCATIONMARK_H
#define LLMC_RUNTIME_EXECUTOR_ALLOCATIONMARK_H

namespace llmc::rt {

/// Ends the interval since the last mark and names it: calls the function
/// `void llmc_mark_interval(const char *)` if a preloaded library has one.
void markInterval(const char *name);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_ALLOCATIONMARK_H

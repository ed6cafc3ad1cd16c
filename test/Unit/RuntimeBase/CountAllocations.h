// Replaces the global operator new: for exactly one source of an executable.
#ifndef LLMC_TEST_UNIT_RUNTIMEBASE_COUNTALLOCATIONS_H
#define LLMC_TEST_UNIT_RUNTIMEBASE_COUNTALLOCATIONS_H

#include <atomic>
#include <cstdlib>
#include <new>

inline std::atomic<long> allocationCount = 0;

void *operator new(std::size_t size) {
  ++allocationCount;
  return std::malloc(size ? size : 1);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

#endif // LLMC_TEST_UNIT_RUNTIMEBASE_COUNTALLOCATIONS_H

// The memory of an arena.
#ifndef LLMC_RUNTIME_DEVICE_HOSTMEMORY_H
#define LLMC_RUNTIME_DEVICE_HOSTMEMORY_H

#include "runtime/base/Status.h"

#include <cstdint>

namespace llmc::rt {

/// Zeroed memory from the operating system, at the start of a page.
class HostMemory {
public:
  /// Maps exactly `bytes`; nothing for 0.
  static Expected<HostMemory> map(uint64_t bytes, const std::string &what);

  HostMemory() = default;
  HostMemory(HostMemory &&other) noexcept
      : start(std::exchange(other.start, nullptr)),
        length(std::exchange(other.length, 0)) {}
  HostMemory &operator=(HostMemory &&other) noexcept {
    std::swap(start, other.start);
    std::swap(length, other.length);
    return *this;
  }
  ~HostMemory();

  uint8_t *data() const { return start; }
  uint64_t size() const { return length; }

private:
  uint8_t *start = nullptr;
  uint64_t length = 0;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DEVICE_HOSTMEMORY_H

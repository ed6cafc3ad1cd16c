// Mapping of an arena's memory.
#include "runtime/device/HostMemory.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace llmc::rt {

Expected<HostMemory> HostMemory::map(uint64_t bytes, const std::string &what) {
  HostMemory result;
  if (bytes == 0)
    return result;
  void *data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    int code = errno;
    return Status::error("cannot allocate " + std::to_string(bytes) +
                         " bytes for " + what + ": " + std::strerror(code));
  }
  // Large pages where the system has them: the first touch of an arena costs
  // a fraction, and so do later misses. Without them nothing is lost.
  (void)madvise(data, bytes, MADV_HUGEPAGE);
  result.start = static_cast<uint8_t *>(data);
  result.length = bytes;
  return result;
}

HostMemory::~HostMemory() {
  if (start)
    munmap(start, length);
}

} // namespace llmc::rt

// The replaced global operators new and delete, and their pool.
#include "runtime/device/cpu/StepMemory.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

/// Blocks of one size: oneDNN asks for some tens of map nodes, bucket arrays
/// and short vectors at a time.
class Pool {
public:
  static constexpr size_t blockBytes = 512;
  static constexpr size_t blocks = 512;

  /// Null when the request does not fit.
  void *take(size_t bytes) {
    if (bytes > blockBytes)
      return nullptr;
    Lock lock(busy);
    if (freeCount > 0)
      return freeBlocks[--freeCount];
    return used < blocks ? &memory[blockBytes * used++] : nullptr;
  }

  bool owns(const void *pointer) const {
    auto address = reinterpret_cast<uintptr_t>(pointer);
    auto start = reinterpret_cast<uintptr_t>(memory.data());
    return address >= start && address < start + memory.size();
  }

  void give(void *pointer) {
    Lock lock(busy);
    freeBlocks[freeCount++] = pointer;
  }

private:
  /// A block may be freed by another thread than the one that took it.
  class Lock {
  public:
    explicit Lock(std::atomic_flag &flag) : flag(flag) {
      while (flag.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Lock() { flag.clear(std::memory_order_release); }

  private:
    std::atomic_flag &flag;
  };

  alignas(std::max_align_t) std::array<std::byte, blockBytes * blocks> memory{};
  std::array<void *, blocks> freeBlocks{};
  size_t freeCount = 0;
  size_t used = 0;
  std::atomic_flag busy;
};

constinit Pool pool{};
constinit thread_local bool poolActive = false;

void *allocate(size_t bytes) {
  if (poolActive)
    if (void *block = pool.take(bytes))
      return block;
  // A request of 0 bytes has an address of its own too.
  return std::malloc(bytes ? bytes : 1);
}

} // namespace

namespace llmc::rt {

StepMemoryScope::StepMemoryScope() : before(poolActive) { poolActive = true; }
StepMemoryScope::~StepMemoryScope() { poolActive = before; }

} // namespace llmc::rt

void *operator new(size_t bytes, const std::nothrow_t &) noexcept {
  return allocate(bytes);
}

void *operator new(size_t bytes) {
  while (true) {
    if (void *block = allocate(bytes))
      return block;
    std::new_handler handler = std::get_new_handler();
    if (!handler) {
      std::fputs("llmc: error: out of memory\n", stderr);
      std::abort();
    }
    handler();
  }
}

void operator delete(void *block) noexcept {
  if (pool.owns(block))
    pool.give(block);
  else
    std::free(block);
}

void operator delete(void *block, size_t) noexcept { operator delete(block); }

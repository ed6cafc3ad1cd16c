// The pool behind operator new: blocks, what does not fit, and other threads.
#include "runtime/device/cpu/StepMemory.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace llmc::rt {
namespace {

/// Kept out of the optimiser's sight, which may drop a pair of new and delete.
void *volatile sink;

void *take(size_t bytes) {
  void *block = ::operator new(bytes);
  sink = block;
  return block;
}

TEST(StepMemory, ABlockIsUsedAgain) {
  StepMemoryScope scope;
  void *first = take(100);
  ::operator delete(first);
  void *second = take(40);
  EXPECT_EQ(first, second);
  ::operator delete(second);
}

TEST(StepMemory, BlocksDoNotOverlap) {
  StepMemoryScope scope;
  std::vector<uint8_t *> blocks;
  blocks.reserve(1000);
  for (int i = 0; i < 1000; ++i) { // more than the pool has
    blocks.push_back(static_cast<uint8_t *>(take(512)));
    std::memset(blocks.back(), i & 255, 512);
  }
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(blocks[i][0], i & 255);
    EXPECT_EQ(blocks[i][511], i & 255);
    ::operator delete(blocks[i]);
  }
}

TEST(StepMemory, LargeBlocksComeFromMalloc) {
  StepMemoryScope scope;
  void *small = take(8);
  ::operator delete(small);
  void *large = take(1 << 20);
  std::memset(large, 1, 1 << 20);
  EXPECT_NE(large, small);
  ::operator delete(large);
}

TEST(StepMemory, ABlockMayOutliveItsScopeAndItsThread) {
  std::unique_ptr<int> value;
  std::thread([&] {
    StepMemoryScope scope;
    value = std::make_unique<int>(7);
  }).join();
  EXPECT_EQ(*value, 7);
}

TEST(StepMemory, OtherThreadsDoNotUseThePool) {
  StepMemoryScope scope;
  void *mine = take(64);
  ::operator delete(mine);
  void *other = nullptr;
  std::thread([&] { other = take(64); }).join();
  EXPECT_NE(other, mine);
  ::operator delete(other);
}

} // namespace
} // namespace llmc::rt

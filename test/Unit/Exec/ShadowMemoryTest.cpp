// Tests of the map of who wrote each byte last.
#include "passes/Exec/Replay.h"

#include "gtest/gtest.h"

using namespace llmc::exec;

namespace {

/// Owners that differ in the micro-batch alone need no ops.
Owner owner(int64_t number) { return {nullptr, number}; }

TEST(ShadowMemoryTest, NobodyOwnsWhatWasNeverWritten) {
  ShadowMemory memory;
  EXPECT_EQ(memory.findOther(0, 8, owner(1)), Owner());
  memory.write(8, 16, owner(1));
  EXPECT_EQ(memory.findOther(4, 12, owner(1)), Owner());
  EXPECT_EQ(memory.findOther(12, 20, owner(1)), Owner());
}

TEST(ShadowMemoryTest, AnOwnerFindsItsBytesInPieces) {
  ShadowMemory memory;
  memory.write(0, 8, owner(1));
  memory.write(16, 24, owner(1));
  EXPECT_EQ(memory.findOther(0, 24, owner(1)), Owner());
  memory.write(8, 16, owner(1));
  EXPECT_EQ(memory.findOther(0, 24, owner(1)), std::nullopt);
  EXPECT_EQ(memory.findOther(3, 21, owner(1)), std::nullopt);
}

TEST(ShadowMemoryTest, AWriteInTheMiddleLeavesBothEnds) {
  ShadowMemory memory;
  memory.write(0, 24, owner(1));
  memory.write(8, 16, owner(2));
  EXPECT_EQ(memory.findOther(0, 8, owner(1)), std::nullopt);
  EXPECT_EQ(memory.findOther(16, 24, owner(1)), std::nullopt);
  EXPECT_EQ(memory.findOther(0, 24, owner(1)), owner(2));
  EXPECT_EQ(memory.findOther(7, 16, owner(2)), owner(1));
}

TEST(ShadowMemoryTest, AWriteOverSeveralRangesTakesThemAll) {
  ShadowMemory memory;
  memory.write(0, 8, owner(1));
  memory.write(8, 16, owner(2));
  memory.write(16, 24, owner(3));
  memory.write(4, 20, owner(4));
  EXPECT_EQ(memory.findOther(4, 20, owner(4)), std::nullopt);
  EXPECT_EQ(memory.findOther(0, 4, owner(1)), std::nullopt);
  EXPECT_EQ(memory.findOther(20, 24, owner(3)), std::nullopt);
}

} // namespace

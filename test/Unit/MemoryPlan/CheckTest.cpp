// Which memory problems are accepted.
#include "passes/MemoryPlan/MemoryPlan.h"

#include <gtest/gtest.h>

#include <limits>

using namespace llmc::memplan;

namespace {

constexpr int64_t huge = std::numeric_limits<int64_t>::max();

std::vector<std::string> checkOne(Buffer buffer) {
  return check({{std::move(buffer)}});
}

TEST(MemoryPlanCheck, AcceptsNoBuffers) { EXPECT_TRUE(check({}).empty()); }

TEST(MemoryPlanCheck, AcceptsABufferWithoutBytes) {
  EXPECT_TRUE(checkOne({"none", 0, 0, 1}).empty());
}

TEST(MemoryPlanCheck, AcceptsMoreThan32Bits) {
  EXPECT_TRUE(checkOne({"big", int64_t(1) << 40, 0, 1}).empty());
}

TEST(MemoryPlanCheck, RejectsANegativeSize) {
  auto errors = checkOne({"x", -1, 0, 1});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0], "buffer 0 'x' has -1 bytes, expected at least 0");
}

TEST(MemoryPlanCheck, RejectsAnEmptyInterval) {
  auto errors = checkOne({"x", 8, 3, 3});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0], "buffer 0 'x' lives in [3, 3), expected at least one "
                       "position from 0 on");
}

TEST(MemoryPlanCheck, RejectsAReversedInterval) {
  EXPECT_EQ(checkOne({"x", 8, 4, 3}).size(), 1u);
}

TEST(MemoryPlanCheck, RejectsANegativeBegin) {
  EXPECT_EQ(checkOne({"x", 8, -1, 3}).size(), 1u);
}

TEST(MemoryPlanCheck, RejectsAnAlignmentThatIsNoPowerOfTwo) {
  for (int64_t alignment : {int64_t(0), int64_t(-64), int64_t(48), huge}) {
    auto errors = checkOne({"x", 8, 0, 1, alignment});
    ASSERT_EQ(errors.size(), 1u) << alignment;
    EXPECT_EQ(errors[0], "buffer 0 'x' has alignment " +
                             std::to_string(alignment) +
                             ", expected a power of two of at most 2097152");
  }
}

TEST(MemoryPlanCheck, RejectsSizesWhoseSumOverflows) {
  auto errors = check({{{"a", huge - 100, 0, 1}, {"b", 64, 5, 6}}});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0], "the sizes of all 2 buffers add up to more than "
                       "9223372036854775807 bytes, expected at most that");
}

TEST(MemoryPlanCheck, ReportsEveryFault) {
  EXPECT_EQ(
      check({{{"a", -1, 0, 1}, {"b", 1, 2, 2}, {"c", 1, 0, 1, 3}}}).size(), 3u);
}

} // namespace

// Wrong placements are refused with the buffers named; good ones are reported.
#include "passes/MemoryPlan/MemoryPlan.h"

#include <gtest/gtest.h>

#include <random>

using namespace llmc::memplan;

namespace {

Problem twoLiveTogether() {
  return {{{"left", 64, 0, 3}, {"right", 128, 2, 4}}};
}

TEST(MemoryPlanVerify, AcceptsTouchingBuffers) {
  EXPECT_TRUE(verify(twoLiveTogether(), {{0, 64}, 192, 192}).empty());
}

TEST(MemoryPlanVerify, AcceptsOnePlaceAtTwoTimes) {
  Problem problem{{{"left", 64, 0, 2}, {"right", 64, 2, 4}}};
  EXPECT_TRUE(verify(problem, {{0, 0}, 64, 64}).empty());
}

TEST(MemoryPlanVerify, NamesTwoBuffersThatOverlap) {
  auto errors = verify(twoLiveTogether(), {{64, 0}, 192, 192});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0],
            "buffer 0 'left' at [64, 128) live in [0, 3) overlaps buffer 1 "
            "'right' at [0, 128) live in [2, 4) at position 2");
}

TEST(MemoryPlanVerify, FindsAnOverlapWithTheBufferAbove) {
  EXPECT_EQ(verify(twoLiveTogether(), {{64, 0}, 192, 192}).size(), 1u);
  EXPECT_EQ(verify(twoLiveTogether(), {{0, 0}, 192, 192}).size(), 1u);
}

TEST(MemoryPlanVerify, FindsAnOverlapInTheLastByteOfMany) {
  Problem problem{{{"a", 64, 0, 9, 1}, {"b", 64, 0, 9, 1}, {"c", 64, 4, 5, 1}}};
  EXPECT_TRUE(verify(problem, {{0, 128, 64}, 192, 192}).empty());
  EXPECT_EQ(verify(problem, {{0, 128, 65}, 193, 192}).size(), 1u);
  EXPECT_EQ(verify(problem, {{0, 128, 63}, 192, 192}).size(), 1u);
}

TEST(MemoryPlanVerify, RejectsAMissingOffset) {
  auto errors = verify(twoLiveTogether(), {{0}, 192, 192});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0], "the solution places 1 buffers, expected 2");
}

TEST(MemoryPlanVerify, RejectsABufferOutsideTheArena) {
  auto errors = verify(twoLiveTogether(), {{0, 64}, 191, 192});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0], "buffer 1 'right' of 128 bytes stands at 64, expected "
                       "within the 191 bytes of the arena");
  EXPECT_EQ(verify(twoLiveTogether(), {{-64, 64}, 192, 192}).size(), 1u);
  EXPECT_EQ(verify(twoLiveTogether(), {{INT64_MAX - 63, 64}, 192, 192}).size(),
            1u);
}

TEST(MemoryPlanVerify, RejectsAWrongAlignment) {
  auto errors = verify(twoLiveTogether(), {{0, 72}, 200, 192});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0],
            "buffer 1 'right' stands at 72, expected a multiple of 64");
}

TEST(MemoryPlanVerify, RejectsAWrongLowerBound) {
  auto errors = verify(twoLiveTogether(), {{0, 64}, 192, 128});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0], "the lower bound is 128, expected 192, the most bytes "
                       "live at once");
}

TEST(MemoryPlanVerify, RejectsAProblemThatIsNotLegal) {
  EXPECT_EQ(verify({{{"x", 64, 1, 1}}}, {{0}, 64, 64}).size(), 1u);
}

TEST(MemoryPlanVerify, FindsEveryPlantedOverlap) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Problem problem;
    for (int64_t i = 0; i < 30; ++i) {
      int64_t begin = int64_t(random() % 30);
      problem.buffers.push_back({"b" + std::to_string(i),
                                 64 + int64_t(random() % 1000), begin,
                                 begin + 1 + int64_t(random() % 20), 1});
    }
    Solution solution = solve(problem);
    ASSERT_TRUE(verify(problem, solution).empty());
    // Two that live together and the one moved onto the other's last byte.
    size_t a = random() % 30, b = random() % 30;
    const Buffer &x = problem.buffers[a], &y = problem.buffers[b];
    if (a == b || x.begin >= y.end || y.begin >= x.end)
      continue;
    solution.offsets[a] = solution.offsets[b] + y.size - 1;
    solution.peak += x.size;
    ASSERT_FALSE(verify(problem, solution).empty()) << round;
  }
}

TEST(MemoryPlanReport, SaysWhoIsLiveAtThePeak) {
  Problem problem{
      {{"small", 64, 0, 9}, {"large", 192, 4, 6}, {"end", 8, 8, 9}}};
  EXPECT_EQ(report(problem, {{192, 0, 0}, 320, 256}),
            "3 buffers, peak 320 bytes, at least 256, fragmentation 20.0 %\n"
            "largest of 2 live at position 4:\n"
            "  192 bytes at 0: large [4, 6)\n"
            "  64 bytes at 192: small [0, 9)\n");
}

TEST(MemoryPlanReport, ListsNoMoreThanAsked) {
  Problem problem{{{"a", 64, 0, 1}, {"b", 64, 0, 1}}};
  std::string text = report(problem, solve(problem), 1);
  EXPECT_NE(text.find("a [0, 1)"), std::string::npos);
  EXPECT_EQ(text.find("b [0, 1)"), std::string::npos);
}

TEST(MemoryPlanReport, AnEmptyArenaHasNoFragmentation) {
  EXPECT_EQ(report({}, solve({})),
            "0 buffers, peak 0 bytes, at least 0, fragmentation 0.0 %\n");
}

} // namespace

// Placements: legal, small, and the same every time.
#include "passes/MemoryPlan/MemoryPlan.h"

#include <gtest/gtest.h>

#include <random>

using namespace llmc::memplan;

namespace {

/// A layered program's buffers at random: some live long, most do not.
Problem randomProblem(uint32_t seed, size_t count, int64_t largest) {
  std::mt19937_64 random(seed);
  auto below = [&](int64_t n) { return int64_t(random() % uint64_t(n)); };
  Problem problem;
  for (size_t i = 0; i < count; ++i) {
    int64_t begin = below(int64_t(count));
    int64_t length = 1 + (below(4) == 0 ? below(int64_t(count)) : below(5));
    int64_t size = below(8) == 0 ? 0 : below(largest);
    problem.buffers.push_back({"b" + std::to_string(i), size, begin,
                               begin + length, int64_t(1) << below(9)});
  }
  return problem;
}

TEST(MemoryPlanSolve, NoBuffersNeedNothing) {
  Solution solution = solve({});
  EXPECT_EQ(solution.peak, 0);
  EXPECT_EQ(solution.lowerBound, 0);
}

TEST(MemoryPlanSolve, SequentialBuffersShareOnePlace) {
  Problem problem{{{"a", 128, 0, 1}, {"b", 64, 1, 2}, {"c", 100, 2, 3}}};
  Solution solution = solve(problem);
  EXPECT_EQ(solution.offsets, (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(solution.peak, 128);
}

TEST(MemoryPlanSolve, BuffersOfOneTimeStandApart) {
  Problem problem{{{"a", 64, 0, 2}, {"b", 128, 1, 3}}};
  Solution solution = solve(problem);
  EXPECT_EQ(solution.offsets, (std::vector<int64_t>{128, 0}));
  EXPECT_EQ(solution.peak, 192);
  EXPECT_EQ(solution.lowerBound, 192);
}

TEST(MemoryPlanSolve, OffsetsAreAligned) {
  Problem problem{{{"a", 100, 0, 2}, {"b", 8, 0, 2, 4096}, {"c", 3, 0, 2, 1}}};
  Solution solution = solve(problem);
  EXPECT_TRUE(verify(problem, solution).empty());
  EXPECT_EQ(solution.offsets[1] % 4096, 0);
}

TEST(MemoryPlanSolve, ABufferWithoutBytesTakesNoPlace) {
  Problem problem{{{"a", 64, 0, 2}, {"none", 0, 0, 2}, {"b", 64, 0, 2}}};
  Solution solution = solve(problem);
  EXPECT_EQ(solution.peak, 128);
  EXPECT_TRUE(verify(problem, solution).empty());
}

TEST(MemoryPlanSolve, TheSmallestGapThatHoldsItIsTaken) {
  // a to e stand one above the other in this order. When b and d are gone, f
  // fits both holes and must take that of d, so that g still finds that of b.
  Problem problem{{{"a", 64 * 20, 0, 9},
                   {"b", 64 * 16, 0, 3},
                   {"c", 64 * 14, 0, 9},
                   {"d", 64 * 12, 0, 3},
                   {"e", 64 * 11, 0, 9},
                   {"f", 64 * 10, 3, 9},
                   {"g", 64 * 9, 3, 9}}};
  Solution solution = solve(problem);
  EXPECT_TRUE(verify(problem, solution).empty());
  EXPECT_EQ(solution.offsets[5], solution.offsets[3]);
  EXPECT_EQ(solution.offsets[6], solution.offsets[1]);
  EXPECT_EQ(solution.peak, solution.lowerBound);
}

TEST(MemoryPlanSolve, SizesBeyond32BitsAreExact) {
  int64_t tib = int64_t(1) << 40;
  Problem problem{{{"a", 5 * tib, 0, 2}, {"b", 3 * tib + 1, 1, 3}}};
  Solution solution = solve(problem);
  EXPECT_EQ(solution.peak, 8 * tib + 1);
  EXPECT_TRUE(verify(problem, solution).empty());
}

TEST(MemoryPlanSolve, RandomProblemsAreSolvedLegally) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Problem problem = randomProblem(seed, 1 + seed % 90, 1 + 5000 * (seed % 7));
    ASSERT_TRUE(check(problem).empty()) << seed;
    Solution solution = solve(problem);
    auto errors = verify(problem, solution);
    ASSERT_TRUE(errors.empty()) << seed << ": " << errors[0];
    ASSERT_GE(solution.peak, solution.lowerBound) << seed;
  }
}

TEST(MemoryPlanSolve, TheSameProblemGivesTheSamePlan) {
  Problem problem = randomProblem(7, 200, 100000);
  EXPECT_EQ(solve(problem).offsets, solve(problem).offsets);
}

// The buffers of a forward and backward nest like brackets; there a plan
// without any loss exists, and it must be found.
TEST(MemoryPlanSolve, NestedLivesLoseNothing) {
  Problem problem;
  for (int64_t i = 0; i < 100; ++i)
    problem.buffers.push_back(
        {"saved" + std::to_string(i), 64 * (1 + i % 7), i, 200 - i});
  Solution solution = solve(problem);
  EXPECT_EQ(solution.peak, solution.lowerBound);
}

TEST(MemoryPlanSolve, ThousandsOfBuffersStaySmall) {
  Problem problem = randomProblem(3, 4000, 1 << 20);
  Solution solution = solve(problem);
  EXPECT_TRUE(verify(problem, solution).empty());
  EXPECT_LT(double(solution.peak), 1.2 * double(solution.lowerBound));
}

} // namespace

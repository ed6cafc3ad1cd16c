// Schedule problems, and the lists that gpipe and 1f1b give.
#include "passes/Scheduling/Schedule.h"

#include <gtest/gtest.h>

using namespace llmc::sched;

namespace {

constexpr ScheduleKind gpipe = ScheduleKind::GPipe;
constexpr ScheduleKind oneF1B = ScheduleKind::OneForwardOneBackward;

std::string list(const ScheduleProblem &problem, size_t rank) {
  return print(solve(problem).ranks[rank]);
}

TEST(SchedulingSolve, TwoStagesOf1f1b) {
  ScheduleProblem problem{2, 2, 2, oneF1B};
  EXPECT_EQ(list(problem, 0),
            "0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1 0U");
  EXPECT_EQ(list(problem, 1),
            "1RECV_F0 1F0 1B0 1SEND_B0 1RECV_F1 1F1 1B1 1SEND_B1 1U");
}

TEST(SchedulingSolve, TwoStagesOfGPipe) {
  ScheduleProblem problem{2, 2, 2, gpipe};
  EXPECT_EQ(list(problem, 0),
            "0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1 0U");
  EXPECT_EQ(list(problem, 1),
            "1RECV_F0 1F0 1RECV_F1 1F1 1B0 1SEND_B0 1B1 1SEND_B1 1U");
}

TEST(SchedulingSolve, AMiddleStageReceivesAndSendsBothWays) {
  EXPECT_EQ(list({3, 3, 1, oneF1B}, 1),
            "1RECV_F0 1F0 1SEND_F0 1RECV_B0 1B0 1SEND_B0 1U");
}

TEST(SchedulingSolve, OneStageAlternatesWith1f1b) {
  EXPECT_EQ(list({1, 1, 3, oneF1B}, 0), "0F0 0B0 0F1 0B1 0F2 0B2 0U");
}

TEST(SchedulingSolve, OneStageOfGPipeRunsAllForwardsFirst) {
  EXPECT_EQ(list({1, 1, 2, gpipe}, 0), "0F0 0F1 0B0 0B1 0U");
}

TEST(SchedulingSolve, EveryScheduleIsGoodAndLiveAsKnown) {
  for (ScheduleKind kind : {gpipe, oneF1B})
    for (int64_t stages = 1; stages <= 8; ++stages)
      for (int64_t microbatches = 1; microbatches <= 12; ++microbatches) {
        ScheduleProblem problem{stages, stages, microbatches, kind};
        Verdict verdict = verify(problem, solve(problem));
        ASSERT_TRUE(verdict.errors.empty())
            << stages << " " << microbatches << ": " << verdict.errors[0];
        for (int64_t s = 0; s < stages; ++s)
          EXPECT_EQ(verdict.live[size_t(s)],
                    kind == gpipe ? microbatches
                                  : std::min(microbatches, stages - s));
      }
}

TEST(SchedulingCheck, AcceptsFewerMicrobatchesThanStages) {
  EXPECT_TRUE(check({4, 4, 1, oneF1B}).empty());
}

TEST(SchedulingCheck, RejectsNoStagesAndNoMicrobatches) {
  auto errors = check({0, 0, 0, oneF1B});
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0], "found 0 stages, expected at least 1");
  EXPECT_EQ(errors[1], "found 0 micro-batches, expected at least 1");
}

TEST(SchedulingCheck, RejectsMoreStagesThanRanks) {
  auto errors = check({4, 2, 1, gpipe});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0], "gpipe runs one stage on each rank; found 4 stages on 2 "
                       "ranks, expected 4 ranks");
}

TEST(SchedulingCheck, RejectsMoreActionsThanMemoryHolds) {
  for (int64_t microbatches : {int64_t(1) << 40, INT64_MAX}) {
    auto errors = check({2, 2, microbatches, gpipe});
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0], std::to_string(microbatches) +
                             " micro-batches on 2 stages are too many; "
                             "expected at most 16777216 actions, six a stage "
                             "and micro-batch");
  }
}

TEST(SchedulingCheck, KindsHaveTheNamesOfTheSpec) {
  EXPECT_EQ(parseScheduleKind("gpipe"), gpipe);
  EXPECT_EQ(parseScheduleKind("1f1b"), oneF1B);
  EXPECT_EQ(print(oneF1B), "1f1b");
}

TEST(SchedulingCheck, RejectsUnknownKinds) {
  EXPECT_FALSE(parseScheduleKind("1F1B"));
  EXPECT_FALSE(parseScheduleKind("zb-h1"));
}

} // namespace

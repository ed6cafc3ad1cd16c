// Hand-written schedules: good ones pass, each kind of fault is found.
#include "passes/Scheduling/Schedule.h"

#include <gtest/gtest.h>

using namespace llmc::sched;

namespace {

Verdict verifyText(int64_t microbatches, std::vector<std::string> lists) {
  Schedule schedule;
  for (const std::string &text : lists) {
    std::string error;
    auto actions = parseActions(text, error);
    EXPECT_TRUE(actions) << error;
    schedule.ranks.push_back(actions.value_or(std::vector<Action>()));
  }
  int64_t ranks = int64_t(lists.size());
  return verify({ranks, ranks, microbatches}, schedule);
}

/// The one fault of a schedule.
std::string faultOf(int64_t microbatches, std::vector<std::string> lists) {
  Verdict verdict = verifyText(microbatches, std::move(lists));
  EXPECT_EQ(verdict.errors.size(), 1u);
  return verdict.errors.empty() ? "" : verdict.errors[0];
}

const char *rank0 = "0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1 0U";
const char *rank1 = "1RECV_F0 1F0 1B0 1SEND_B0 1RECV_F1 1F1 1B1 1SEND_B1 1U";

TEST(SchedulingVerify, CountsLiveMicrobatches) {
  Verdict verdict = verifyText(2, {rank0, rank1});
  ASSERT_TRUE(verdict.errors.empty()) << verdict.errors[0];
  EXPECT_EQ(verdict.live, (std::vector<int64_t>{2, 1}));
}

TEST(SchedulingVerify, AReceivePostedEarlyTakesASlot) {
  Verdict verdict = verifyText(
      2, {rank0, "1RECV_F0 1RECV_F1 1F0 1B0 1SEND_B0 1F1 1B1 1SEND_B1 1U"});
  ASSERT_TRUE(verdict.errors.empty()) << verdict.errors[0];
  EXPECT_EQ(verdict.live, (std::vector<int64_t>{2, 2}));
}

TEST(SchedulingVerify, BackwardsMayRunInAnyAgreedOrder) {
  EXPECT_TRUE(verifyText(2, {"0F0 0F1 0B1 0B0 0U"}).errors.empty());
}

TEST(SchedulingVerify, RejectsABackwardBeforeItsForward) {
  EXPECT_EQ(faultOf(1, {"0B0 0F0 0U"}),
            "rank 0: found 0B0 before 0F0, expected it after");
}

TEST(SchedulingVerify, RejectsAMissingBackward) {
  EXPECT_EQ(faultOf(2, {"0F0 0B0 0F1 0U"}),
            "rank 0: found no 0B1, expected it once");
}

TEST(SchedulingVerify, RejectsAMissingUpdate) {
  EXPECT_EQ(faultOf(1, {"0F0 0B0"}), "rank 0: found no 0U, expected it once");
}

TEST(SchedulingVerify, RejectsARepeatedForward) {
  EXPECT_EQ(faultOf(1, {"0F0 0F0 0B0 0U"}),
            "rank 0: found 0F0 a second time, expected it once");
}

TEST(SchedulingVerify, RejectsWorkAfterTheUpdate) {
  EXPECT_EQ(faultOf(1, {"0F0 0U 0B0"}),
            "rank 0: found 0B0 after 0U, expected the update last");
}

TEST(SchedulingVerify, RejectsTheStageOfAnotherRank) {
  EXPECT_EQ(faultOf(1, {"0F0 0B0 1F0 0U"}),
            "rank 0: found 1F0, expected only actions of stage 0 of 1 and "
            "micro-batches below 1");
}

TEST(SchedulingVerify, RejectsAMicrobatchOutOfRange) {
  faultOf(1, {"0F0 0B0 0F1 0U"});
}

TEST(SchedulingVerify, RejectsASendAtTheEndOfThePipeline) {
  faultOf(1, {"0F0 0SEND_F0 0B0 0U"});
}

TEST(SchedulingVerify, RejectsAMissingReceive) {
  EXPECT_EQ(faultOf(1, {"0F0 0SEND_F0 0RECV_B0 0B0 0U", "1F0 1B0 1SEND_B0 1U"}),
            "rank 1: found no 1RECV_F0, expected it once");
}

TEST(SchedulingVerify, RejectsAReceiveAfterItsReader) {
  EXPECT_EQ(faultOf(1, {"0F0 0SEND_F0 0RECV_B0 0B0 0U",
                        "1F0 1RECV_F0 1B0 1SEND_B0 1U"}),
            "rank 1: found 1F0 before 1RECV_F0, expected it after");
}

TEST(SchedulingVerify, RejectsASendBeforeItsForward) {
  faultOf(1, {"0SEND_F0 0F0 0RECV_B0 0B0 0U", "1RECV_F0 1F0 1B0 1SEND_B0 1U"});
}

TEST(SchedulingVerify, RejectsASendAfterTheSlotIsFree) {
  EXPECT_EQ(faultOf(1, {"0F0 0RECV_B0 0B0 0SEND_F0 0U",
                        "1RECV_F0 1F0 1B0 1SEND_B0 1U"}),
            "rank 0: found 0B0 before 0SEND_F0, expected it after");
}

TEST(SchedulingVerify, RejectsAWrongNumberOfLists) {
  Verdict verdict = verify({2, 2, 1}, {{{}}});
  ASSERT_EQ(verdict.errors.size(), 1u);
  EXPECT_EQ(verdict.errors[0], "found the lists of 1 ranks, expected 2");
}

TEST(SchedulingVerify, ReportsADeadlock) {
  // Rank 0 wants its first gradient before it sends the second micro-batch;
  // rank 1 wants both first.
  EXPECT_EQ(
      faultOf(2, {"0F0 0SEND_F0 0RECV_B0 0B0 0F1 0SEND_F1 0RECV_B1 0B1 0U",
                  "1RECV_F0 1F0 1RECV_F1 1F1 1B0 1SEND_B0 1B1 1SEND_B1 "
                  "1U"}),
      "deadlock: rank 0 waits at 0B0 (action 3) for its receive to "
      "complete; rank 1 waits at 1F1 (action 3) for its receive to "
      "complete");
}

TEST(SchedulingVerify, ADeadlockNamesWhoWaitsForASlot) {
  // Ranks 0 and 1 wait for each other, so nobody takes what rank 2 sent from
  // the slot that it wants to use again.
  EXPECT_EQ(faultOf(2, {"0F0 0SEND_F0 0RECV_B0 0B0 0F1 0SEND_F1 0RECV_B1 0B1 "
                        "0U",
                        "1RECV_F0 1F0 1SEND_F0 1RECV_F1 1F1 1SEND_F1 1RECV_B0 "
                        "1B0 1SEND_B0 1RECV_B1 1B1 1SEND_B1 1U",
                        "2RECV_F0 2F0 2B0 2SEND_B0 2RECV_F1 2F1 2B1 2SEND_B1 "
                        "2U"}),
            "deadlock: rank 0 waits at 0B0 (action 3) for its receive to "
            "complete; rank 1 waits at 1F1 (action 4) for its receive to "
            "complete; rank 2 waits at 2RECV_F1 (action 4) for the sends from "
            "slot 0 to complete");
}

TEST(SchedulingVerify, RejectsReceivesInAnotherOrderThanSends) {
  EXPECT_EQ(faultOf(2, {"0F0 0F1 0SEND_F1 0SEND_F0 0RECV_B0 0B0 0RECV_B1 0B1 "
                        "0U",
                        rank1}),
            "message 0 from stage 0 to stage 1 forward sends micro-batch 1, "
            "expected micro-batch 0 by the receiver");
}

TEST(SchedulingVerify, RejectsAProblemThatIsNotLegal) {
  EXPECT_FALSE(verify({0, 0, 1}, {}).errors.empty());
}

} // namespace

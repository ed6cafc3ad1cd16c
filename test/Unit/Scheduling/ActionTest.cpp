// The text of actions.
#include "passes/Scheduling/Action.h"

#include <gtest/gtest.h>

using namespace llmc::sched;

namespace {

std::string errorOf(std::string_view text) {
  std::string error;
  EXPECT_FALSE(parseActions(text, error)) << text;
  return error;
}

TEST(SchedulingAction, EveryKindSurvivesPrintingAndParsing) {
  std::string text = "0F0 1B2 0U 0SEND_F0 12RECV_F3 1SEND_B34 0RECV_B1";
  std::string error;
  auto actions = parseActions(text, error);
  ASSERT_TRUE(actions) << error;
  ASSERT_EQ(actions->size(), 7u);
  EXPECT_EQ((*actions)[1], (Action{1, ActionKind::Backward, 2}));
  EXPECT_EQ((*actions)[4], (Action{12, ActionKind::ReceiveForward, 3}));
  EXPECT_EQ(print(*actions), text);
}

TEST(SchedulingAction, WhiteSpaceIsFree) {
  std::string error;
  auto actions = parseActions(" \n0F0\t 0B0  ", error);
  ASSERT_TRUE(actions);
  EXPECT_EQ(print(*actions), "0F0 0B0");
}

TEST(SchedulingAction, NothingIsAnEmptyList) {
  std::string error;
  auto actions = parseActions("", error);
  ASSERT_TRUE(actions);
  EXPECT_TRUE(actions->empty());
}

TEST(SchedulingAction, RejectsAMissingStage) {
  EXPECT_EQ(errorOf("0F0 F0"), "action 1: found 'F0', expected an action that "
                               "starts with a stage number, such as 0F0");
}

TEST(SchedulingAction, RejectsANegativeStage) { errorOf("-1F0"); }

TEST(SchedulingAction, RejectsAnUnknownKind) {
  EXPECT_EQ(errorOf("0W1"), "action 0: found '0W1', expected F, B, U, SEND_F, "
                            "RECV_F, SEND_B or RECV_B after the stage");
}

TEST(SchedulingAction, RejectsAMissingMicrobatch) {
  EXPECT_EQ(errorOf("0SEND_F"), "action 0: found '0SEND_F', expected a "
                                "micro-batch number at the end");
}

TEST(SchedulingAction, RejectsTextAfterTheMicrobatch) { errorOf("0F1x"); }

TEST(SchedulingAction, RejectsAMicrobatchOfAnUpdate) {
  EXPECT_EQ(errorOf("0U1"),
            "action 0: found '0U1', expected no micro-batch after U");
}

TEST(SchedulingAction, RejectsNumbersBeyond64Bits) {
  errorOf("99999999999999999999F0");
  errorOf("0F99999999999999999999");
}

} // namespace

// Values, errors and their texts.
#include "runtime/base/Status.h"

#include <gtest/gtest.h>

namespace llmc::rt {
namespace {

TEST(Status, SuccessHasNoMessage) {
  Status status = Status::success();
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.message(), "");
}

TEST(Status, ErrorKeepsItsMessageWhenMoved) {
  Status status = Status::error("found 1, expected 2");
  Status moved = std::move(status);
  EXPECT_FALSE(moved);
  EXPECT_EQ(moved.message(), "found 1, expected 2");
}

TEST(Expected, HoldsMoveOnlyValues) {
  Expected<std::unique_ptr<int>> value(std::make_unique<int>(7));
  ASSERT_TRUE(value);
  EXPECT_EQ(**value, 7);
  EXPECT_TRUE(value.takeStatus().ok());
}

TEST(Expected, GivesTheErrorAway) {
  Expected<int> value(Status::error("no"));
  EXPECT_FALSE(value);
  EXPECT_EQ(value.message(), "no");
  EXPECT_EQ(value.takeStatus().message(), "no");
}

} // namespace
} // namespace llmc::rt

// Numbers, units and booleans of a spec.
#include "frontend/spec/Scalars.h"

#include "gtest/gtest.h"

using namespace llmc::frontend;

namespace {

TEST(Scalars, Integers) {
  EXPECT_EQ(parseInteger("12"), 12);
  EXPECT_EQ(parseInteger("-3"), -3);
  EXPECT_EQ(parseInteger("1_000"), 1000);
  EXPECT_EQ(parseInteger("10k"), 10000);
  EXPECT_EQ(parseInteger("1.5B"), 1500000000);
  EXPECT_EQ(parseInteger("2M"), 2000000);
  EXPECT_EQ(parseInteger("1e6"), 1000000);
}

TEST(Scalars, WrongIntegers) {
  for (const char *text :
       {"", "x", "1.5", "_1", "1_", "1__0", "0x10", "1kk",
        "9223372036854775808", "10000000000B", "1e30", "k", "--1", "1 "})
    EXPECT_FALSE(parseInteger(text)) << text;
}

TEST(Scalars, Reals) {
  EXPECT_EQ(parseReal("6e-4"), 6e-4);
  EXPECT_EQ(parseReal("6.0e-4"), 6e-4);
  EXPECT_EQ(parseReal("1_000.5"), 1000.5);
  EXPECT_EQ(parseReal("-.5"), -0.5);
}

TEST(Scalars, WrongReals) {
  for (const char *text :
       {"", "nan", "inf", "-inf", ".nan", "1e999", "1e-3x", "1,5", "e5"})
    EXPECT_FALSE(parseReal(text)) << text;
}

TEST(Scalars, Bytes) {
  EXPECT_EQ(parseBytes("512MiB"), int64_t(512) << 20);
  EXPECT_EQ(parseBytes("2GiB"), int64_t(2) << 30);
  EXPECT_EQ(parseBytes("0.5KiB"), 512);
  EXPECT_EQ(parseBytes("1024"), 1024);
  EXPECT_FALSE(parseBytes("5MB"));
  EXPECT_FALSE(parseBytes("MiB"));
  EXPECT_FALSE(parseBytes("9000000000GiB"));
}

TEST(Scalars, Durations) {
  EXPECT_EQ(parseDuration("600s"), 600.0);
  EXPECT_EQ(parseDuration("10m"), 600.0);
  EXPECT_EQ(parseDuration("1.5h"), 5400.0);
  EXPECT_FALSE(parseDuration("600"));
  EXPECT_FALSE(parseDuration("s"));
}

TEST(Scalars, OnlyTrueAndFalseAreBooleans) {
  EXPECT_EQ(parseBoolean("true"), true);
  EXPECT_EQ(parseBoolean("false"), false);
  for (const char *text : {"yes", "on", "True", "1", ""})
    EXPECT_FALSE(parseBoolean(text)) << text;
}

TEST(Scalars, IntegersAndRealsOfOneValueAreEqual) {
  EXPECT_TRUE(Value{int64_t(2)} == Value{2.0});
  EXPECT_FALSE(Value{int64_t(2)} == Value{std::string("2")});
}

TEST(Scalars, RealsReadBackFromJson) {
  for (double value : {0.1, 6e-4, 1.0, 1e-8, 123456789.0, 1e300})
    EXPECT_EQ(parseReal(realToJson(value)), value);
}

TEST(Scalars, TextIsEscaped) {
  EXPECT_EQ(textToJson("a\"b\\\n\x01"), "\"a\\\"b\\\\\\n\\u0001\"");
}

} // namespace

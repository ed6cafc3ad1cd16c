// Good and hostile texts.
#include "runtime/base/Json.h"

#include "test/Unit/RuntimeBase/TempFiles.h"

namespace llmc::rt {
namespace {

TEST(Json, ReadsMembersByType) {
  Expected<Json> json = parseJson(R"({"a": "x", "b": -3})", "f");
  ASSERT_TRUE(json) << json.message();
  EXPECT_EQ(*jsonString(*json, "a", "f"), "x");
  EXPECT_EQ(*jsonInteger(*json, "b", "f"), -3);
}

TEST(Json, AWrongTypeIsNamed) {
  Expected<Json> json = parseJson(R"({"a": "x"})", "f");
  EXPECT_EQ(jsonInteger(*json, "a", "f").message(),
            "'f': key 'a' is string, expected an integer of 64 bits");
  EXPECT_EQ(jsonString(*json, "b", "f").message(),
            "'f': key 'b' is missing, expected a string");
}

TEST(Json, AnIntegerThatDoesNotFitIsRefused) {
  Expected<Json> json = parseJson(R"({"a": 18446744073709551615})", "f");
  ASSERT_TRUE(json);
  EXPECT_FALSE(jsonInteger(*json, "a", "f"));
}

TEST(Json, ACutTextIsRefused) {
  Expected<Json> json = parseJson(R"({"a": [1, 2)", "f");
  EXPECT_EQ(json.message(), "'f': not valid JSON");
}

TEST(Json, AKeyGivenTwiceIsRefused) {
  Expected<Json> json = parseJson(R"({"a": {"b": 1, "c": 1, "b": 2}})", "f");
  EXPECT_EQ(json.message(), "'f': key 'b' is given twice");
}

TEST(Json, TheSameKeyInTwoObjectsIsFine) {
  EXPECT_TRUE(parseJson(R"([{"b": 1}, {"b": 2}])", "f"));
}

TEST(Json, DeepNestingIsRefused) {
  Expected<Json> json = parseJson(std::string(1000000, '['), "f");
  EXPECT_EQ(json.message(), "'f': JSON nested deeper than 64 levels");
}

TEST(Json, BytesThatAreNotUtf8AreReplacedOnOutput) {
  EXPECT_EQ(dumpJson(Json("a\xff")), "\"a\xEF\xBF\xBD\"");
}

TEST(Json, AMissingFileIsNamed) {
  EXPECT_EQ(readJsonFile("/nowhere").message(),
            "cannot read '/nowhere': No such file or directory");
}

} // namespace
} // namespace llmc::rt

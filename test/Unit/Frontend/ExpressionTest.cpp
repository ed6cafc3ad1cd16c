// The expressions of the model library.
#include "frontend/spec/Expression.h"

#include "gtest/gtest.h"

using namespace llmc::frontend;

namespace {

/// The value as JSON, or the fault.
std::string eval(const std::string &text) {
  ExpressionScope scope;
  scope.size = [](const std::string &name,
                  std::string &fault) -> std::optional<Value> {
    if (name == "hidden")
      return Value{int64_t(30)};
    if (name == "heads")
      return Value{int64_t(4)};
    if (name == "model.window")
      return Value{};
    fault = "$" + name + " is not a size";
    return std::nullopt;
  };
  std::string fault;
  std::optional<Value> value = evaluateExpression(text, scope, fault);
  return value ? toJson(*value) : fault;
}

TEST(Expression, Arithmetic) {
  EXPECT_EQ(eval("4 * $hidden"), "120");
  EXPECT_EQ(eval("1 + 2 * 3 - 4"), "3");
  EXPECT_EQ(eval("(1 + 2) * 3"), "9");
  EXPECT_EQ(eval("$hidden % $heads"), "2");
  EXPECT_EQ(eval("-3 + 1"), "-2");
  EXPECT_EQ(eval("1.0 / 4"), "0.25");
}

TEST(Expression, Powers) {
  EXPECT_EQ(eval("2 ** 3 ** 2"), "512");
  EXPECT_EQ(eval("$heads ** -0.5"), "0.5");
  EXPECT_EQ(eval("-2 ** 2"), "-4");
  EXPECT_EQ(eval("(-1) ** 1000001"), "-1");
}

TEST(Expression, SquareRoot) {
  EXPECT_EQ(eval("0.02 / sqrt(2 * 8)"), "0.005");
  EXPECT_EQ(eval("sqrt(-1)"), "sqrt(-1) is not a finite number");
}

TEST(Expression, Comparisons) {
  EXPECT_EQ(eval("$hidden % $heads == 0"), "false");
  EXPECT_EQ(eval("2 >= 2"), "true");
  EXPECT_EQ(eval("2 < 2.5"), "true");
  EXPECT_EQ(eval("gelu != silu"), "true");
}

TEST(Expression, WordsAreText) {
  EXPECT_EQ(eval("gelu_new"), "\"gelu_new\"");
  EXPECT_EQ(eval("null"), "null");
  EXPECT_EQ(eval("$model.window"), "null");
  EXPECT_EQ(eval("true"), "true");
}

TEST(Expression, DivisionOfIntegersMustDivide) {
  EXPECT_EQ(eval("$hidden / $heads"), "30 / 4 does not divide");
  EXPECT_EQ(eval("1 / 0"), "1 / 0 divides by zero");
  EXPECT_EQ(eval("1 % 0"), "1 % 0 divides by zero");
}

TEST(Expression, OverflowIsAFault) {
  EXPECT_EQ(eval("9223372036854775807 + 1"),
            "9223372036854775807 + 1 is too large");
  EXPECT_EQ(eval("10 ** 40"), "10 ** 40 is too large");
  EXPECT_EQ(eval("1e300 * 1e300"), "1e+300 * 1e+300 is not a finite number");
}

TEST(Expression, WrongTextIsAFault) {
  EXPECT_EQ(eval("1 +"), "the expression ends where a value was expected");
  EXPECT_EQ(eval("(1"), "expected ) in the expression");
  EXPECT_EQ(eval("1 2"), "found \"2\", expected the end of the expression");
  EXPECT_EQ(eval("$nothing"), "$nothing is not a size");
  EXPECT_EQ(eval("1 + silu"), "\"silu\" is not a number");
  EXPECT_EQ(eval("1 & 2"), "found \"& 2\", expected the end of the expression");
}

TEST(Expression, DepthIsBounded) {
  EXPECT_EQ(eval(std::string(5000, '(')), "nested more than 64 levels deep");
  EXPECT_EQ(eval(std::string(5000, '-')), "nested more than 64 levels deep");
}

} // namespace

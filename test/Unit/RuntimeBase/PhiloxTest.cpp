// Published answers, stability, and moments of the normal numbers.
#include "runtime/base/Philox.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace llmc::rt {
namespace {

using Words = std::array<uint32_t, 4>;

TEST(Philox, MatchesThePublishedAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, WordsOf64BitsAreLowFirst) {
  std::array<uint64_t, 2> out =
      philox(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88);
  EXPECT_EQ(out[0], 0x94fdccebd16cfe09u);
  EXPECT_EQ(out[1], 0x24126ea15001e420u);
}

TEST(HashName, IsFnv1a) {
  EXPECT_EQ(hashName(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hashName("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hashName("foobar"), 0x85944171f73967e8u);
}

TEST(NormalAt, IsBoxMullerOfTheTwoWords) {
  uint64_t name = hashName("wte.weight");
  std::array<uint64_t, 2> bits = philox(5, name, 17);
  double u = std::ldexp(double((bits[0] >> 11) + 1), -53);
  double v = std::ldexp(double(bits[1] >> 11), -53);
  EXPECT_DOUBLE_EQ(normalAt(5, name, 17),
                   std::sqrt(-2 * std::log(u)) *
                       std::cos(2 * std::acos(-1.0) * v));
}

TEST(NormalAt, DependsOnSeedNameAndElement) {
  double value = normalAt(1, 2, 3);
  EXPECT_EQ(value, normalAt(1, 2, 3));
  EXPECT_NE(value, normalAt(2, 2, 3));
  EXPECT_NE(value, normalAt(1, 3, 3));
  EXPECT_NE(value, normalAt(1, 2, 4));
}

TEST(NormalAt, HasTheMomentsOfANormalNumber) {
  constexpr int n = 200000;
  double sum = 0, square = 0, fourth = 0;
  for (int e = 0; e < n; ++e) {
    double x = normalAt(1, hashName("h.0.attn.c_attn.weight"), uint64_t(e));
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(square / n, 1, 0.02);
  EXPECT_NEAR(fourth / n, 3, 0.15);
}

TEST(FillNormal, RoundsOnceAndCanBeginAnywhere) {
  std::vector<float> whole(10), part(4);
  fillNormal(whole.data(), 10, 9, 11, 0, 0.02);
  fillNormal(part.data(), 4, 9, 11, 6, 0.02);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(part[i], whole[6 + i]);
    EXPECT_EQ(part[i], float(0.02 * normalAt(9, 11, uint64_t(6 + i))));
  }
}

} // namespace
} // namespace llmc::rt

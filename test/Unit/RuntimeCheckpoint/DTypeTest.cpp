// Every half and bfloat16 there and back, and the rounding of floats.
#include "runtime/checkpoint/DType.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace llmc::rt {
namespace {

uint16_t convert(FloatType type, float value) {
  uint8_t bytes[2];
  fromFloats(type, &value, 1, bytes);
  uint16_t bits;
  std::memcpy(&bits, bytes, 2);
  return bits;
}

float convertBack(FloatType type, uint16_t bits) {
  uint8_t bytes[2];
  std::memcpy(bytes, &bits, 2);
  float value;
  toFloats(type, bytes, 1, &value);
  return value;
}

TEST(DType, KnowsSizesAndFloats) {
  EXPECT_EQ(findDType("BF16")->bits, 16u);
  EXPECT_EQ(findDType("F4")->bits, 4u);
  EXPECT_EQ(findDType("F64")->floatType, FloatType::F64);
  EXPECT_FALSE(findDType("I64")->floatType);
  EXPECT_EQ(findDType("F128"), nullptr);
  EXPECT_EQ(floatTypeName(FloatType::F16), "F16");
  EXPECT_EQ(floatTypeBytes(FloatType::F64), 8u);
}

TEST(DType, EverySixteenBitFloatSurvives) {
  for (FloatType type : {FloatType::F16, FloatType::BF16})
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      float value = convertBack(type, uint16_t(bits));
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(convertBack(type, convert(type, value))));
      else
        ASSERT_EQ(convert(type, value), bits) << value;
    }
}

TEST(DType, HalfValues) {
  EXPECT_EQ(convertBack(FloatType::F16, 0x3C00), 1.0f);
  EXPECT_EQ(convertBack(FloatType::F16, 0xC000), -2.0f);
  EXPECT_EQ(convertBack(FloatType::F16, 0x7BFF), 65504.0f);
  EXPECT_EQ(convertBack(FloatType::F16, 0x0001), 0x1p-24f);
  EXPECT_TRUE(std::isinf(convertBack(FloatType::F16, 0x7C00)));
}

TEST(DType, HalvesRoundToNearestEven) {
  EXPECT_EQ(convert(FloatType::F16, 1.0f + 0x1p-11f), 0x3C00);
  EXPECT_EQ(convert(FloatType::F16, 1.0f + 0x1.8p-10f), 0x3C02);
  EXPECT_EQ(convert(FloatType::F16, 1.0f + 0x1.1p-11f), 0x3C01);
  EXPECT_EQ(convert(FloatType::F16, 65519.0f), 0x7BFF);
  EXPECT_EQ(convert(FloatType::F16, 65520.0f), 0x7C00);
  EXPECT_EQ(convert(FloatType::F16, 0x1p-25f), 0x0000);
  EXPECT_EQ(convert(FloatType::F16, 0x1.1p-25f), 0x0001);
  EXPECT_EQ(convert(FloatType::F16, 0x1.ffep-15f), 0x0400);
}

TEST(DType, BfloatsRoundToNearestEven) {
  EXPECT_EQ(convert(FloatType::BF16, 1.0f), 0x3F80);
  EXPECT_EQ(convert(FloatType::BF16, 1.0f + 0x1p-8f), 0x3F80);
  EXPECT_EQ(convert(FloatType::BF16, 1.0f + 0x1.8p-7f), 0x3F82);
  EXPECT_EQ(convert(FloatType::BF16, std::numeric_limits<float>::max()),
            0x7F80);
}

TEST(DType, DoublesRoundOnce) {
  double value = 1.0 + 0x1p-24 + 0x1p-50;
  uint8_t bytes[8];
  std::memcpy(bytes, &value, 8);
  float out;
  toFloats(FloatType::F64, bytes, 1, &out);
  EXPECT_EQ(out, 1.0f + 0x1p-23f);
}

} // namespace
} // namespace llmc::rt

// Rotation speeds of rotary embeddings, plain and stretched.
#include "dialects/Nn/Nn.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llmc::nn;

namespace {

class RopeFrequencies : public testing::Test {
protected:
  RopeFrequencies() { context.loadDialect<NnDialect>(); }

  mlir::MLIRContext context;
};

TEST_F(RopeFrequencies, PlainSpeedsAreAGeometricSeries) {
  auto speeds = ropeFrequencies(8, 10000.0, nullptr);
  ASSERT_EQ(speeds.size(), 4u);
  EXPECT_DOUBLE_EQ(speeds[0], 1.0);
  EXPECT_DOUBLE_EQ(speeds[1], 0.1);
  EXPECT_DOUBLE_EQ(speeds[2], 0.01);
  EXPECT_DOUBLE_EQ(speeds[3], 0.001);
}

TEST_F(RopeFrequencies, LinearScalingDividesEverySpeed) {
  auto scaling = RopeScalingAttr::get(&context, "linear", 4.0, 0.0, 0.0, 0);
  auto speeds = ropeFrequencies(4, 10000.0, scaling);
  ASSERT_EQ(speeds.size(), 2u);
  EXPECT_DOUBLE_EQ(speeds[0], 0.25);
  EXPECT_DOUBLE_EQ(speeds[1], 0.0025);
}

TEST_F(RopeFrequencies, Llama3KeepsShortWavesAndDividesLongOnes) {
  auto scaling = RopeScalingAttr::get(&context, "llama3", 8.0, 1.0, 4.0, 8192);
  auto speeds = ropeFrequencies(128, 500000.0, scaling);
  // The first wave is 2 pi positions long, the last far longer than 8192.
  EXPECT_DOUBLE_EQ(speeds.front(), 1.0);
  EXPECT_DOUBLE_EQ(speeds.back(), std::pow(500000.0, -126.0 / 128) / 8.0);
}

TEST_F(RopeFrequencies, Llama3RampsBetween) {
  // A wave that fits 2.5 times into the original positions lies in the middle
  // of the ramp from 1 to 4: half kept, half divided by 8.
  auto original = int64_t(1) << 20;
  double theta = 2 * M_PI * 2.5 / original;
  auto scaling =
      RopeScalingAttr::get(&context, "llama3", 8.0, 1.0, 4.0, original);
  // With head size 4 the second speed is 1 / sqrt(theta).
  auto speeds = ropeFrequencies(4, 1 / (theta * theta), scaling);
  EXPECT_DOUBLE_EQ(speeds[0], 1.0);
  EXPECT_NEAR(speeds[1], theta * (0.5 + 0.5 / 8), theta * 1e-12);
}

TEST_F(RopeFrequencies, AHeadOfSizeTwoHasOneSpeed) {
  auto speeds = ropeFrequencies(2, 10000.0, nullptr);
  ASSERT_EQ(speeds.size(), 1u);
  EXPECT_DOUBLE_EQ(speeds[0], 1.0);
}

} // namespace

// Hand values of each schedule, and the rates of reference trajectories.
#include "runtime/base/LearningRate.h"

#include <gtest/gtest.h>

#include <vector>

namespace llmc::rt {
namespace {

LearningRateSchedule make(ScheduleKind kind, double lr, double minLr,
                          int64_t warmup, int64_t end) {
  LearningRateSchedule schedule;
  schedule.kind = kind;
  schedule.lr = lr;
  schedule.minLr = minLr;
  schedule.warmupSteps = warmup;
  schedule.endStep = end;
  return schedule;
}

void expectRates(const LearningRateSchedule &schedule,
                 const std::vector<double> &rates) {
  for (size_t s = 0; s < rates.size(); ++s)
    EXPECT_NEAR(schedule.at(int64_t(s)), rates[s], 1e-14 * rates[s])
        << "step " << s;
}

TEST(LearningRate, WarmupEndsAtTheFullRate) {
  auto schedule = make(ScheduleKind::Constant, 1.0, 0, 4, 10);
  expectRates(schedule, {0.25, 0.5, 0.75, 1.0, 1.0, 1.0});
}

TEST(LearningRate, LinearStopsOneNotchAboveTheLeast) {
  auto schedule = make(ScheduleKind::Linear, 1.0, 0.0, 0, 4);
  expectRates(schedule, {1.0, 0.75, 0.5, 0.25});
  EXPECT_EQ(schedule.at(4), 0.0);
  EXPECT_EQ(schedule.at(400), 0.0);
}

TEST(LearningRate, CosineIsHalfWayInTheMiddle) {
  auto schedule = make(ScheduleKind::Cosine, 1.0, 0.5, 0, 10);
  EXPECT_NEAR(schedule.at(0), 1.0, 1e-15);
  EXPECT_NEAR(schedule.at(5), 0.75, 1e-15);
  EXPECT_NEAR(schedule.at(10), 0.5, 1e-15);
  EXPECT_NEAR(schedule.at(11), 0.5, 1e-15);
}

TEST(LearningRate, WsdDecaysLinearlyAtTheEnd) {
  auto schedule = make(ScheduleKind::Wsd, 1.0, 0.2, 2, 10);
  schedule.decaySteps = 4;
  expectRates(schedule, {0.5, 1, 1, 1, 1, 1, 1.0, 0.8, 0.6, 0.4, 0.2, 0.2});
}

TEST(LearningRate, WsdDecaysWithTheSquareRoot) {
  auto schedule = make(ScheduleKind::Wsd, 1.0, 0.0, 0, 8);
  schedule.decaySteps = 4;
  schedule.decayShape = DecayShape::Sqrt;
  expectRates(schedule, {1, 1, 1, 1, 1.0, 0.5});
}

TEST(LearningRate, WarmupAsLongAsTheRunIsDefined) {
  auto schedule = make(ScheduleKind::Cosine, 1.0, 0.1, 5, 5);
  EXPECT_EQ(schedule.at(4), 1.0);
  EXPECT_NEAR(schedule.at(5), 0.1, 1e-15);
}

TEST(LearningRate, CosineOfAReferenceTrajectory) {
  expectRates(
      make(ScheduleKind::Cosine, 0.01, 0.001, 3, 20),
      {0.0033333333333333335, 0.006666666666666667,  0.01,
       0.010000000000000002,  0.00992337894857756,   0.009696125032319602,
       0.009325977110783264,  0.008825540127492967,  0.008211855863706655,
       0.007505822600994424,  0.0067314834553243745, 0.00591520761758486,
       0.0050847923824151415, 0.0042685165446756275, 0.0034941773990055784,
       0.0027881441362933466, 0.0021744598725070346, 0.001674022889216737,
       0.0013038749676803994, 0.001076621051422442});
}

TEST(LearningRate, CosineWithMomentumOfAReferenceTrajectory) {
  expectRates(make(ScheduleKind::Cosine, 0.5, 0.05, 2, 12),
              {0.25, 0.5, 0.5, 0.48898771616640957, 0.45702882373436315,
               0.40725168176580645, 0.34452882373436317, 0.275,
               0.20547117626563688, 0.1427483182341936, 0.09297117626563686,
               0.06101228383359046});
}

TEST(LearningRate, LinearOfAReferenceTrajectory) {
  auto schedule = make(ScheduleKind::Linear, 0.005, 0.0005, 2, 10);
  expectRates(schedule, {0.0025, 0.005, 0.005, 0.0044375000000000005, 0.003875,
                         0.0033125});
  EXPECT_NEAR(schedule.at(8), 0.0016249999999999997, 1e-16);
  EXPECT_NEAR(schedule.at(9), 0.0010625, 1e-16);
}

TEST(LearningRate, LongerCosineOfAReferenceTrajectory) {
  auto schedule = make(ScheduleKind::Cosine, 0.01, 0.001, 3, 30);
  EXPECT_NEAR(schedule.at(4), 0.009969572609838745, 1e-16);
  EXPECT_NEAR(schedule.at(28), 0.001121298082390793, 1e-16);
  EXPECT_NEAR(schedule.at(29), 0.0010304273901612564, 1e-16);
}

} // namespace
} // namespace llmc::rt

// Permutations, epochs and mixtures.
#include "runtime/data/WindowOrder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace llmc::rt {
namespace {

TEST(PermuteWindow, IsABijectionForEveryCount) {
  for (uint64_t count = 1; count <= 130; ++count) {
    std::set<uint64_t> seen;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t to = permuteWindow(i, count, 1, 0, 0);
      ASSERT_LT(to, count);
      seen.insert(to);
    }
    EXPECT_EQ(seen.size(), count);
  }
}

TEST(PermuteWindow, WorksOverMoreThan2To32Windows) {
  uint64_t count = (uint64_t(1) << 33) + 12345;
  std::set<uint64_t> seen;
  for (uint64_t i = 0; i < 1000; ++i) {
    uint64_t to = permuteWindow(i, count, 7, 0, 3);
    ASSERT_LT(to, count);
    seen.insert(to);
  }
  EXPECT_EQ(seen.size(), 1000u);
}

TEST(PermuteWindow, DependsOnSeedSourceAndEpoch) {
  auto order = [](uint64_t seed, uint32_t source, uint64_t epoch) {
    std::vector<uint64_t> order;
    for (uint64_t i = 0; i < 50; ++i)
      order.push_back(permuteWindow(i, 50, seed, source, epoch));
    return order;
  };
  EXPECT_EQ(order(1, 0, 0), order(1, 0, 0));
  EXPECT_NE(order(1, 0, 0), order(2, 0, 0));
  EXPECT_NE(order(1, 0, 0), order(1, 1, 0));
  EXPECT_NE(order(1, 0, 0), order(1, 0, 1));
}

TEST(PermuteWindow, IsStable) {
  std::vector<uint64_t> order;
  for (uint64_t i = 0; i < 8; ++i)
    order.push_back(permuteWindow(i, 8, 1, 0, 0));
  // A change here changes the data order of every run: resume would break.
  EXPECT_EQ(order, (std::vector<uint64_t>{1, 0, 7, 4, 2, 3, 5, 6}));
}

TEST(PermuteWindow, SpreadsEveryPositionEvenly) {
  // Where window 0 of 10 goes over many epochs: a chi-square of 9 degrees.
  constexpr int epochs = 10000;
  std::vector<int> counts(10, 0);
  for (int e = 0; e < epochs; ++e)
    ++counts[permuteWindow(0, 10, 1, 0, uint64_t(e))];
  double chi = 0;
  for (int count : counts)
    chi += std::pow(count - epochs / 10.0, 2) / (epochs / 10.0);
  EXPECT_LT(chi, 30);
}

TEST(WindowOrder, WithoutShuffleIsTheIdentity) {
  WindowOrder order({{3}}, 1, false);
  for (uint64_t expected : {0, 1, 2, 0, 1, 2, 0})
    EXPECT_EQ(order.next().index, expected);
  EXPECT_EQ(order.position(), 7u);
}

TEST(WindowOrder, EachEpochVisitsEveryWindowOnce) {
  WindowOrder order({{37}}, 5, true);
  std::vector<std::vector<uint64_t>> epochs(3);
  for (auto &epoch : epochs)
    for (int i = 0; i < 37; ++i)
      epoch.push_back(order.next().index);
  EXPECT_NE(epochs[0], epochs[1]);
  for (auto &epoch : epochs) {
    std::sort(epoch.begin(), epoch.end());
    for (uint64_t i = 0; i < 37; ++i)
      EXPECT_EQ(epoch[i], i);
  }
}

TEST(WindowOrder, SeekContinuesWhereARunStopped) {
  for (size_t sources : {1, 3}) {
    std::vector<SourceShare> shares(sources, SourceShare{11, 1.5});
    WindowOrder whole(shares, 5, true), resumed(shares, 5, true);
    for (int i = 0; i < 40; ++i)
      whole.next();
    resumed.seek(25);
    for (int i = 25; i < 40; ++i)
      resumed.next();
    WindowRef a = whole.next(), b = resumed.next();
    EXPECT_EQ(a.source, b.source);
    EXPECT_EQ(a.index, b.index);
    resumed.seek(40);
    EXPECT_EQ(resumed.next().index, a.index);
  }
}

TEST(WindowOrder, SourcesAreMixedByTheirWeights) {
  WindowOrder order({{100, 3}, {100, 1}}, 1, false);
  std::vector<uint32_t> sources;
  for (int i = 0; i < 8; ++i)
    sources.push_back(order.next().source);
  // k: owed to the first and the second, weights 3/4 and 1/4.
  // 0: 0, 0; 1: -1/4, 1/4; 2: 1/2, -1/2; 3: 1/4, -1/4; then again.
  EXPECT_EQ(sources, (std::vector<uint32_t>{0, 1, 0, 0, 0, 1, 0, 0}));
}

TEST(WindowOrder, AShortSourceBeginsItsNextEpochAlone) {
  WindowOrder order({{2}, {5}}, 1, false);
  std::vector<uint64_t> first, second;
  for (int i = 0; i < 10; ++i) {
    WindowRef ref = order.next();
    (ref.source == 0 ? first : second).push_back(ref.index);
  }
  EXPECT_EQ(first, (std::vector<uint64_t>{0, 1, 0, 1, 0}));
  EXPECT_EQ(second, (std::vector<uint64_t>{0, 1, 2, 3, 4}));
}

TEST(StepsOfEpochs, LeavesWhatDoesNotFillABatch) {
  Expected<EpochSteps> steps = stepsOfEpochs(10, 3, 8);
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->steps, 3u);
  EXPECT_EQ(steps->windowsLeft, 6u);
}

TEST(StepsOfEpochs, LessThanOneBatchIsAnError) {
  EXPECT_EQ(stepsOfEpochs(3, 2, 8).message(),
            "data.epochs 2 gives 6 windows, expected at least "
            "global_batch_size 8");
}

TEST(StepsOfEpochs, OverflowIsAnError) {
  EXPECT_FALSE(stepsOfEpochs(uint64_t(1) << 40, uint64_t(1) << 40, 8));
}

} // namespace
} // namespace llmc::rt

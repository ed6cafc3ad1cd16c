// What the executor asks of a device, seen by one that only records.
#include "runtime/executor/Executor.h"

#include "runtime/base/Philox.h"
#include "runtime/device/null/NullDevice.h"
#include "test/Support/UnigramBundle.h"

#include <gtest/gtest.h>

namespace llmc::rt {
namespace {

/// Labels that tell micro-batches apart.
class CountingBatches : public MicroBatches {
public:
  bool fill(int64_t micro, int32_t *tokens, int32_t *labels) override {
    if (micro == stopAt)
      return false;
    addresses.push_back(tokens);
    for (int i = 0; i < 8; ++i)
      labels[i] = int32_t(micro);
    return true;
  }
  std::vector<int32_t *> addresses;
  int64_t stopAt = -1;
};

class ExecutorTest : public testing::Test {
protected:
  void create(int64_t microBatches = 3) {
    plan::PlanT plan = unigram::makePlan("null", 1, microBatches);
    Expected<Bundle> bundle = openBundle(unigram::writeBundle(
        dir, plan, unigram::makeSettings(dir, microBatches)));
    ASSERT_TRUE(bundle.ok()) << bundle.message();
    Expected<std::unique_ptr<Executor>> made =
        Executor::create(std::move(*bundle));
    ASSERT_TRUE(made.ok()) << made.message();
    executor = std::move(*made);
    device = static_cast<NullDevice *>(&executor->runsOn());
  }

  std::vector<uint32_t> indices() const {
    std::vector<uint32_t> list;
    for (const NullDevice::Record &record : device->records())
      list.push_back(record.isMatmul ? 100 : record.index);
    return list;
  }

  TempDir dir;
  std::unique_ptr<Executor> executor;
  NullDevice *device = nullptr;
  CountingBatches batches;
};

TEST_F(ExecutorTest, RunsActionsInOrderWithTheirPredicates) {
  create();
  Expected<StepResult> result = executor->trainStep({}, batches);
  ASSERT_TRUE(result.ok()) << result.message();
  EXPECT_TRUE(result->complete);
  using namespace unigram;
  EXPECT_EQ(indices(),
            (std::vector<uint32_t>{fillLoss, fillGradient, forwardBackward, 100,
                                   forwardBackward, 100, forwardBackward, 100,
                                   clipFactor, descend}));
}

TEST_F(ExecutorTest, SlotsAreUsedInTurn) {
  create();
  ASSERT_TRUE(executor->trainStep({}, batches).ok());
  ASSERT_EQ(batches.addresses.size(), 3u);
  EXPECT_EQ(batches.addresses[1] - batches.addresses[0], 64 / 4);
  EXPECT_EQ(batches.addresses[2], batches.addresses[0]);
  // The instruction reads the labels of its own slot.
  EXPECT_EQ(device->records()[4].operands[0], batches.addresses[1] + 8);
}

TEST_F(ExecutorTest, WritesTheScalarsOfAStep) {
  create();
  StepScalars scalars{.lr = 0.25, .t = 7, .clip = 2, .seed = 0.5};
  ASSERT_TRUE(executor->trainStep(scalars, batches).ok());
  const auto &update = device->records().back().operands;
  EXPECT_EQ(*static_cast<float *>(update[3]), 0.25f);
  const auto &clip = device->records()[8].operands;
  EXPECT_EQ(*static_cast<float *>(clip[1]), 2.0f);
  EXPECT_EQ(*static_cast<float *>(clip[2]), 1.0f);
  EXPECT_EQ(*static_cast<float *>(device->records()[2].operands[2]), 0.5f);
}

TEST_F(ExecutorTest, TheHostMayEndAStepBetweenMicroBatches) {
  create();
  batches.stopAt = 2;
  Expected<StepResult> result = executor->trainStep({}, batches);
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->complete);
  EXPECT_EQ(device->records().size(), 6u);
}

TEST_F(ExecutorTest, MemoryIsWhatThePlanSays) {
  create();
  EXPECT_EQ(executor->memoryBytes(), planBytes(executor->plan()));
}

TEST_F(ExecutorTest, ChecksTheSettingsAgainstThePlan) {
  create();
  EXPECT_TRUE(executor->checkTraining(4, 2, 3).ok());
  std::string where = "'" + dir.path("bundle") + "', entry 'train_step': ";
  EXPECT_EQ(executor->checkTraining(4, 2, 5).message(),
            where + "3 micro-batches, the settings say 5");
  EXPECT_EQ(executor->checkTraining(8, 2, 3).message(),
            where + "input 'tokens' is 4 x 2, the settings say 8 x 2");
}

TEST_F(ExecutorTest, LogitsNeedTheirEntry) {
  create();
  std::vector<int32_t> tokens(4);
  EXPECT_EQ(executor->logits(tokens).message(),
            "'" + dir.path("bundle") +
                "': no entry 'logits' with tokens and logits");
}

TEST_F(ExecutorTest, InitialisationIsAFunctionOfNameAndSeed) {
  create();
  executor->parameters().initialise(5);
  const float *w = executor->parameters().tensors().weights[0].data;
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(w[i], float(0.5 * normalAt(5, hashName("unigram.weight"), i)));
}

} // namespace
} // namespace llmc::rt

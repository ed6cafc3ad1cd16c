// What the step's path may not do.
#include "test/Unit/RuntimeBase/CountAllocations.h"

#include "runtime/data/BatchReader.h"
#include "runtime/data/ValidationReader.h"
#include "test/Unit/RuntimeData/TokenData.h"

namespace llmc::rt {
namespace {

BatchOptions makeOptions() {
  BatchOptions options;
  options.sequenceLength = 8;
  options.microBatchSize = 2;
  options.globalBatchSize = 4;
  options.vocabSize = 1000;
  return options;
}

TEST(Allocations, NoneInATrainingBatch) {
  TempDir dir;
  std::string path = dir.write("a", bytesOf(countingTokens(100)));
  auto reader = BatchReader::open({{{path}}}, TokenFormat::RawU16, 1, true,
                                  makeOptions());
  ASSERT_TRUE(reader) << reader.message();
  std::vector<int32_t> tokens(16), labels(16);
  long before = allocationCount;
  for (int step = 0; step < 20; ++step) {
    Expected<int64_t> counted = reader->nextBatch();
    if (!counted)
      break;
    reader->fill(0, 0, tokens.data(), labels.data());
    reader->fill(1, 0, tokens.data(), labels.data());
  }
  EXPECT_EQ(allocationCount, before);
  EXPECT_EQ(reader->position(), 80u);
}

TEST(Allocations, NoneInAValidation) {
  TempDir dir;
  auto reader =
      ValidationReader::open({dir.write("a", bytesOf(countingTokens(100)))},
                             TokenFormat::RawU16, std::nullopt, makeOptions());
  ASSERT_TRUE(reader) << reader.message();
  std::vector<int32_t> tokens(16), labels(16);
  long before = allocationCount;
  int64_t counted = 0;
  for (int64_t micro = 0; micro < reader->microBatches(); ++micro) {
    counted += *reader->load(micro);
    reader->fill(0, tokens.data(), labels.data());
  }
  EXPECT_EQ(allocationCount, before);
  EXPECT_EQ(counted, 99);
}

} // namespace
} // namespace llmc::rt

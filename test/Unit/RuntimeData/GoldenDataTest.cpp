// The counted tokens of every step, whatever the micro-batch is.
#include "runtime/base/Json.h"
#include "runtime/data/BatchReader.h"
#include "test/Unit/RuntimeData/TokenData.h"

namespace llmc::rt {
namespace {

/// Compares the counted labels of each step with those of the trajectory.
void checkCounts(const std::string &name, int64_t microBatchSize) {
  std::string directory = std::string(LLMC_GOLDEN_DIR) + "/" + name;
  Expected<Json> expected = readJsonFile(directory + "/expected.json");
  ASSERT_TRUE(expected) << expected.message();
  Expected<Json> config = readJsonFile(directory + "/config.json");
  ASSERT_TRUE(config) << config.message();

  BatchOptions options;
  options.sequenceLength = *jsonInteger(*expected, "sequence_length", name);
  options.globalBatchSize = *jsonInteger(*expected, "global_batch_size", name);
  options.microBatchSize =
      microBatchSize ? microBatchSize : options.globalBatchSize;
  options.vocabSize = *jsonInteger(*config, "vocab_size", name);
  const Json &ignored = (*expected)["attention"]["ignore_label"];
  if (ignored.is_number_integer())
    options.ignoreLabel = ignored.get<int64_t>();

  auto reader =
      BatchReader::open({{{directory + "/tokens.bin"}}}, TokenFormat::Llmc, 1,
                        /*shuffle=*/false, options);
  ASSERT_TRUE(reader) << reader.message();
  std::vector<int32_t> tokens(
      size_t(options.sequenceLength * options.microBatchSize)),
      labels(tokens.size());
  for (const Json &step : (*expected)["steps"]) {
    Expected<int64_t> counted = reader->nextBatch();
    ASSERT_TRUE(counted) << counted.message();
    EXPECT_EQ(*counted, *jsonInteger(step, "tokens", name));
    int64_t handedOut = 0;
    for (int64_t micro = 0; micro < options.microBatches(); ++micro) {
      reader->fill(micro, 0, tokens.data(), labels.data());
      for (int32_t label : labels)
        handedOut += label != ignoredLabel;
    }
    EXPECT_EQ(handedOut, *counted);
  }
}

TEST(GoldenData, CountedTokensOfEachStep) {
  for (const char *name : {"gpt2-adamw", "gpt2-odd", "llama-documents"})
    checkCounts(name, 0);
}

TEST(GoldenData, IgnoredLabelsInAnyMicroBatch) {
  for (int64_t microBatchSize : {1, 2, 4, 16})
    checkCounts("llama-ignore", microBatchSize);
}

} // namespace
} // namespace llmc::rt

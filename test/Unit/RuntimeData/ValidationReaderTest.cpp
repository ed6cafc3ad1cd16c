// Which windows a validation sees and what its padding looks like.
#include "runtime/data/ValidationReader.h"

#include "test/Unit/RuntimeData/TokenData.h"

namespace llmc::rt {
namespace {

BatchOptions makeOptions(int64_t length, int64_t micro, int64_t dp = 1) {
  BatchOptions options;
  options.sequenceLength = length;
  options.microBatchSize = micro;
  options.dp = dp;
  options.globalBatchSize = micro * dp;
  options.vocabSize = 100;
  return options;
}

Expected<ValidationReader> openReader(const TempDir &dir, size_t tokens,
                                      std::optional<int64_t> windows,
                                      const BatchOptions &options) {
  return ValidationReader::open(
      {dir.write("val", bytesOf(countingTokens(tokens)))}, TokenFormat::RawU16,
      windows, options);
}

struct Micro {
  std::vector<int32_t> tokens, labels;

  Micro(const ValidationReader &reader, int64_t replica, size_t size)
      : tokens(size), labels(size) {
    reader.fill(replica, tokens.data(), labels.data());
  }
};

TEST(ValidationReader, TheRemainderIsAShortWindow) {
  TempDir dir;
  auto reader = openReader(dir, 9, std::nullopt, makeOptions(3, 1));
  ASSERT_TRUE(reader) << reader.message();
  ASSERT_EQ(reader->windows(), 3);
  EXPECT_EQ(*reader->load(1), 3);
  EXPECT_EQ(*reader->load(2), 2);
  Micro micro(*reader, 0, 3);
  EXPECT_EQ(micro.tokens, (std::vector<int32_t>{6, 7, 0}));
  EXPECT_EQ(micro.labels, (std::vector<int32_t>{7, 8, -1}));
}

TEST(ValidationReader, WithoutARemainderThereIsNoShortWindow) {
  TempDir dir;
  auto reader = openReader(dir, 7, std::nullopt, makeOptions(3, 1));
  EXPECT_EQ(reader->windows(), 2);
}

TEST(ValidationReader, OneShortWindowIsEnough) {
  TempDir dir;
  auto reader = openReader(dir, 2, std::nullopt, makeOptions(16, 1));
  ASSERT_TRUE(reader) << reader.message();
  EXPECT_EQ(*reader->load(0), 1);
}

TEST(ValidationReader, RowsWithoutAWindowAreAllIgnored) {
  TempDir dir;
  auto reader = openReader(dir, 7, std::nullopt, makeOptions(2, 2, 2));
  ASSERT_EQ(reader->windows(), 3);
  ASSERT_EQ(reader->microBatches(), 1);
  EXPECT_EQ(*reader->load(0), 6);
  Micro last(*reader, 1, 4);
  EXPECT_EQ(last.tokens, (std::vector<int32_t>{4, 0, 5, 0}));
  EXPECT_EQ(last.labels, (std::vector<int32_t>{5, -1, 6, -1}));
}

TEST(ValidationReader, PaddingIsFreshAfterAFullMicroBatch) {
  TempDir dir;
  auto reader = openReader(dir, 7, std::nullopt, makeOptions(2, 2));
  ASSERT_EQ(reader->microBatches(), 2);
  EXPECT_EQ(*reader->load(0), 4);
  EXPECT_EQ(*reader->load(1), 2);
  EXPECT_EQ(Micro(*reader, 0, 4).labels, (std::vector<int32_t>{5, -1, 6, -1}));
}

TEST(ValidationReader, TheFirstWindowsAreTheSameEachTime) {
  TempDir dir;
  auto reader = openReader(dir, 30, 2, makeOptions(3, 2));
  ASSERT_EQ(reader->windows(), 2);
  ASSERT_EQ(reader->microBatches(), 1);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(*reader->load(0), 6);
    EXPECT_EQ(Micro(*reader, 0, 6).tokens,
              (std::vector<int32_t>{0, 3, 1, 4, 2, 5}));
  }
}

TEST(ValidationReader, IgnoredLabelsDoNotCount) {
  TempDir dir;
  BatchOptions options = makeOptions(3, 1);
  options.ignoreLabel = 2;
  auto reader = openReader(dir, 4, std::nullopt, options);
  EXPECT_EQ(*reader->load(0), 2);
}

TEST(ValidationReader, MoreWindowsThanThereAreIsAnError) {
  TempDir dir;
  auto reader = openReader(dir, 9, 3, makeOptions(3, 1));
  EXPECT_EQ(reader.message(),
            "validate.windows 3, expected at most the 2 windows of "
            "sequence_length 3 in '" +
                dir.path("val") + "'");
}

TEST(ValidationReader, OneTokenIsNotEnough) {
  TempDir dir;
  for (size_t tokens : {0, 1}) {
    auto reader = openReader(dir, tokens, std::nullopt, makeOptions(3, 1));
    EXPECT_EQ(reader.message(), "'" + dir.path("val") +
                                    "': a validation needs 2 tokens, have " +
                                    std::to_string(tokens));
  }
}

TEST(ValidationReader, ASplitOf4096TokensLeavesAShortEnd) {
  // 0.01 % of 4,096 tokens is one token: it cannot be validated on.
  TempDir dir;
  EXPECT_FALSE(openReader(dir, 1, 1, makeOptions(16, 1)));
  // The other side of the split has 4,095.
  auto reader = ValidationReader::open(
      {dir.write("rest", std::string(2 * 4095, '\0'))}, TokenFormat::RawU16,
      std::nullopt, makeOptions(16, 1));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->windows(), 256);
  EXPECT_EQ(*reader->load(255), 14);
}

TEST(ValidationReader, AnUnknownTokenIsRefused) {
  TempDir dir;
  auto reader = openReader(dir, 120, std::nullopt, makeOptions(60, 1));
  ASSERT_TRUE(reader->load(0));
  EXPECT_EQ(reader->load(1).message(),
            "'" + dir.path("val") +
                "': token 100 at position 100, expected less than vocab_size "
                "100");
}

} // namespace
} // namespace llmc::rt

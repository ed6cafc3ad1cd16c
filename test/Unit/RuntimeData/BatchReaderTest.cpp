// Which token lands where, which labels count, and what is refused.
#include "runtime/data/BatchReader.h"

#include "test/Unit/RuntimeData/TokenData.h"

namespace llmc::rt {
namespace {

BatchOptions makeOptions(int64_t length, int64_t micro, int64_t dp,
                         int64_t global) {
  BatchOptions options;
  options.sequenceLength = length;
  options.microBatchSize = micro;
  options.dp = dp;
  options.globalBatchSize = global;
  options.vocabSize = 1000;
  return options;
}

Expected<BatchReader> openReader(const std::string &path,
                                 const BatchOptions &options,
                                 bool shuffle = false) {
  return BatchReader::open({{{path}}}, TokenFormat::RawU16, 1, shuffle,
                           options);
}

/// A micro-batch of a replica.
struct Micro {
  std::vector<int32_t> tokens, labels;

  Micro(const BatchReader &reader, int64_t micro, int64_t replica)
      : tokens(size_t(reader.options().sequenceLength *
                      reader.options().microBatchSize)),
        labels(tokens.size()) {
    reader.fill(micro, replica, tokens.data(), labels.data());
  }
};

TEST(BatchReader, LayoutIsSequenceFirst) {
  TempDir dir;
  auto reader = openReader(dir.write("a", bytesOf(countingTokens(7))),
                           makeOptions(3, 2, 1, 2));
  ASSERT_TRUE(reader) << reader.message();
  EXPECT_EQ(*reader->nextBatch(), 6);
  Micro micro(*reader, 0, 0);
  // Windows 0 1 2 (3) and 3 4 5 (6), side by side.
  EXPECT_EQ(micro.tokens, (std::vector<int32_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(micro.labels, (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
}

TEST(BatchReader, RowsFollowMicroBatchReplicaAndRow) {
  TempDir dir;
  // Windows of one input: window i begins with token i.
  auto reader = openReader(dir.write("a", bytesOf(countingTokens(13))),
                           makeOptions(1, 2, 3, 12));
  ASSERT_TRUE(reader) << reader.message();
  ASSERT_TRUE(reader->nextBatch());
  for (int64_t m = 0; m < 2; ++m)
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t i = 0; i < 2; ++i)
        EXPECT_EQ(Micro(*reader, m, r).tokens[size_t(i)], (m * 3 + r) * 2 + i);
}

TEST(BatchReader, TheSplitDoesNotChangeTheGlobalBatch) {
  TempDir dir;
  std::string path = dir.write("a", bytesOf(countingTokens(41)));
  auto whole = openReader(path, makeOptions(4, 8, 1, 8), true);
  auto split = openReader(path, makeOptions(4, 1, 2, 8), true);
  ASSERT_EQ(*whole->nextBatch(), *split->nextBatch());
  Micro all(*whole, 0, 0);
  for (int64_t row = 0; row < 8; ++row) {
    Micro one(*split, row / 2, row % 2);
    for (int64_t t = 0; t < 4; ++t)
      EXPECT_EQ(one.tokens[size_t(t)], all.tokens[size_t(t * 8 + row)]);
  }
}

TEST(BatchReader, ABatchMaySpanEpochs) {
  TempDir dir;
  auto reader = openReader(dir.write("a", bytesOf(countingTokens(4))),
                           makeOptions(1, 2, 1, 2));
  std::vector<int32_t> firsts;
  for (int step = 0; step < 3; ++step) {
    ASSERT_TRUE(reader->nextBatch());
    Micro micro(*reader, 0, 0);
    firsts.insert(firsts.end(), micro.tokens.begin(), micro.tokens.end());
  }
  EXPECT_EQ(firsts, (std::vector<int32_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(reader->position(), 6u);
}

TEST(BatchReader, SeekResumes) {
  TempDir dir;
  std::string path = dir.write("a", bytesOf(countingTokens(101)));
  auto run = openReader(path, makeOptions(5, 2, 1, 4), true);
  auto resumed = openReader(path, makeOptions(5, 2, 1, 4), true);
  for (int step = 0; step < 7; ++step)
    ASSERT_TRUE(run->nextBatch());
  resumed->seek(24);
  ASSERT_TRUE(resumed->nextBatch());
  EXPECT_EQ(Micro(*run, 1, 0).tokens, Micro(*resumed, 1, 0).tokens);
}

TEST(BatchReader, IgnoredLabelsDoNotCount) {
  TempDir dir;
  BatchOptions options = makeOptions(4, 1, 1, 1);
  options.ignoreLabel = 9;
  auto reader =
      openReader(dir.write("a", bytesOf<uint16_t>({9, 1, 9, 9, 2})), options);
  EXPECT_EQ(*reader->nextBatch(), 2);
  Micro micro(*reader, 0, 0);
  EXPECT_EQ(micro.tokens, (std::vector<int32_t>{9, 1, 9, 9}));
  EXPECT_EQ(micro.labels, (std::vector<int32_t>{1, -1, -1, 2}));
}

TEST(BatchReader, TheLabelBehindADocumentsEndCanBeIgnored) {
  TempDir dir;
  std::string path = dir.write("a", bytesOf<uint16_t>({5, 0, 6, 0, 7}));
  BatchOptions options = makeOptions(4, 1, 1, 1);
  options.endOfDocument = 0;
  auto counted = openReader(path, options);
  EXPECT_EQ(*counted->nextBatch(), 4);
  options.ignoreBorderLabel = true;
  auto ignored = openReader(path, options);
  EXPECT_EQ(*ignored->nextBatch(), 2);
  EXPECT_EQ(Micro(*ignored, 0, 0).labels, (std::vector<int32_t>{0, -1, 0, -1}));
}

TEST(BatchReader, TheLabelThatStartsADocumentCanBeIgnored) {
  TempDir dir;
  BatchOptions options = makeOptions(4, 1, 1, 1);
  options.startOfDocument = 0;
  options.ignoreBorderLabel = true;
  auto reader =
      openReader(dir.write("a", bytesOf<uint16_t>({0, 5, 0, 6, 7})), options);
  EXPECT_EQ(*reader->nextBatch(), 3);
  EXPECT_EQ(Micro(*reader, 0, 0).labels, (std::vector<int32_t>{5, -1, 6, 7}));
}

TEST(BatchReader, AnUnknownInputTokenIsRefused) {
  TempDir dir;
  std::string path = dir.write("a", bytesOf<uint16_t>({1, 2, 1000, 3, 4}));
  auto reader = openReader(path, makeOptions(4, 1, 1, 1));
  EXPECT_EQ(reader->nextBatch().message(),
            "'" + path +
                "': token 1000 at position 2, expected less than vocab_size "
                "1000");
}

TEST(BatchReader, AnUnknownLabelIsRefused) {
  TempDir dir;
  std::string path = dir.write("a", bytesOf<uint16_t>({1, 2, 3, 4, 65535}));
  auto reader = openReader(path, makeOptions(4, 1, 1, 1));
  EXPECT_TRUE(
      contains(reader->nextBatch().message(), "token 65535 at position 4"));
}

TEST(BatchReader, AnUnknownTokenIsFoundOnlyWhenItsWindowIsRead) {
  TempDir dir;
  std::vector<uint16_t> tokens = countingTokens(9);
  tokens[6] = 5000;
  auto reader =
      openReader(dir.write("a", bytesOf(tokens)), makeOptions(4, 1, 1, 1));
  EXPECT_TRUE(reader->nextBatch());
  EXPECT_FALSE(reader->nextBatch());
}

TEST(BatchReader, TokensBeyond31BitsAreRefused) {
  TempDir dir;
  std::string path = dir.write("a.u32", bytesOf<uint32_t>({1, 0xFFFFFFFF}));
  auto reader = BatchReader::open({{{path}}}, TokenFormat::Auto, 1, false,
                                  makeOptions(1, 1, 1, 1));
  EXPECT_TRUE(contains(reader->nextBatch().message(), "token 4294967295"));
}

TEST(BatchReader, FilesOf0To18TokensWithSequence16) {
  TempDir dir;
  for (size_t tokens : {0, 1, 15, 16, 17, 18}) {
    std::string path = dir.write("a", bytesOf(countingTokens(tokens)));
    auto reader = openReader(path, makeOptions(16, 1, 1, 1));
    if (tokens >= 17) {
      ASSERT_TRUE(reader) << tokens;
      EXPECT_EQ(reader->windowsPerEpoch(), 1u);
      EXPECT_EQ(*reader->nextBatch(), 16);
    } else {
      EXPECT_TRUE(contains(reader.message(),
                           "needs 17 tokens, have " + std::to_string(tokens)))
          << reader.message();
    }
  }
}

TEST(BatchReader, AMissingFileIsRefused) {
  auto reader = openReader("/nowhere.bin", makeOptions(4, 1, 1, 1));
  EXPECT_EQ(reader.message(),
            "cannot read '/nowhere.bin': No such file or directory");
}

TEST(BatchReader, SourcesAreDrawnByWeight) {
  TempDir dir;
  std::string a = dir.write("a", bytesOf(countingTokens(11, 0)));
  std::string b = dir.write("b", bytesOf(countingTokens(11, 500)));
  auto reader = BatchReader::open({{{a}, 3}, {{b}, 1}}, TokenFormat::RawU16, 1,
                                  false, makeOptions(1, 4, 1, 4));
  ASSERT_TRUE(reader) << reader.message();
  ASSERT_TRUE(reader->nextBatch());
  EXPECT_EQ(Micro(*reader, 0, 0).tokens, (std::vector<int32_t>{0, 500, 1, 2}));
}

} // namespace
} // namespace llmc::rt

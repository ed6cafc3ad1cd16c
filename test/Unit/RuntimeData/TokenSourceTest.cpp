// Orders of files, windows over their borders, and short files.
#include "runtime/data/TokenSource.h"

#include "runtime/data/PathList.h"
#include "test/Unit/RuntimeData/TokenData.h"

namespace llmc::rt {
namespace {

TEST(PathList, ListsKeepTheirOrder) {
  TempDir dir;
  std::vector<std::string> given = {dir.write("b", ""), dir.write("a", "")};
  EXPECT_EQ(*expandPaths(given), given);
}

TEST(PathList, GlobsAreSorted) {
  TempDir dir;
  for (const char *name : {"t_10", "t_9", "t_B", "t_a", "other"})
    dir.write(name, "");
  EXPECT_EQ(*expandPaths({dir.path("t_*")}),
            (std::vector<std::string>{dir.path("t_10"), dir.path("t_9"),
                                      dir.path("t_B"), dir.path("t_a")}));
}

TEST(PathList, AnExistingNameIsNoGlob) {
  TempDir dir;
  dir.write("a", "");
  EXPECT_EQ(*expandPaths({dir.write("[a]", "")}),
            (std::vector<std::string>{dir.path("[a]")}));
}

TEST(PathList, AGlobWithoutAMatchIsAnError) {
  TempDir dir;
  EXPECT_EQ(expandPaths({dir.path("t_*")}).message(),
            "no file matches '" + dir.path("t_*") + "'");
}

TokenSource openParts(const TempDir &dir,
                      const std::vector<std::vector<uint16_t>> &parts) {
  std::vector<std::string> paths;
  for (size_t i = 0; i < parts.size(); ++i)
    paths.push_back(
        dir.write("part" + std::to_string(i) + ".u16", bytesOf(parts[i])));
  return std::move(*TokenSource::open(paths, TokenFormat::RawU16));
}

TEST(TokenSource, ReadsOverTheBordersOfFiles) {
  TempDir dir;
  TokenSource source =
      openParts(dir, {countingTokens(3), {}, {3}, countingTokens(4, 4)});
  ASSERT_EQ(source.tokens(), 8u);
  for (uint32_t first = 0; first < 8; ++first) {
    std::vector<uint32_t> tokens(8 - first);
    source.read(first, tokens.size(), tokens.data());
    for (uint32_t i = 0; i < tokens.size(); ++i)
      EXPECT_EQ(tokens[i], first + i);
  }
}

TEST(TokenSource, CountsWindows) {
  TempDir dir;
  for (auto [tokens, windows] : std::vector<std::pair<size_t, uint64_t>>{
           {0, 0}, {1, 0}, {15, 0}, {16, 0}, {17, 1}, {18, 1}, {33, 2}}) {
    TokenSource source = openParts(dir, {countingTokens(tokens)});
    EXPECT_EQ(source.windows(16), windows) << tokens;
    EXPECT_EQ(source.checkHasWindow(16).ok(), windows > 0) << tokens;
  }
}

TEST(TokenSource, TooShortSaysWhatItNeeds) {
  TempDir dir;
  for (size_t tokens : {0, 1, 15, 16}) {
    TokenSource source = openParts(dir, {countingTokens(tokens)});
    EXPECT_EQ(source.checkHasWindow(16).message(),
              "'" + dir.path("part0.u16") +
                  "': one window of sequence_length 16 needs 17 tokens, have " +
                  std::to_string(tokens));
  }
}

TEST(TokenSource, ShortFilesTogetherAreAWindow) {
  TempDir dir;
  TokenSource source = openParts(dir, {countingTokens(9), countingTokens(8)});
  EXPECT_TRUE(source.checkHasWindow(16).ok());
  EXPECT_EQ(source.describe(), "'" + dir.path("part0.u16") + "' and 1 more");
}

TEST(TokenSource, ABadTokenIsNamedInItsFile) {
  TempDir dir;
  TokenSource source = openParts(dir, {countingTokens(5), countingTokens(5)});
  EXPECT_EQ(source.badToken(7, 300, 256).message(),
            "'" + dir.path("part1.u16") +
                "': token 300 at position 2, expected less than vocab_size "
                "256");
}

TEST(TokenSource, OneBadFileFailsTheSource) {
  TempDir dir;
  auto source = TokenSource::open({dir.write("a.u16", "12"), dir.path("gone")},
                                  TokenFormat::RawU16);
  EXPECT_EQ(source.message(), "cannot read '" + dir.path("gone") +
                                  "': No such file or directory");
}

} // namespace
} // namespace llmc::rt

// Each format read back, and each way in which a file can be wrong.
#include "runtime/data/TokenFile.h"

#include "test/Unit/RuntimeData/TokenData.h"

#include <fcntl.h>
#include <unistd.h>

namespace llmc::rt {
namespace {

std::vector<uint32_t> readAll(const TokenFile &file) {
  std::vector<uint32_t> tokens(file.tokens());
  file.read(0, tokens.size(), tokens.data());
  return tokens;
}

std::string openError(const std::string &path, TokenFormat format) {
  return TokenFile::open(path, format).message();
}

TEST(TokenFormat, NamesAreThoseOfTheSpec) {
  for (const char *name :
       {"auto", "llmc", "raw-u8", "raw-u16", "raw-u32", "text"}) {
    ASSERT_TRUE(parseTokenFormat(name)) << name;
    EXPECT_EQ(tokenFormatName(*parseTokenFormat(name)), name);
  }
  EXPECT_FALSE(parseTokenFormat("raw-u64"));
}

TEST(TokenFile, HeaderOf16Bits) {
  TempDir dir;
  auto file = TokenFile::open(dir.write("a.bin", llmcFile16({5, 65535, 7})),
                              TokenFormat::Llmc);
  ASSERT_TRUE(file) << file.message();
  EXPECT_EQ(readAll(*file), (std::vector<uint32_t>{5, 65535, 7}));
  EXPECT_EQ(file->bytesPerToken(), 2u);
}

TEST(TokenFile, HeaderOf32Bits) {
  TempDir dir;
  auto file = TokenFile::open(
      dir.write("a.bin", llmcHeader(20240801, 7, 2) +
                             bytesOf<uint32_t>({128000, 4000000000})),
      TokenFormat::Auto);
  ASSERT_TRUE(file) << file.message();
  EXPECT_EQ(file->format(), TokenFormat::Llmc);
  EXPECT_EQ(readAll(*file), (std::vector<uint32_t>{128000, 4000000000}));
}

TEST(TokenFile, RawFormatsHaveTheirWidth) {
  TempDir dir;
  std::string path = dir.write("a", std::string("\1\0\2\0\3\0\4\0", 8));
  EXPECT_EQ(readAll(*TokenFile::open(path, TokenFormat::RawU8)),
            (std::vector<uint32_t>{1, 0, 2, 0, 3, 0, 4, 0}));
  EXPECT_EQ(readAll(*TokenFile::open(path, TokenFormat::RawU16)),
            (std::vector<uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(readAll(*TokenFile::open(path, TokenFormat::RawU32)),
            (std::vector<uint32_t>{0x20001, 0x40003}));
}

TEST(TokenFile, TextIsBytesAndTheEndOfTheDocument) {
  TempDir dir;
  auto file = TokenFile::open(dir.write("a.txt", "h\xff!"), TokenFormat::Auto);
  ASSERT_TRUE(file) << file.message();
  EXPECT_EQ(file->format(), TokenFormat::Text);
  EXPECT_EQ(readAll(*file), (std::vector<uint32_t>{'h', 255, '!', 256}));
}

TEST(TokenFile, APartOfATextStopsBeforeItsEnd) {
  TempDir dir;
  auto file = TokenFile::open(dir.write("a.txt", "abc"), TokenFormat::Text);
  uint32_t part[2];
  file->read(1, 2, part);
  EXPECT_EQ(part[1], uint32_t('c'));
  file->read(3, 1, part);
  EXPECT_EQ(part[0], 256u);
}

TEST(TokenFile, EmptyFilesHaveNoTokens) {
  TempDir dir;
  std::string path = dir.write("a", "");
  for (TokenFormat format : {TokenFormat::RawU8, TokenFormat::RawU16,
                             TokenFormat::RawU32, TokenFormat::Text})
    EXPECT_EQ(TokenFile::open(path, format)->tokens(), 0u);
}

TEST(TokenFile, AutoTakesTheExtension) {
  TempDir dir;
  EXPECT_EQ(
      TokenFile::open(dir.write("a.u16", "1234"), TokenFormat::Auto)->format(),
      TokenFormat::RawU16);
  EXPECT_EQ(
      TokenFile::open(dir.write("a.md", "1234"), TokenFormat::Auto)->format(),
      TokenFormat::Text);
}

TEST(TokenFile, AutoThatCannotTellSaysSo) {
  TempDir dir;
  std::string message =
      openError(dir.write("a.bin", "12345678"), TokenFormat::Auto);
  EXPECT_TRUE(contains(message, "no llmc header")) << message;
  EXPECT_TRUE(contains(message, "extension '.bin'")) << message;
}

TEST(TokenFile, MissingFile) {
  EXPECT_EQ(openError("/nowhere.bin", TokenFormat::Auto),
            "cannot read '/nowhere.bin': No such file or directory");
}

TEST(TokenFile, DirectoryInsteadOfAFile) {
  TempDir dir;
  EXPECT_EQ(openError(dir.path(), TokenFormat::RawU16),
            "cannot read '" + dir.path() +
                "': is a directory, expected a file");
}

TEST(TokenFile, OddNumberOfBytes) {
  TempDir dir;
  std::string path = dir.write("a.u16", std::string(33, 'x'));
  EXPECT_EQ(openError(path, TokenFormat::Auto),
            "'" + path +
                "': 33 bytes, expected a multiple of 2, the size of a raw-u16 "
                "token");
}

TEST(TokenFile, ShorterThanAHeader) {
  TempDir dir;
  std::string path =
      dir.write("a.bin", llmcHeader(20240520, 1, 2).substr(0, 100));
  EXPECT_EQ(openError(path, TokenFormat::Llmc),
            "'" + path +
                "': 100 bytes, expected at least the 1024 of an llmc header: "
                "the file is truncated");
  EXPECT_FALSE(TokenFile::open(path, TokenFormat::Auto));
}

TEST(TokenFile, WrongMagic) {
  TempDir dir;
  std::string path = dir.write("a.bin", llmcHeader(20240522, 1, 0));
  EXPECT_EQ(openError(path, TokenFormat::Llmc),
            "'" + path +
                "': magic number 20240522, expected 20240520 or 20240801");
}

TEST(TokenFile, WrongVersion) {
  TempDir dir;
  std::string path = dir.write("a.bin", llmcHeader(20240520, 2, 0));
  EXPECT_EQ(openError(path, TokenFormat::Auto),
            "'" + path + "': version 2, expected 1 with magic number 20240520");
}

TEST(TokenFile, Truncated) {
  TempDir dir;
  std::string path =
      dir.write("a.bin", llmcHeader(20240520, 1, 600) + std::string(976, 0));
  EXPECT_EQ(openError(path, TokenFormat::Auto),
            "'" + path +
                "': 2000 bytes, expected 2224 for the 600 tokens of its "
                "header: the file is truncated");
}

TEST(TokenFile, TooLong) {
  TempDir dir;
  std::string path =
      dir.write("a.bin", llmcHeader(20240520, 1, 1) + std::string(4, 0));
  EXPECT_EQ(openError(path, TokenFormat::Auto),
            "'" + path +
                "': 1028 bytes, expected 1026 for the 1 tokens of its header: "
                "the file is too long");
}

/// Makes a file of that size without its blocks; writes `bytes` at `offset`.
bool makeSparse(const std::string &path, const std::string &head, uint64_t size,
                uint64_t offset, const std::string &bytes) {
  int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  bool made =
      ::ftruncate(file, off_t(size)) == 0 &&
      ::pwrite(file, head.data(), head.size(), 0) == ssize_t(head.size()) &&
      ::pwrite(file, bytes.data(), bytes.size(), off_t(offset)) ==
          ssize_t(bytes.size());
  ::close(file);
  return made;
}

TEST(TokenFile, MoreThan2To31TokensBehindAHeader) {
  TempDir dir;
  uint64_t count = (uint64_t(1) << 31) + 1000;
  if (!makeSparse(dir.path("a.bin"), llmcHeader(20240801, 7, uint32_t(count)),
                  1024 + 4 * count, 1024 + 4 * (count - 3),
                  bytesOf<uint32_t>({11, 12, 13})))
    GTEST_SKIP() << "no room for a sparse file of 8 GiB";
  auto file = TokenFile::open(dir.path("a.bin"), TokenFormat::Auto);
  ASSERT_TRUE(file) << file.message();
  EXPECT_EQ(file->tokens(), count);
  uint32_t tokens[4];
  file->read(count - 4, 4, tokens);
  EXPECT_EQ(std::vector(tokens, tokens + 4),
            (std::vector<uint32_t>{0, 11, 12, 13}));
}

TEST(TokenFile, MoreThan2To32RawTokens) {
  TempDir dir;
  uint64_t count = (uint64_t(1) << 32) + 10;
  if (!makeSparse(dir.path("a.u16"), "", 2 * count, 2 * (count - 1),
                  bytesOf<uint16_t>({77})))
    GTEST_SKIP() << "no room for a sparse file of 8 GiB";
  auto source = TokenSource::open({dir.path("a.u16")}, TokenFormat::Auto);
  ASSERT_TRUE(source) << source.message();
  EXPECT_EQ(source->tokens(), count);
  EXPECT_EQ(source->windows(9), (count - 1) / 9);
  uint32_t tokens[2];
  source->read(count - 2, 2, tokens);
  EXPECT_EQ(tokens[1], 77u);
}

} // namespace
} // namespace llmc::rt

// Headers, sizes and widths of token files.
#include "runtime/data/TokenFile.h"

#include "runtime/data/ByteTokenizer.h"

#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <utility>

namespace llmc::rt {

static_assert(std::endian::native == std::endian::little,
              "token files are little-endian and read in place");

static constexpr uint64_t headerBytes = 1024;

namespace {
struct HeaderKind {
  uint32_t magic, version;
  unsigned width;
};
} // namespace
static constexpr HeaderKind headerKinds[] = {{20240520, 1, 2},
                                             {20240801, 7, 4}};

static constexpr std::pair<std::string_view, TokenFormat> formatNames[] = {
    {"auto", TokenFormat::Auto},      {"llmc", TokenFormat::Llmc},
    {"raw-u8", TokenFormat::RawU8},   {"raw-u16", TokenFormat::RawU16},
    {"raw-u32", TokenFormat::RawU32}, {"text", TokenFormat::Text}};

std::optional<TokenFormat> parseTokenFormat(std::string_view name) {
  for (auto [known, format] : formatNames)
    if (known == name)
      return format;
  return std::nullopt;
}

std::string_view tokenFormatName(TokenFormat format) {
  for (auto [name, known] : formatNames)
    if (known == format)
      return name;
  return "";
}

static Status badFile(const MappedFile &file, const std::string &message) {
  return Status::error("'" + file.path() + "': " + message);
}

static uint32_t headerWord(const MappedFile &file, int index) {
  uint32_t word;
  std::memcpy(&word, file.data() + 4 * index, 4);
  return word;
}

static Expected<TokenFormat> detectFormat(const MappedFile &file) {
  if (file.size() >= 4)
    for (const HeaderKind &kind : headerKinds)
      if (headerWord(file, 0) == kind.magic)
        return TokenFormat::Llmc;

  static constexpr std::pair<std::string_view, TokenFormat> extensions[] = {
      {".u8", TokenFormat::RawU8},   {".u16", TokenFormat::RawU16},
      {".u32", TokenFormat::RawU32}, {".txt", TokenFormat::Text},
      {".text", TokenFormat::Text},  {".md", TokenFormat::Text}};
  std::string extension =
      std::filesystem::path(file.path()).extension().string();
  for (auto [known, format] : extensions)
    if (known == extension)
      return format;
  return badFile(file, "no llmc header (magic number 20240520 or 20240801) and "
                       "extension '" +
                           extension +
                           "', which tell no format; expected data.format to "
                           "be llmc, raw-u8, raw-u16, raw-u32 or text");
}

Expected<TokenFile> TokenFile::open(const std::string &path,
                                    TokenFormat format) {
  Expected<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.takeStatus();
  if (format == TokenFormat::Auto) {
    Expected<TokenFormat> detected = detectFormat(*mapped);
    if (!detected)
      return detected.takeStatus();
    format = *detected;
  }
  TokenFile file(std::move(*mapped), format);
  Status checked =
      format == TokenFormat::Llmc ? file.readHeader() : file.measureRaw();
  if (!checked)
    return checked;
  return file;
}

Status TokenFile::readHeader() {
  if (file.size() < headerBytes)
    return badFile(file, std::to_string(file.size()) +
                             " bytes, expected at least the 1024 of an llmc "
                             "header: the file is truncated");
  uint32_t magic = headerWord(file, 0), version = headerWord(file, 1);
  const HeaderKind *kind = nullptr;
  for (const HeaderKind &known : headerKinds)
    if (known.magic == magic)
      kind = &known;
  if (!kind)
    return badFile(file, "magic number " + std::to_string(magic) +
                             ", expected 20240520 or 20240801");
  if (version != kind->version)
    return badFile(file, "version " + std::to_string(version) + ", expected " +
                             std::to_string(kind->version) +
                             " with magic number " + std::to_string(magic));
  width = kind->width;
  start = headerBytes;
  count = headerWord(file, 2);
  uint64_t expected = start + width * count;
  if (file.size() != expected)
    return badFile(file,
                   std::to_string(file.size()) + " bytes, expected " +
                       std::to_string(expected) + " for the " +
                       std::to_string(count) +
                       " tokens of its header: the file is " +
                       (file.size() < expected ? "truncated" : "too long"));
  return Status::success();
}

Status TokenFile::measureRaw() {
  width = kind == TokenFormat::RawU16 ? 2 : kind == TokenFormat::RawU32 ? 4 : 1;
  if (file.size() % width != 0)
    return badFile(file, std::to_string(file.size()) +
                             " bytes, expected a multiple of " +
                             std::to_string(width) + ", the size of a " +
                             std::string(tokenFormatName(kind)) + " token");
  count = file.size() / width;
  if (kind == TokenFormat::Text && count > 0)
    ++count;
  return Status::success();
}

template <typename T>
static void widen(const uint8_t *from, uint64_t n, uint32_t *out) {
  for (uint64_t i = 0; i < n; ++i) {
    T token;
    std::memcpy(&token, from + i * sizeof(T), sizeof(T));
    out[i] = token;
  }
}

void TokenFile::read(uint64_t first, uint64_t n, uint32_t *out) const {
  if (kind == TokenFormat::Text && n > 0 && first + n == count)
    out[--n] = ByteTokenizer::endOfDocument;
  const uint8_t *from = file.data() + start + first * width;
  if (width == 1)
    widen<uint8_t>(from, n, out);
  else if (width == 2)
    widen<uint16_t>(from, n, out);
  else
    widen<uint32_t>(from, n, out);
}

} // namespace llmc::rt

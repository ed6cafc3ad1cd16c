// The formats of token files, checked when opened and read by position.
#ifndef LLMC_RUNTIME_DATA_TOKENFILE_H
#define LLMC_RUNTIME_DATA_TOKENFILE_H

#include "runtime/base/File.h"

#include <optional>

namespace llmc::rt {

enum class TokenFormat { Auto, Llmc, RawU8, RawU16, RawU32, Text };

/// The format of a name of the spec: auto, llmc, raw-u8, raw-u16, raw-u32 or
/// text.
std::optional<TokenFormat> parseTokenFormat(std::string_view name);
std::string_view tokenFormatName(TokenFormat format);

/// A token file. `llmc` is a header of 256 32-bit words (magic, version, number
/// of tokens, zeros), then the tokens: 20240520, 1 with 16 bits each, 20240801,
/// 7 with 32 bits each. The raw formats have no header. `auto` takes the header
/// where there is one, else the extension: .u8, .u16, .u32, .txt, .text, .md.
class TokenFile {
public:
  static Expected<TokenFile> open(const std::string &path, TokenFormat format);

  const std::string &path() const { return file.path(); }
  /// Never Auto.
  TokenFormat format() const { return kind; }
  uint64_t tokens() const { return count; }
  unsigned bytesPerToken() const { return width; }

  /// Copies tokens [first, first + n), which must exist.
  void read(uint64_t first, uint64_t n, uint32_t *out) const;

private:
  TokenFile(MappedFile file, TokenFormat kind)
      : file(std::move(file)), kind(kind) {}

  Status readHeader();
  Status measureRaw();

  MappedFile file;
  TokenFormat kind;
  unsigned width = 1;
  uint64_t start = 0;
  uint64_t count = 0;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DATA_TOKENFILE_H

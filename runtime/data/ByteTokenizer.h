// The tokenizer of `data.tokenizer: bytes`.
#ifndef LLMC_RUNTIME_DATA_BYTETOKENIZER_H
#define LLMC_RUNTIME_DATA_BYTETOKENIZER_H

#include <cstdint>
#include <string>

namespace llmc::rt {

/// Tokens 0 to 255 are the bytes, 256 ends a document. A text file is one
/// document: its bytes and then the end; an empty file has no token at all.
struct ByteTokenizer {
  static constexpr uint32_t endOfDocument = 256;
  static constexpr int64_t vocabSize = 257;

  /// Appends the text of a token; the end of a document has none.
  static void decode(uint32_t token, std::string &text) {
    if (token < endOfDocument)
      text.push_back(char(token));
  }
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DATA_BYTETOKENIZER_H

// The bytes of token files, and sources made of them.
#ifndef LLMC_TEST_UNIT_RUNTIMEDATA_TOKENDATA_H
#define LLMC_TEST_UNIT_RUNTIMEDATA_TOKENDATA_H

#include "runtime/data/TokenSource.h"

#include "test/Unit/RuntimeBase/TempFiles.h"

#include <numeric>

namespace llmc::rt {

inline std::string llmcHeader(uint32_t magic, uint32_t version,
                              uint32_t count) {
  std::vector<uint32_t> words(256, 0);
  words[0] = magic;
  words[1] = version;
  words[2] = count;
  return bytesOf(words);
}

inline std::string llmcFile16(const std::vector<uint16_t> &tokens) {
  return llmcHeader(20240520, 1, uint32_t(tokens.size())) + bytesOf(tokens);
}

/// first, first + 1, ... as 16-bit tokens.
inline std::vector<uint16_t> countingTokens(size_t n, uint16_t first = 0) {
  std::vector<uint16_t> tokens(n);
  std::iota(tokens.begin(), tokens.end(), first);
  return tokens;
}

} // namespace llmc::rt

#endif // LLMC_TEST_UNIT_RUNTIMEDATA_TOKENDATA_H

// A source of training or validation windows.
#ifndef LLMC_RUNTIME_DATA_TOKENSOURCE_H
#define LLMC_RUNTIME_DATA_TOKENSOURCE_H

#include "runtime/data/TokenFile.h"

#include <vector>

namespace llmc::rt {

/// The files of a source, one after the other without a border. Window i of
/// length T is tokens iT ... iT+T: T inputs and their next tokens, so that
/// neighbours share one token.
class TokenSource {
public:
  /// Opens all files, in this order (see expandPaths).
  static Expected<TokenSource> open(const std::vector<std::string> &paths,
                                    TokenFormat format);

  const std::vector<TokenFile> &files() const { return parts; }
  uint64_t tokens() const { return ends.empty() ? 0 : ends.back(); }
  /// floor((tokens - 1) / sequenceLength).
  uint64_t windows(uint64_t sequenceLength) const;
  /// Fails when there is not a single window.
  Status checkHasWindow(uint64_t sequenceLength) const;

  /// Copies tokens [first, first + n), which must exist.
  void read(uint64_t first, uint64_t n, uint32_t *out) const;

  /// The error for a token that the vocabulary does not have, read at `index`.
  Status badToken(uint64_t index, uint32_t token, int64_t vocabSize) const;

  /// What messages call the source: its file, or the first and their number.
  std::string describe() const;

private:
  /// The file that holds the token, by binary search.
  size_t fileOf(uint64_t token) const;
  uint64_t startOf(size_t file) const { return file ? ends[file - 1] : 0; }

  std::vector<TokenFile> parts;
  /// One past the last token of each file, counted from the source's start.
  std::vector<uint64_t> ends;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DATA_TOKENSOURCE_H

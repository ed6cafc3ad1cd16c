// Windows that do not see the borders of files.
#include "runtime/data/TokenSource.h"

#include <algorithm>

namespace llmc::rt {

Expected<TokenSource> TokenSource::open(const std::vector<std::string> &paths,
                                        TokenFormat format) {
  TokenSource source;
  for (const std::string &path : paths) {
    Expected<TokenFile> file = TokenFile::open(path, format);
    if (!file)
      return file.takeStatus();
    source.ends.push_back(source.tokens() + file->tokens());
    source.parts.push_back(std::move(*file));
  }
  return source;
}

uint64_t TokenSource::windows(uint64_t sequenceLength) const {
  return tokens() == 0 ? 0 : (tokens() - 1) / sequenceLength;
}

std::string TokenSource::describe() const {
  if (parts.empty())
    return "no file";
  std::string first = "'" + parts.front().path() + "'";
  if (parts.size() == 1)
    return first;
  return first + " and " + std::to_string(parts.size() - 1) + " more";
}

Status TokenSource::checkHasWindow(uint64_t sequenceLength) const {
  if (windows(sequenceLength) > 0)
    return Status::success();
  return Status::error(describe() + ": one window of sequence_length " +
                       std::to_string(sequenceLength) + " needs " +
                       std::to_string(sequenceLength + 1) + " tokens, have " +
                       std::to_string(tokens()));
}

size_t TokenSource::fileOf(uint64_t token) const {
  return size_t(std::upper_bound(ends.begin(), ends.end(), token) -
                ends.begin());
}

void TokenSource::read(uint64_t first, uint64_t n, uint32_t *out) const {
  for (size_t file = fileOf(first); n > 0; ++file) {
    uint64_t here = std::min(n, ends[file] - first);
    parts[file].read(first - startOf(file), here, out);
    first += here;
    out += here;
    n -= here;
  }
}

Status TokenSource::badToken(uint64_t index, uint32_t token,
                             int64_t vocabSize) const {
  size_t file = fileOf(index);
  return Status::error(
      "'" + parts[file].path() + "': token " + std::to_string(token) +
      " at position " + std::to_string(index - startOf(file)) +
      ", expected less than vocab_size " + std::to_string(vocabSize));
}

} // namespace llmc::rt

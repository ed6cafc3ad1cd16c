// Whole windows, a short one, and padding that does not count.
#include "runtime/data/ValidationReader.h"

#include "runtime/data/BatchReader.h"
#include "runtime/data/PathList.h"

#include <algorithm>

namespace llmc::rt {

/// How many windows a validation runs, or why it cannot.
static Expected<int64_t> countWindows(const TokenSource &source,
                                      std::optional<int64_t> wanted,
                                      int64_t sequenceLength) {
  uint64_t length = uint64_t(sequenceLength), whole = source.windows(length);
  if (wanted) {
    if (Status enough = source.checkHasWindow(length); !enough)
      return enough;
    if (uint64_t(*wanted) > whole)
      return Status::error("validate.windows " + std::to_string(*wanted) +
                           ", expected at most the " + std::to_string(whole) +
                           " windows of sequence_length " +
                           std::to_string(length) + " in " + source.describe());
    return *wanted;
  }
  if (source.tokens() < 2)
    return Status::error(source.describe() +
                         ": a validation needs 2 tokens, have " +
                         std::to_string(source.tokens()));
  return int64_t(whole + ((source.tokens() - 1) % length != 0));
}

Expected<ValidationReader>
ValidationReader::open(const std::vector<std::string> &entries,
                       TokenFormat format, std::optional<int64_t> windows,
                       const BatchOptions &options) {
  Expected<std::vector<std::string>> paths = expandPaths(entries);
  if (!paths)
    return paths.takeStatus();
  Expected<TokenSource> source = TokenSource::open(*paths, format);
  if (!source)
    return source.takeStatus();
  Expected<int64_t> count =
      countWindows(*source, windows, options.sequenceLength);
  if (!count)
    return count.takeStatus();
  return ValidationReader(std::move(*source), *count, options);
}

ValidationReader::ValidationReader(TokenSource source, int64_t count,
                                   const BatchOptions &options)
    : source(std::move(source)), config(options), count(count),
      rows(size_t(options.rowsPerMicroBatch() * (options.sequenceLength + 1))) {
}

int64_t ValidationReader::microBatches() const {
  int64_t rowsOfOne = config.rowsPerMicroBatch();
  return (count + rowsOfOne - 1) / rowsOfOne;
}

int64_t ValidationReader::labelsOf(int64_t window) const {
  if (window >= count)
    return 0;
  uint64_t first = uint64_t(window) * uint64_t(config.sequenceLength);
  return int64_t(std::min<uint64_t>(source.tokens() - 1 - first,
                                    uint64_t(config.sequenceLength)));
}

Expected<int64_t> ValidationReader::load(int64_t micro) {
  loaded = micro;
  int64_t counted = 0;
  for (int64_t row = 0; row < config.rowsPerMicroBatch(); ++row) {
    int64_t window = micro * config.rowsPerMicroBatch() + row;
    int64_t labels = labelsOf(window);
    if (labels == 0)
      break;
    uint32_t *tokens = rows.data() + row * (config.sequenceLength + 1);
    uint64_t first = uint64_t(window) * uint64_t(config.sequenceLength);
    source.read(first, uint64_t(labels) + 1, tokens);
    int64_t bad = findBadToken(tokens, labels + 1, config.vocabSize);
    if (bad <= labels)
      return source.badToken(first + uint64_t(bad), tokens[bad],
                             config.vocabSize);
    counted += config.countLabels(tokens, labels);
  }
  return counted;
}

void ValidationReader::fill(int64_t replica, int32_t *tokens,
                            int32_t *labels) const {
  for (int64_t i = 0; i < config.microBatchSize; ++i) {
    int64_t row = config.globalRow(0, replica, i);
    int64_t window = loaded * config.rowsPerMicroBatch() + row;
    config.fillColumn(rows.data() + row * (config.sequenceLength + 1),
                      labelsOf(window), i, tokens, labels);
  }
}

} // namespace llmc::rt

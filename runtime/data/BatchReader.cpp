// Windows in the order of the run, checked before the step sees them.
#include "runtime/data/BatchReader.h"

#include "runtime/data/PathList.h"
#include "test/faults/Fault.h"

#include <algorithm>

namespace llmc::rt {

int64_t findBadToken(const uint32_t *tokens, int64_t n, int64_t vocabSize) {
  return std::find_if(tokens, tokens + n,
                      [&](uint32_t token) { return token >= vocabSize; }) -
         tokens;
}

static Expected<TokenSource>
openSource(const SourceSpec &spec, TokenFormat format, int64_t sequenceLength) {
  Expected<std::vector<std::string>> paths = expandPaths(spec.paths);
  if (!paths)
    return paths.takeStatus();
  Expected<TokenSource> source = TokenSource::open(*paths, format);
  if (!source)
    return source;
  if (Status enough = source->checkHasWindow(uint64_t(sequenceLength)); !enough)
    return enough;
  return source;
}

Expected<BatchReader> BatchReader::open(const std::vector<SourceSpec> &specs,
                                        TokenFormat format, uint64_t seed,
                                        bool shuffle,
                                        const BatchOptions &options) {
  std::vector<TokenSource> sources;
  std::vector<SourceShare> shares;
  for (const SourceSpec &spec : specs) {
    Expected<TokenSource> source =
        openSource(spec, format, options.sequenceLength);
    if (!source)
      return source.takeStatus();
    shares.push_back(
        {source->windows(uint64_t(options.sequenceLength)), spec.weight});
    sources.push_back(std::move(*source));
  }
  return BatchReader(std::move(sources),
                     WindowOrder(std::move(shares), seed, shuffle), options);
}

BatchReader::BatchReader(std::vector<TokenSource> sources, WindowOrder order,
                         const BatchOptions &options)
    : sources(std::move(sources)), order(std::move(order)), config(options),
      batch(size_t(options.globalBatchSize * (options.sequenceLength + 1))) {}

Expected<int64_t> BatchReader::nextBatch() {
  int64_t length = config.sequenceLength, counted = 0;
  uint32_t *window = batch.data();
  for (int64_t row = 0; row < config.globalBatchSize; ++row) {
    WindowRef ref = order.next();
    const TokenSource &source = sources[ref.source];
    uint64_t stride = uint64_t(length) - (LLMC_FAULT("data-stride") ? 1 : 0);
    uint64_t first = ref.index * stride;
    source.read(first, uint64_t(length) + 1, window);
    int64_t bad = findBadToken(window, length + 1, config.vocabSize);
    if (bad <= length)
      return source.badToken(first + uint64_t(bad), window[bad],
                             config.vocabSize);
    counted += config.countLabels(window, length);
    window += length + 1;
  }
  return counted;
}

void BatchReader::fill(int64_t micro, int64_t replica, int32_t *tokens,
                       int32_t *labels) const {
  int64_t length = config.sequenceLength;
  for (int64_t i = 0; i < config.microBatchSize; ++i) {
    int64_t row = config.globalRow(micro, replica, i);
    config.fillColumn(batch.data() + row * (length + 1), length, i, tokens,
                      labels);
  }
}

} // namespace llmc::rt

// Edit distance with ties broken by what misspellings keep.
#include "frontend/spec/Suggest.h"

#include <algorithm>
#include <tuple>

namespace llmc::frontend {

int editDistance(const std::string &a, const std::string &b) {
  const size_t width = b.size() + 1;
  std::vector<int> beforeLast(width), last(width), row(width);
  for (size_t j = 0; j < width; ++j)
    last[j] = int(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = int(i);
    for (size_t j = 1; j < width; ++j) {
      row[j] = std::min(
          {last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    std::swap(beforeLast, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

namespace {

size_t commonPrefix(const std::string &a, const std::string &b) {
  size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n])
    ++n;
  return n;
}

std::string sorted(std::string word) {
  std::sort(word.begin(), word.end());
  return word;
}

} // namespace

std::optional<std::string> nearest(const std::string &word,
                                   const std::vector<std::string> &candidates) {
  // A name longer than any key is no misspelling.
  if (word.size() > 80)
    return std::nullopt;
  const std::string *best = nullptr;
  std::tuple<int, int, size_t> bestCost;
  for (const std::string &candidate : candidates) {
    int distance = editDistance(word, candidate);
    int limit = std::max(1, int(std::min(word.size(), candidate.size())) / 3);
    if (distance > limit)
      continue;
    // Among equals: a swap keeps the letters, most slips keep the beginning.
    std::tuple<int, int, size_t> cost{distance,
                                      sorted(word) != sorted(candidate),
                                      80 - commonPrefix(word, candidate)};
    if (best && !(cost < bestCost))
      continue;
    best = &candidate;
    bestCost = cost;
  }
  if (best)
    return *best;
  // `warmup` for `warmup_steps`.
  for (const std::string &candidate : candidates)
    if (word.size() > 3 && candidate.starts_with(word + "_"))
      return candidate;
  return std::nullopt;
}

std::string joinOr(const std::vector<std::string> &words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i)
      out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

} // namespace llmc::frontend

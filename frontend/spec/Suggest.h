// The nearest of a list of words to a misspelt one.
#ifndef LLMC_FRONTEND_SPEC_SUGGEST_H
#define LLMC_FRONTEND_SPEC_SUGGEST_H

#include <optional>
#include <string>
#include <vector>

namespace llmc::frontend {

/// Insertions, deletions, replacements and swaps of neighbours.
int editDistance(const std::string &a, const std::string &b);

/// The nearest candidate, if it is near enough to be what was meant.
std::optional<std::string> nearest(const std::string &word,
                                   const std::vector<std::string> &candidates);

/// `a, b or c`.
std::string joinOr(const std::vector<std::string> &words);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_SUGGEST_H

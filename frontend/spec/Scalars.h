// Numbers, sizes, durations and booleans as a spec writes them.
#ifndef LLMC_FRONTEND_SPEC_SCALARS_H
#define LLMC_FRONTEND_SPEC_SCALARS_H

#include "frontend/spec/Value.h"
#include "frontend/yaml/Document.h"

#include <optional>
#include <string>
#include <string_view>

namespace llmc::frontend {

/// `12`, `1_000`, `10k`, `2M`, `1.5B`, `1e6`; nothing if it is no integer or
/// does not fit 64 bits.
std::optional<int64_t> parseInteger(std::string_view text);
/// `0.1`, `6e-4`, `1_000`; finite.
std::optional<double> parseReal(std::string_view text);
/// Bytes: a plain number, or one with KiB, MiB, GiB or TiB.
std::optional<int64_t> parseBytes(std::string_view text);
/// Seconds: a number with s, m, h or d.
std::optional<double> parseDuration(std::string_view text);
/// `true` and `false` only.
std::optional<bool> parseBoolean(std::string_view text);

/// Whether float32, in which steps compute, keeps the number: it is 0, or
/// neither rounded to 0 nor to infinity.
bool fitsFloat(double value);
/// What a message expects instead of a number that does not fit.
inline constexpr const char *floatRange =
    "0 or a number that fits float32, from 1.2e-38 to 3.4e+38";

/// The value of a node as JSON would type it; a plain scalar that is neither
/// number, boolean nor null is text.
Value toValue(const Node &node);

/// How a diagnostic speaks of what it found: `3`, `"3"`, `null`, `a list`.
std::string describe(const Node &node);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_SCALARS_H

// Random numbers that depend on what they are for and on nothing else, so that
// no plan, thread count or order of evaluation can change them.
#ifndef LLMC_RUNTIME_BASE_PHILOX_H
#define LLMC_RUNTIME_BASE_PHILOX_H

#include <array>
#include <cstdint>
#include <string_view>

namespace llmc::rt {

/// Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
/// easy as 1, 2, 3" (SC 2011): ten rounds over a 128-bit counter and a 64-bit
/// key.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);

/// The same on 64-bit words: key `seed`, counter (`low`, `high`), low words
/// first.
std::array<uint64_t, 2> philox(uint64_t seed, uint64_t high, uint64_t low);

/// The stable 64-bit hash of a name: FNV-1a (offset basis 14695981039346656037,
/// prime 1099511628211) over its bytes.
uint64_t hashName(std::string_view name);

/// A standard normal number: Philox(seed, nameHash, element) through Box-Muller
/// in float64. With the two 64-bit outputs a and b, u = (a >> 11 + 1) / 2^53 in
/// (0, 1], v = (b >> 11) / 2^53 in [0, 1), it is sqrt(-2 ln u) cos(2 pi v).
double normalAt(uint64_t seed, uint64_t nameHash, uint64_t element);

/// Elements [first, first + count) of the tensor as normal(0, stddev), each
/// rounded once from float64.
void fillNormal(float *out, int64_t count, uint64_t seed, uint64_t nameHash,
                uint64_t first, double stddev);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_BASE_PHILOX_H

// Philox4x32-10, the hash of names, and Box-Muller on top of them.
#include "runtime/base/Philox.h"

#include <cmath>

namespace llmc::rt {

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key) {
  constexpr uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
  constexpr uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = multiplier0 * counter[0];
    uint64_t product1 = multiplier1 * counter[2];
    counter = {
        uint32_t(product1 >> 32) ^ counter[1] ^ key[0], uint32_t(product1),
        uint32_t(product0 >> 32) ^ counter[3] ^ key[1], uint32_t(product0)};
    key[0] += weyl0;
    key[1] += weyl1;
  }
  return counter;
}

std::array<uint64_t, 2> philox(uint64_t seed, uint64_t high, uint64_t low) {
  std::array<uint32_t, 4> out =
      philox4x32({uint32_t(low), uint32_t(low >> 32), uint32_t(high),
                  uint32_t(high >> 32)},
                 {uint32_t(seed), uint32_t(seed >> 32)});
  return {uint64_t(out[1]) << 32 | out[0], uint64_t(out[3]) << 32 | out[2]};
}

uint64_t hashName(std::string_view name) {
  uint64_t hash = 14695981039346656037u;
  for (char c : name)
    hash = (hash ^ uint8_t(c)) * 1099511628211u;
  return hash;
}

double normalAt(uint64_t seed, uint64_t nameHash, uint64_t element) {
  std::array<uint64_t, 2> bits = philox(seed, nameHash, element);
  constexpr double unit = 0x1p-53;
  double u = double((bits[0] >> 11) + 1) * unit;
  double v = double(bits[1] >> 11) * unit;
  constexpr double twoPi = 6.283185307179586476925286766559;
  return std::sqrt(-2.0 * std::log(u)) * std::cos(twoPi * v);
}

void fillNormal(float *out, int64_t count, uint64_t seed, uint64_t nameHash,
                uint64_t first, double stddev) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = float(stddev * normalAt(seed, nameHash, first + i));
}

} // namespace llmc::rt

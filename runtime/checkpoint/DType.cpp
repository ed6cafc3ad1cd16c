// Sizes of types and conversions between float formats.
#include "runtime/checkpoint/DType.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace llmc::rt {

static constexpr DType dtypes[] = {{"F64", 64, FloatType::F64},
                                   {"F32", 32, FloatType::F32},
                                   {"F16", 16, FloatType::F16},
                                   {"BF16", 16, FloatType::BF16},
                                   {"BOOL", 8, {}},
                                   {"U8", 8, {}},
                                   {"I8", 8, {}},
                                   {"U16", 16, {}},
                                   {"I16", 16, {}},
                                   {"U32", 32, {}},
                                   {"I32", 32, {}},
                                   {"U64", 64, {}},
                                   {"I64", 64, {}},
                                   {"C64", 64, {}},
                                   {"F8_E4M3", 8, {}},
                                   {"F8_E5M2", 8, {}},
                                   {"F8_E8M0", 8, {}},
                                   {"F8_E4M3FNUZ", 8, {}},
                                   {"F8_E5M2FNUZ", 8, {}},
                                   {"F6_E2M3", 6, {}},
                                   {"F6_E3M2", 6, {}},
                                   {"F4", 4, {}}};

const DType *findDType(std::string_view name) {
  for (const DType &type : dtypes)
    if (type.name == name)
      return &type;
  return nullptr;
}

static const DType &dtypeOf(FloatType type) { return dtypes[int(type)]; }

std::string_view floatTypeName(FloatType type) { return dtypeOf(type).name; }
unsigned floatTypeBytes(FloatType type) { return dtypeOf(type).bits / 8; }

static float halfToFloat(uint16_t half) {
  int exponent = half >> 10 & 31, fraction = half & 1023;
  float magnitude;
  if (exponent == 31)
    magnitude = std::bit_cast<float>(0x7F800000u | uint32_t(fraction) << 13);
  else if (exponent == 0)
    magnitude = std::ldexp(float(fraction), -24);
  else
    magnitude = std::ldexp(float(fraction + 1024), exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

static uint16_t floatToHalf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = uint16_t(bits >> 16 & 0x8000);
  float magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7E00;
  if (magnitude >= 65520.0f)
    return sign | 0x7C00;
  if (magnitude < 0x1p-14f) // A subnormal half counts units of 2^-24.
    return sign | uint16_t(std::nearbyint(magnitude * 0x1p24f));
  // Rounding up may carry into the exponent, which is what should happen.
  uint32_t rebased = (bits & 0x7FFFFFFF) - (uint32_t(127 - 15) << 23);
  rebased += 0xFFF + (rebased >> 13 & 1);
  return sign | uint16_t(rebased >> 13);
}

static uint16_t floatToBfloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return uint16_t(bits >> 16 | 0x40);
  bits += 0x7FFF + (bits >> 16 & 1);
  return uint16_t(bits >> 16);
}

template <typename T, typename Convert>
static void convertTo(const uint8_t *from, uint64_t n, float *out,
                      Convert convert) {
  for (uint64_t i = 0; i < n; ++i) {
    T element;
    std::memcpy(&element, from + i * sizeof(T), sizeof(T));
    out[i] = convert(element);
  }
}

template <typename T, typename Convert>
static void convertFrom(const float *from, uint64_t n, uint8_t *out,
                        Convert convert) {
  for (uint64_t i = 0; i < n; ++i) {
    T element = convert(from[i]);
    std::memcpy(out + i * sizeof(T), &element, sizeof(T));
  }
}

void toFloats(FloatType type, const uint8_t *from, uint64_t n, float *out) {
  switch (type) {
  case FloatType::F32:
    std::memcpy(out, from, n * sizeof(float));
    return;
  case FloatType::F64:
    return convertTo<double>(from, n, out, [](double x) { return float(x); });
  case FloatType::F16:
    return convertTo<uint16_t>(from, n, out, halfToFloat);
  case FloatType::BF16:
    return convertTo<uint16_t>(from, n, out, [](uint16_t x) {
      return std::bit_cast<float>(uint32_t(x) << 16);
    });
  }
}

void fromFloats(FloatType type, const float *from, uint64_t n, uint8_t *out) {
  switch (type) {
  case FloatType::F32:
    std::memcpy(out, from, n * sizeof(float));
    return;
  case FloatType::F64:
    return convertFrom<double>(from, n, out, [](float x) { return double(x); });
  case FloatType::F16:
    return convertFrom<uint16_t>(from, n, out, floatToHalf);
  case FloatType::BF16:
    return convertFrom<uint16_t>(from, n, out, floatToBfloat);
  }
}

} // namespace llmc::rt

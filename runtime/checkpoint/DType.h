// The element types that a file may name, and the conversion of those that can
// hold weights.
#ifndef LLMC_RUNTIME_CHECKPOINT_DTYPE_H
#define LLMC_RUNTIME_CHECKPOINT_DTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace llmc::rt {

/// Element types that convert from and to float.
enum class FloatType { F64, F32, F16, BF16 };

/// A type that safetensors knows.
struct DType {
  std::string_view name;
  unsigned bits;
  /// Not set for a type that holds no weights here.
  std::optional<FloatType> floatType;
};

/// The type of that name; null for an unknown one.
const DType *findDType(std::string_view name);

std::string_view floatTypeName(FloatType type);
unsigned floatTypeBytes(FloatType type);

/// Elements of `type`, at any alignment, to floats.
void toFloats(FloatType type, const uint8_t *from, uint64_t n, float *out);

/// Floats to elements of `type`, rounded to nearest, ties to even.
void fromFloats(FloatType type, const float *from, uint64_t n, uint8_t *out);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_CHECKPOINT_DTYPE_H

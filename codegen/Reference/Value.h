// What the interpreter computes with: a tensor or a scalar in float64.
// Integers and booleans are doubles too; all that occur are exact.
#ifndef LLMC_CODEGEN_REFERENCE_VALUE_H
#define LLMC_CODEGEN_REFERENCE_VALUE_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace llmc::reference {

/// A dense row-major tensor. A scalar has an empty shape and one element.
struct Value {
  std::vector<int64_t> shape;
  std::vector<double> data;

  static Value scalar(double value) { return {{}, {value}}; }
  static Value zeros(llvm::ArrayRef<int64_t> shape);
  /// Zeros in the shape of a ranked static tensor type, or a scalar zero.
  static Value zeros(mlir::Type type);

  int64_t size() const { return static_cast<int64_t>(data.size()); }
  int64_t dim(size_t i) const { return shape[i]; }
  /// The number of rows when all but the last dimension are one.
  int64_t rows() const { return shape.empty() ? 1 : size() / shape.back(); }
  /// The value of a scalar.
  double number() const { return data[0]; }

  double &operator[](int64_t i) { return data[i]; }
  double operator[](int64_t i) const { return data[i]; }
};

/// The shape of a tensor type; empty for a scalar type.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);

/// The number of elements of a shape.
int64_t elementsOf(llvm::ArrayRef<int64_t> shape);

/// Adds `addend` to `sum`, which has the same shape.
void addInto(Value &sum, const Value &addend);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_VALUE_H

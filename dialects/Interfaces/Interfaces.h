// The op interfaces that passes ask instead of listing ops.
#ifndef LLMC_DIALECTS_INTERFACES_INTERFACES_H
#define LLMC_DIALECTS_INTERFACES_INTERFACES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace llmc {

/// How an op walks its iteration space.
enum class KernelKind {
  /// Each result element depends on the same element of the operands, or on
  /// an operand broadcast along leading dimensions.
  Elementwise,
  /// Parallel over the leading two dimensions (sequence, batch), reducing
  /// along the rest.
  RowReduction,
  /// Reduces the leading two dimensions and keeps the rest.
  ColumnReduction,
  /// A kernel of its own (attention, embedding, cross-entropy, updates).
  Root,
  /// A call of the target's library (contractions).
  Library,
};

} // namespace llmc

#include "dialects/Interfaces/Interfaces.h.inc"

#endif // LLMC_DIALECTS_INTERFACES_INTERFACES_H

// The nn dialect: the model on global tensors.
#ifndef LLMC_DIALECTS_NN_NN_H
#define LLMC_DIALECTS_NN_NN_H

#include "dialects/Interfaces/Interfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/Hashing.h"
#include <bit>

#include "dialects/Nn/NnDialect.h.inc"

namespace llmc::nn {

/// A float64 attribute parameter: equal when the bits are equal.
class Real {
public:
  Real(double value = 0.0) : value(value) {}
  operator double() const { return value; }
  bool operator==(const Real &other) const { return bits() == other.bits(); }
  friend llvm::hash_code hash_value(const Real &real) {
    return llvm::hash_value(real.bits());
  }

private:
  uint64_t bits() const { return std::bit_cast<uint64_t>(value); }
  double value;
};

namespace detail {
llvm::LogicalResult verifyStaticShapes(mlir::Operation *op);
} // namespace detail

/// All tensors of an nn op have static sizes of at least 1.
template <typename ConcreteOp>
class StaticShapes : public mlir::OpTrait::TraitBase<ConcreteOp, StaticShapes> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifyStaticShapes(op);
  }
};

} // namespace llmc::nn

#define GET_ATTRDEF_CLASSES
#include "dialects/Nn/NnAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Nn/NnOps.h.inc"

namespace llmc::nn {

/// The parameter that `name` means in `op`: searches the enclosing symbol
/// tables from the innermost outwards. Null when there is none.
ParameterOp lookupParameter(mlir::SymbolTableCollection &tables,
                            mlir::Operation *op, mlir::FlatSymbolRefAttr name);

/// Rotation speed, in radians per position, of each of the headDim / 2 pairs
/// of a half-split rotary embedding. `scaling` may be null. Su et al. 2021;
/// the llama3 ramp follows the description in Meta's Llama 3.1 release.
llvm::SmallVector<double> ropeFrequencies(int64_t headDim, double theta,
                                          RopeScalingAttr scaling);

} // namespace llmc::nn

#endif // LLMC_DIALECTS_NN_NN_H

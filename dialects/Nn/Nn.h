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

#include "dialects/Nn/NnDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Nn/NnAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Nn/NnOps.h.inc"

namespace llmc::nn {

/// Rotation speed, in radians per position, of each of the headDim / 2 pairs
/// of a half-split rotary embedding. `scaling` may be null. Su et al. 2021;
/// the llama3 ramp follows the description in Meta's Llama 3.1 release.
llvm::SmallVector<double> ropeFrequencies(int64_t headDim, double theta,
                                          RopeScalingAttr scaling);

} // namespace llmc::nn

#endif // LLMC_DIALECTS_NN_NN_H

// The dist dialect: meshes, shardings and the programs of one rank.
#ifndef LLMC_DIALECTS_DIST_DIST_H
#define LLMC_DIALECTS_DIST_DIST_H

#include "dialects/Interfaces/Symbols.h"
#include "dialects/Nn/Nn.h"
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

#include "dialects/Dist/DistDialect.h.inc"

#include "dialects/Dist/DistEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Dist/DistAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Dist/DistTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/Dist/DistOps.h.inc"

namespace llmc::dist {

/// The bucket that a type is a handle to; null for other types.
mlir::FlatSymbolRefAttr getBucketName(mlir::Type type);
/// The role of a handle; only for types that `getBucketName` names.
Role getRole(mlir::Type type);

/// The number of elements of a type; nothing if a size is not static and
/// positive or the number does not fit.
std::optional<int64_t> countElements(mlir::RankedTensorType type);

/// Text form `KIND @NAME stage N(arguments) -> results {...}` of the functions
/// that carry `kind` and `stage`.
mlir::ParseResult parseStagedFunction(mlir::OpAsmParser &parser,
                                      mlir::OperationState &result);
void printStagedFunction(mlir::OpAsmPrinter &printer,
                         mlir::FunctionOpInterface op, FragmentKind kind,
                         uint64_t stage);

/// Checks that a terminator gives what the function around it returns.
llvm::LogicalResult verifyReturn(mlir::Operation *terminator);

} // namespace llmc::dist

#endif // LLMC_DIALECTS_DIST_DIST_H

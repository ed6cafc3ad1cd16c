// The exec dialect: the program of one pipeline coordinate.
#ifndef LLMC_DIALECTS_EXEC_EXEC_H
#define LLMC_DIALECTS_EXEC_EXEC_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Exec/ExecDialect.h.inc"
#include "dialects/Exec/ExecEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Exec/ExecTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/Exec/ExecOps.h.inc"

namespace llmc::exec {

/// The bytes of a buffer or of a view; nothing for any other value.
std::optional<int64_t> sizeOf(mlir::Value buffer);

} // namespace llmc::exec

#endif // LLMC_DIALECTS_EXEC_EXEC_H

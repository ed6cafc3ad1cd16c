// From a module of the LLVM dialect to machine code.
#ifndef LLMC_CODEGEN_CPU_EMITOBJECT_H
#define LLMC_CODEGEN_CPU_EMITOBJECT_H

#include "codegen/Cpu/CompileKernels.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

namespace llmc::codegen {

/// Optimises `module` and gives the bytes of a relocatable object.
mlir::FailureOr<llvm::SmallVector<char, 0>> emitObject(mlir::ModuleOp module,
                                                       const CpuTarget &target);

/// Links the object into a shared object at `path`; `where` is where errors
/// are reported.
mlir::LogicalResult linkSharedObject(llvm::ArrayRef<char> object,
                                     llvm::StringRef path,
                                     mlir::Location where);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_CPU_EMITOBJECT_H

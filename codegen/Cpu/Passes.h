// Passes from linalg functions and root kernels to LLVM's dialect.
#ifndef LLMC_CODEGEN_CPU_PASSES_H
#define LLMC_CODEGEN_CPU_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace llmc::codegen {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "codegen/Cpu/Passes.h.inc"

/// From a module of exec.kernel ops to LLVM's dialect.
void buildCpuLowerKernels(mlir::OpPassManager &manager, int64_t lanes);

/// Registers `cpu-lower-kernels`.
void registerCpuPipelines();

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_CPU_PASSES_H

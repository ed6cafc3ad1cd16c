// Passes from kernels of nn ops to linalg.
#ifndef LLMC_CODEGEN_LINALG_PASSES_H
#define LLMC_CODEGEN_LINALG_PASSES_H

#include "mlir/Pass/Pass.h"

namespace llmc::codegen {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "codegen/Linalg/Passes.h.inc"

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_LINALG_PASSES_H

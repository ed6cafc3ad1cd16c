// The exec passes.
#ifndef LLMC_PASSES_EXEC_PASSES_H
#define LLMC_PASSES_EXEC_PASSES_H

#include "dialects/Exec/Exec.h"
#include "mlir/Pass/Pass.h"

namespace llmc::exec {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Exec/Passes.h.inc"

} // namespace llmc::exec

#endif // LLMC_PASSES_EXEC_PASSES_H

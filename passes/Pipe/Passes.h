// The passes on the pipe dialect: fragments and the order of their work.
#ifndef LLMC_PASSES_PIPE_PASSES_H
#define LLMC_PASSES_PIPE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace llmc::pipe {

#define GEN_PASS_DECL
#include "passes/Pipe/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Pipe/Passes.h.inc"

} // namespace llmc::pipe

#endif // LLMC_PASSES_PIPE_PASSES_H

// The passes on the nn dialect: from the front end's forward graph to a whole
// training step.
#ifndef LLMC_PASSES_NN_PASSES_H
#define LLMC_PASSES_NN_PASSES_H

#include "mlir/Pass/Pass.h"

namespace llmc::nn {

#define GEN_PASS_DECL
#include "passes/Nn/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Nn/Passes.h.inc"

} // namespace llmc::nn

#endif // LLMC_PASSES_NN_PASSES_H

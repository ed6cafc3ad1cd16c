// The passes on the dist dialect: from the plan to the programs of one rank.
#ifndef LLMC_PASSES_DIST_PASSES_H
#define LLMC_PASSES_DIST_PASSES_H

#include "mlir/Pass/Pass.h"

namespace llmc::dist {

#define GEN_PASS_DECL
#include "passes/Dist/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Dist/Passes.h.inc"

} // namespace llmc::dist

#endif // LLMC_PASSES_DIST_PASSES_H

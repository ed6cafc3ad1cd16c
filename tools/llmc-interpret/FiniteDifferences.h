// Checks the gradients of a module against differences of its loss.
#ifndef LLMC_TOOLS_LLMCINTERPRET_FINITEDIFFERENCES_H
#define LLMC_TOOLS_LLMCINTERPRET_FINITEDIFFERENCES_H

#include "tools/llmc-interpret/Inputs.h"

namespace llmc::interpret {

/// Compares each parameter gradient of nn.microbatch @train, which has its
/// backward pass, with central differences of `seed` times the loss, at random
/// entries. Differences are relative to the tensor's largest gradient entry.
/// Prints one line per parameter; fails when one is over the tolerance or the
/// loss does not depend on any.
mlir::LogicalResult checkFiniteDifferences(mlir::ModuleOp module,
                                           const Inputs &inputs, uint64_t seed,
                                           double tolerance,
                                           llvm::raw_ostream &os);

} // namespace llmc::interpret

#endif // LLMC_TOOLS_LLMCINTERPRET_FINITEDIFFERENCES_H

// Everything that a tool must register: dialects and passes.
#ifndef LLMC_PASSES_PIPELINES_REGISTER_H
#define LLMC_PASSES_PIPELINES_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace llmc {

/// Registers the dialects of the project and those that its kernels use.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers the passes of the project and the common upstream ones.
void registerAllPasses();

} // namespace llmc

#endif // LLMC_PASSES_PIPELINES_REGISTER_H

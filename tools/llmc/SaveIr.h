// Writes the module after each pass: `compile --save-ir`.
#ifndef LLMC_TOOLS_LLMC_SAVEIR_H
#define LLMC_TOOLS_LLMC_SAVEIR_H

#include "mlir/Pass/PassManager.h"

namespace llmc::tool {

/// Writes DIR/00-input.mlir now and DIR/NN-pass.mlir after each pass of `pm`,
/// with locations. Fails with a message if the directory cannot be written.
mlir::LogicalResult saveIr(mlir::PassManager &pm, mlir::ModuleOp module,
                           llvm::StringRef directory);

} // namespace llmc::tool

#endif // LLMC_TOOLS_LLMC_SAVEIR_H

// One nn layer op as linalg ops on tensors.
#ifndef LLMC_CODEGEN_LINALG_NNTOLINALG_H
#define LLMC_CODEGEN_LINALG_NNTOLINALG_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace llmc::codegen {

/// Emits linalg ops for the layer op `op`, whose operands `mapping` knows, and
/// maps its results. Fails, without a message, when the op is not one that
/// this conversion knows.
mlir::LogicalResult convertToLinalg(mlir::OpBuilder &builder,
                                    mlir::Operation *op,
                                    mlir::IRMapping &mapping);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_LINALG_NNTOLINALG_H

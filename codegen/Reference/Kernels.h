// The table from op names to the functions that compute pure tensor ops.
#ifndef LLMC_CODEGEN_REFERENCE_KERNELS_H
#define LLMC_CODEGEN_REFERENCE_KERNELS_H

#include "codegen/Reference/Value.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace llmc::reference {

/// One pointer per operand; an absent optional operand has none.
using Operands = llvm::ArrayRef<const Value *>;
/// One value per result.
using Results = std::vector<Value>;

/// Computes the results of an op, or reports an error at the op. The verifiers
/// have checked all shapes; only the operands' values can be wrong.
using Kernel = mlir::FailureOr<Results> (*)(mlir::Operation *, Operands);

class KernelTable {
public:
  template <typename OpTy, mlir::FailureOr<Results> (*compute)(OpTy, Operands)>
  void add() {
    kernels[OpTy::getOperationName()] = [](mlir::Operation *op,
                                           Operands operands) {
      return compute(llvm::cast<OpTy>(op), operands);
    };
  }

  /// Null if the op has none.
  Kernel find(mlir::Operation *op) const {
    return kernels.lookup(op->getName().getStringRef());
  }

  /// The kernels of all pure ops.
  static const KernelTable &get();

private:
  llvm::StringMap<Kernel> kernels;
};

void registerContractKernels(KernelTable &table);
void registerElementwiseKernels(KernelTable &table);
void registerNormKernels(KernelTable &table);
void registerEmbeddingKernels(KernelTable &table);
void registerRopeKernels(KernelTable &table);
void registerAttentionKernels(KernelTable &table);
void registerLossKernels(KernelTable &table);
void registerUpdateKernels(KernelTable &table);
void registerStructureKernels(KernelTable &table);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_KERNELS_H

// Collects the kernels of all subjects in one table.
#include "codegen/Reference/Kernels.h"

namespace llmc::reference {

const KernelTable &KernelTable::get() {
  static const KernelTable table = [] {
    KernelTable built;
    registerContractKernels(built);
    registerElementwiseKernels(built);
    registerNormKernels(built);
    registerEmbeddingKernels(built);
    registerRopeKernels(built);
    registerAttentionKernels(built);
    registerLossKernels(built);
    registerUpdateKernels(built);
    registerStructureKernels(built);
    return built;
  }();
  return table;
}

} // namespace llmc::reference

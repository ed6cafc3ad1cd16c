// exec-serialize: from the exec dialect to the plan file.
#ifndef LLMC_CODEGEN_PLAN_SERIALIZE_H
#define LLMC_CODEGEN_PLAN_SERIALIZE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <map>
#include <string>

namespace llmc::codegen {

/// What the target's code generation says of the kernels, and the machine.
struct PlanTarget {
  std::string name; // "cpu" or "null"
  std::string cpuFeatures;
  std::string llmcVersion;
  unsigned threads = 1;
  /// Kernel name to the extent of its parallel dimension.
  std::map<std::string, int64_t> extents;
};

/// The bytes of the plan file of a module with one planned and verified
/// exec.program and the nn.parameter ops that it names. Equal modules give
/// equal bytes. Errors are diagnostics.
mlir::FailureOr<std::string> serializePlan(mlir::ModuleOp module,
                                           const PlanTarget &target);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_PLAN_SERIALIZE_H

// One optimiser step of a module of the nn level.
#ifndef LLMC_CODEGEN_REFERENCE_TRAININGSTEP_H
#define LLMC_CODEGEN_REFERENCE_TRAININGSTEP_H

#include "codegen/Reference/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"

#include <limits>

namespace llmc::reference {

/// The scalars of a step. `step` counts from 1.
struct StepScalars {
  double lr = 0;
  int64_t step = 1;
  double clip = std::numeric_limits<double>::infinity();
  double inverseScale = 1;
};

struct StepResult {
  /// What each micro-batch yielded.
  std::vector<Results> microbatches;
  /// Of all gradients, times `inverseScale`: before clipping.
  double gradientNorm = 0;
};

/// The role of argument `i` of a function of the nn dialect; empty if it has
/// none.
llvm::StringRef argumentRole(mlir::FunctionOpInterface function, unsigned i);

/// The value of each argument of an update.
mlir::FailureOr<Results> updateArguments(nn::UpdateOp update,
                                         const StepScalars &scalars);

/// Runs `@train` on the arguments of each micro-batch, and then the update, if
/// the module has one, on the sum of their gradients. Leaves the gradients in
/// the state.
mlir::FailureOr<StepResult>
runTrainingStep(mlir::ModuleOp module, State &state,
                llvm::ArrayRef<Results> microbatches,
                const StepScalars &scalars);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_TRAININGSTEP_H

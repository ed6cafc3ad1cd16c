// Runs ops, blocks and the functions of the nn dialect in float64. This is the
// oracle for every pass and kernel: it is slow and shares no code with them.
#ifndef LLMC_CODEGEN_REFERENCE_INTERPRETER_H
#define LLMC_CODEGEN_REFERENCE_INTERPRETER_H

#include "codegen/Reference/Kernels.h"
#include "codegen/Reference/State.h"
#include "dialects/Nn/Nn.h"

#include <functional>

namespace llmc::reference {

/// What a block sees beside its arguments.
struct Surroundings {
  /// The state that `nn.get`, `nn.accumulate` and the updates refer to; null
  /// where the block is pure.
  State *state = nullptr;
  /// Called after every op with its results.
  std::function<void(mlir::Operation *, llvm::ArrayRef<Value>)> trace = nullptr;
};

/// The results of one pure op; an error is reported at the op.
mlir::FailureOr<Results> evaluateOp(mlir::Operation *op,
                                    llvm::ArrayRef<Value> operands);

/// The same on operands where they lie; `state` is what ops that name
/// parameters refer to, or null.
mlir::FailureOr<Results> evaluateOp(mlir::Operation *op, Operands operands,
                                    State *state);

/// Runs the ops of a block in order and gives the operands of its terminator.
mlir::FailureOr<Results> evaluateBlock(mlir::Block &block,
                                       llvm::ArrayRef<Value> arguments,
                                       const Surroundings &surroundings = {});

/// Runs a micro-batch: its results, and gradients added to the state.
mlir::FailureOr<Results> runMicrobatch(nn::MicrobatchOp function, State &state,
                                       llvm::ArrayRef<Value> arguments);

/// Runs an update on the gradients of the state.
mlir::FailureOr<Results> runUpdate(nn::UpdateOp function, State &state,
                                   llvm::ArrayRef<Value> arguments);

/// The sum of squares of all gradients of the state.
double gradientNormSquared(const State &state);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_INTERPRETER_H

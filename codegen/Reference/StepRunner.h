// Runs training steps of a module at whatever level it stands: nn, pipe, or
// local dist with all simulated ranks in this process.
#ifndef LLMC_CODEGEN_REFERENCE_STEPRUNNER_H
#define LLMC_CODEGEN_REFERENCE_STEPRUNNER_H

#include "codegen/Reference/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"

#include <limits>
#include <memory>

namespace llmc::reference {

/// The numbers of a step, by the names that arguments refer to them with.
struct StepScalars {
  double lr = 0;
  /// The number of the step, from 1.
  int64_t step = 1;
  double clip = std::numeric_limits<double>::infinity();
  double inverseScale = 1;
  /// Loss scale over counted labels of the global batch.
  double seed = 1;

  /// lr, t, clip, inv_scale or seed.
  std::optional<double> find(llvm::StringRef name) const;
};

/// The arguments of a micro-batch, on global tensors. An argument that the
/// module does not use has no type.
struct Signature {
  struct Argument {
    std::string role;
    mlir::Type type;
  };
  std::vector<Argument> arguments;
  /// What the module's schedule was made for; nothing if any number will do.
  std::optional<int64_t> microbatches;
};

struct StepResult {
  /// The loss of each micro-batch: a sum over counted labels.
  std::vector<Results> microbatches;
  /// Of all gradients, times the inverse scale: before clipping.
  double gradientNorm = 0;
};

class StepRunner {
public:
  /// A runner for the level of `module`, starting from the parameters of
  /// `initial`. Reports an error and gives null if the module cannot be run.
  static std::unique_ptr<StepRunner> create(mlir::ModuleOp module,
                                            State initial);
  virtual ~StepRunner() = default;

  /// Runs all micro-batches and the update. Each micro-batch has one value for
  /// each argument of the signature; those of role `seed` are taken from
  /// `scalars` instead. Leaves the gradients in the state.
  virtual mlir::FailureOr<StepResult>
  runStep(llvm::ArrayRef<Results> microbatches, const StepScalars &scalars) = 0;

  /// Runs one micro-batch of another entry, such as evaluate or logits.
  virtual mlir::FailureOr<Results> runEntry(llvm::StringRef entry,
                                            llvm::ArrayRef<Value> arguments,
                                            const StepScalars &scalars) = 0;

  /// The global state, assembled from all ranks.
  virtual mlir::FailureOr<State> state() = 0;
};

/// The signature of an entry at any level; an error is reported at the module.
mlir::FailureOr<Signature> signatureOf(mlir::ModuleOp module,
                                       llvm::StringRef entry);

/// The role of argument `i` of a function of the nn dialect; empty if it has
/// none.
llvm::StringRef argumentRole(mlir::FunctionOpInterface function, unsigned i);

/// Runs a micro-batch with the seed of the step in place of that of
/// `arguments`.
mlir::FailureOr<Results> runMicrobatch(nn::MicrobatchOp function, State &state,
                                       llvm::ArrayRef<Value> arguments,
                                       const StepScalars &scalars);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_STEPRUNNER_H

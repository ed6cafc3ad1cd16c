// Choice of the runner, and the runner of the nn level.
#include "codegen/Reference/StepRunner.h"
#include "codegen/Reference/ProgramRunner.h"
#include "dialects/Pipe/Pipe.h"

#include <cmath>

namespace llmc::reference {

using mlir::FailureOr;

std::optional<double> StepScalars::find(llvm::StringRef name) const {
  if (name == "lr")
    return lr;
  if (name == "t")
    return static_cast<double>(step);
  if (name == "clip")
    return clip;
  if (name == "inv_scale")
    return inverseScale;
  if (name == "seed")
    return seed;
  return std::nullopt;
}

llvm::StringRef argumentRole(mlir::FunctionOpInterface function, unsigned i) {
  auto role = function.getArgAttrOfType<mlir::StringAttr>(i, "nn.role");
  return role ? role.getValue() : llvm::StringRef();
}

FailureOr<Results> runMicrobatch(nn::MicrobatchOp op, State &state,
                                 llvm::ArrayRef<Value> arguments,
                                 const StepScalars &scalars) {
  auto function = llvm::cast<mlir::FunctionOpInterface>(op.getOperation());
  Results values(arguments.begin(), arguments.end());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (argumentRole(function, i) == "seed" && i < values.size())
      values[i] = Value::scalar(scalars.seed);
  return runMicrobatch(op, state, values);
}

namespace {

class NnRunner : public StepRunner {
public:
  NnRunner(mlir::ModuleOp module, State initial)
      : module(module), current(std::move(initial)) {}

  FailureOr<StepResult> runStep(llvm::ArrayRef<Results> microbatches,
                                const StepScalars &scalars) override {
    StepResult result;
    current.gradients.clear();
    for (const Results &arguments : microbatches) {
      FailureOr<Results> yielded = runEntry("train", arguments, scalars);
      if (mlir::failed(yielded))
        return mlir::failure();
      result.microbatches.push_back(std::move(*yielded));
    }
    result.gradientNorm =
        std::sqrt(gradientNormSquared(current)) * scalars.inverseScale;
    for (nn::UpdateOp update : module.getOps<nn::UpdateOp>())
      if (mlir::failed(runOneUpdate(update, scalars)))
        return mlir::failure();
    return result;
  }

  FailureOr<Results> runEntry(llvm::StringRef entry,
                              llvm::ArrayRef<Value> arguments,
                              const StepScalars &scalars) override {
    auto function = module.lookupSymbol<nn::MicrobatchOp>(entry);
    if (!function)
      return module.emitError() << "has no nn.microbatch @" << entry;
    return runMicrobatch(function, current, arguments, scalars);
  }

  FailureOr<State> state() override { return current; }

private:
  FailureOr<Results> runOneUpdate(nn::UpdateOp update,
                                  const StepScalars &scalars) {
    auto function =
        llvm::cast<mlir::FunctionOpInterface>(update.getOperation());
    Results arguments;
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      std::optional<double> scalar = scalars.find(argumentRole(function, i));
      if (!scalar)
        return update.emitOpError()
               << "argument " << i << " has role '" << argumentRole(function, i)
               << "', expected lr, t, clip or inv_scale";
      arguments.push_back(Value::scalar(*scalar));
    }
    return runUpdate(update, current, arguments);
  }

  mlir::ModuleOp module;
  State current;
};

} // namespace

std::unique_ptr<StepRunner> StepRunner::create(mlir::ModuleOp module,
                                               State initial) {
  if (!module.getOps<pipe::ProgramOp>().empty())
    return createProgramRunner(module, std::move(initial));
  return std::make_unique<NnRunner>(module, std::move(initial));
}

FailureOr<Signature> signatureOf(mlir::ModuleOp module, llvm::StringRef entry) {
  mlir::Operation *op = module.lookupSymbol<nn::MicrobatchOp>(entry);
  if (!op && !module.getOps<pipe::ProgramOp>().empty())
    return programSignature(module, entry);
  if (!op)
    return module.emitError() << "has no nn.microbatch @" << entry;
  auto function = llvm::cast<mlir::FunctionOpInterface>(op);
  Signature signature;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    signature.arguments.push_back(
        {argumentRole(function, i).str(), function.getArgumentTypes()[i]});
  return signature;
}

} // namespace llmc::reference

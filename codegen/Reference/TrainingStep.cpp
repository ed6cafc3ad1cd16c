// One optimiser step: micro-batches, then the update.
#include "codegen/Reference/TrainingStep.h"

#include <cmath>

namespace llmc::reference {

using mlir::FailureOr;

llvm::StringRef argumentRole(mlir::FunctionOpInterface function, unsigned i) {
  auto role = function.getArgAttrOfType<mlir::StringAttr>(i, "nn.role");
  return role ? role.getValue() : llvm::StringRef();
}

FailureOr<Results> updateArguments(nn::UpdateOp update,
                                   const StepScalars &scalars) {
  auto function = llvm::cast<mlir::FunctionOpInterface>(update.getOperation());
  Results arguments;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    llvm::StringRef role = argumentRole(function, i);
    if (role == "lr")
      arguments.push_back(Value::scalar(scalars.lr));
    else if (role == "t")
      arguments.push_back(Value::scalar(static_cast<double>(scalars.step)));
    else if (role == "clip")
      arguments.push_back(Value::scalar(scalars.clip));
    else if (role == "inv_scale")
      arguments.push_back(Value::scalar(scalars.inverseScale));
    else
      return update.emitOpError() << "argument " << i << " has role '" << role
                                  << "', expected lr, t, clip or inv_scale";
  }
  return arguments;
}

FailureOr<StepResult> runTrainingStep(mlir::ModuleOp module, State &state,
                                      llvm::ArrayRef<Results> microbatches,
                                      const StepScalars &scalars) {
  auto train = module.lookupSymbol<nn::MicrobatchOp>("train");
  if (!train)
    return module.emitError("has no nn.microbatch @train");
  StepResult result;
  state.gradients.clear();
  for (const Results &arguments : microbatches) {
    FailureOr<Results> yielded = runMicrobatch(train, state, arguments);
    if (mlir::failed(yielded))
      return mlir::failure();
    result.microbatches.push_back(std::move(*yielded));
  }
  result.gradientNorm =
      std::sqrt(gradientNormSquared(state)) * scalars.inverseScale;
  for (nn::UpdateOp update : module.getOps<nn::UpdateOp>()) {
    FailureOr<Results> arguments = updateArguments(update, scalars);
    if (mlir::failed(arguments) ||
        mlir::failed(runUpdate(update, state, *arguments)))
      return mlir::failure();
  }
  return result;
}

} // namespace llmc::reference

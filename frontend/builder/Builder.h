// From checked specs to the nn level.
#ifndef LLMC_FRONTEND_BUILDER_BUILDER_H
#define LLMC_FRONTEND_BUILDER_BUILDER_H

#include "frontend/spec/Load.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llmc::frontend {

/// The programs that a module holds.
struct BuildOptions {
  bool train = true;     // @train (forward only) and @step
  bool evaluate = false; // @evaluate: the loss without gradients
  bool logits = false;   // @logits: of one sequence, for sampling
};

/// Builds the forward graph and the update of a loaded spec: sequence first,
/// heads as dimensions, one micro-batch of all replicas. Locations carry the
/// line of the spec or the library file and the path of the layer. The context
/// must have the nn dialect loaded. Cannot fail: what a spec may ask for and is
/// not built was refused when it was loaded.
mlir::OwningOpRef<mlir::ModuleOp> buildModule(mlir::MLIRContext &context,
                                              const LoadedSpec &loaded,
                                              const BuildOptions &options);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_BUILDER_BUILDER_H

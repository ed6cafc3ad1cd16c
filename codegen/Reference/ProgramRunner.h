// Runs a pipe.program: its fragments on global tensors, or the local functions
// that they became on all ranks of the mesh.
#ifndef LLMC_CODEGEN_REFERENCE_PROGRAMRUNNER_H
#define LLMC_CODEGEN_REFERENCE_PROGRAMRUNNER_H

#include "codegen/Reference/StepRunner.h"

namespace llmc::reference {

/// Null, with an error reported, if the program cannot be run.
std::unique_ptr<StepRunner> createProgramRunner(mlir::ModuleOp module,
                                                State initial);

/// The arguments that the fragments of an entry read. Types are global: those
/// of local functions are scaled by their `dist.sharding`, if they have one.
mlir::FailureOr<Signature> programSignature(mlir::ModuleOp module,
                                            llvm::StringRef entry);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_PROGRAMRUNNER_H

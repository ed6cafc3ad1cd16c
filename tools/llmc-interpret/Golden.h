// Replays a golden trajectory in the interpreter.
#ifndef LLMC_TOOLS_LLMCINTERPRET_GOLDEN_H
#define LLMC_TOOLS_LLMCINTERPRET_GOLDEN_H

#include "codegen/Reference/StepRunner.h"

#include <string>

namespace llmc::interpret {

/// Trains the module, which has its backward pass, on the case in `directory`
/// (config.json, expected.json, model.safetensors, tokens.bin,
/// grads0.safetensors): loss and gradient norm of every step must be within
/// 1e-10 of what is expected, the gradients of the first step within the
/// float32 rounding of the file. Prints the largest differences.
mlir::LogicalResult checkGolden(mlir::ModuleOp module,
                                const std::string &directory,
                                llvm::raw_ostream &os);

} // namespace llmc::interpret

#endif // LLMC_TOOLS_LLMCINTERPRET_GOLDEN_H

// What the interpreter starts from: parameters, the arguments of each
// micro-batch, and the scalars of the step.
#ifndef LLMC_TOOLS_LLMCINTERPRET_INPUTS_H
#define LLMC_TOOLS_LLMCINTERPRET_INPUTS_H

#include "codegen/Reference/StepRunner.h"
#include "runtime/base/Json.h"

namespace llmc::interpret {

struct Inputs {
  reference::State state;
  std::vector<reference::Results> microbatches;
  reference::StepScalars scalars;
};

/// Random inputs: a function of the seed, the names of the parameters and the
/// arguments' numbers, so that two modules of the same model get the same.
/// Tokens and labels are within the vocabulary of `module`, some labels do not
/// count, and the seed of the gradients is one over those that do.
Inputs randomInputs(mlir::ModuleOp module,
                    const reference::Signature &signature, uint64_t seed,
                    int64_t microbatches);

/// Replaces inputs by those of a JSON file: "parameters" by name, "arguments"
/// by number (of every micro-batch), "step" with lr, t, clip, inv_scale and
/// seed. A value is a number or {"shape": [...], "data": [...]}.
rt::Status readInputs(const std::string &path, Inputs &inputs);

} // namespace llmc::interpret

#endif // LLMC_TOOLS_LLMCINTERPRET_INPUTS_H

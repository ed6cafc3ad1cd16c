// Looks at every output of every instruction.
#ifndef LLMC_RUNTIME_EXECUTOR_FINITECHECK_H
#define LLMC_RUNTIME_EXECUTOR_FINITECHECK_H

#include "runtime/executor/Program.h"

#include <optional>

namespace llmc::rt {

class FiniteCheck : public InstructionObserver {
public:
  explicit FiniteCheck(const plan::Plan &plan) : plan(plan) {}

  void after(const ResolvedInstruction &instruction,
             const plan::Action &action) override;

  /// What was found first since the last call: value, instruction, op, layer
  /// and line of the spec.
  std::optional<std::string> take();

private:
  const plan::Plan &plan;
  std::optional<std::string> found;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_FINITECHECK_H

// The check of an instruction's outputs and its message.
#include "runtime/executor/FiniteCheck.h"

#include <cmath>

namespace llmc::rt {

static std::string valueText(float value) {
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

static std::string describe(const plan::Plan &plan,
                            const plan::Instruction &instruction) {
  bool launch = instruction.kind() == plan::InstructionKind::launch;
  std::string text =
      launch
          ? "kernel '" +
                plan.kernels()->Get(instruction.index())->symbol()->str() + "'"
          : "a matmul";
  if (std::string_view op = textOf(instruction.op()); !op.empty())
    text += ", op " + std::string(op);
  if (instruction.layer() >= 0)
    text += ", layer " + std::to_string(instruction.layer());
  if (std::string_view at = textOf(instruction.location()); !at.empty())
    text += ", " + std::string(at);
  return text;
}

void FiniteCheck::after(const ResolvedInstruction &instruction,
                        const plan::Action &action) {
  if (found)
    return;
  const plan::Instruction &source = *instruction.source;
  uint32_t count = source.operands()->size();
  for (uint32_t i = count - source.outputs(); i < count; ++i) {
    // A boolean is one byte; every other output is float32.
    uint64_t bytes = source.operands()->Get(i)->bytes();
    const auto *values = static_cast<const float *>(instruction.operands[i]);
    for (uint64_t e = 0; bytes % 4 == 0 && e < bytes / 4; ++e) {
      if (std::isfinite(values[e]))
        continue;
      found = valueText(values[e]) + " at element " + std::to_string(e) +
              " of output " + std::to_string(i - (count - source.outputs())) +
              " of " + describe(plan, source) + ", action " +
              action.text()->str();
      return;
    }
  }
}

std::optional<std::string> FiniteCheck::take() {
  return std::exchange(found, std::nullopt);
}

} // namespace llmc::rt

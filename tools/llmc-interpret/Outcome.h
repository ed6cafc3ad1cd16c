// What a run of a module gives, and how two of them are compared.
#ifndef LLMC_TOOLS_LLMCINTERPRET_OUTCOME_H
#define LLMC_TOOLS_LLMCINTERPRET_OUTCOME_H

#include "runtime/base/Json.h"
#include "tools/llmc-interpret/Inputs.h"

namespace llmc::interpret {

/// Named values in sections: results; for a whole step also gradients, their
/// norm, and parameters after the update.
struct Outcome {
  std::map<std::string, std::map<std::string, reference::Value>> sections;
};

/// Runs the whole step of `train`, or another entry alone.
mlir::FailureOr<Outcome> runEntry(mlir::ModuleOp module,
                                  const std::string &entry, Inputs inputs);

/// One line per value: section, name, shape, and elements with 12 digits.
void printOutcome(const Outcome &outcome, llvm::raw_ostream &os);

rt::Json outcomeToJson(const Outcome &outcome);
rt::Expected<Outcome> readOutcome(const std::string &path);

/// The largest difference of any value, and where it is.
struct Difference {
  double size = 0;
  std::string where;
};

/// max |a - b| / max(max |b|, 1e-3 times the largest entry of b's section), so
/// that rounding noise in a value that should be 0 does not count. Infinite
/// when names or shapes differ or one side alone is not finite.
Difference compareOutcomes(const Outcome &a, const Outcome &b);

} // namespace llmc::interpret

#endif // LLMC_TOOLS_LLMCINTERPRET_OUTCOME_H

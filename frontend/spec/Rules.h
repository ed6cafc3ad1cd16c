// The rule table: what combinations of keys and sizes are legal.
#ifndef LLMC_FRONTEND_SPEC_RULES_H
#define LLMC_FRONTEND_SPEC_RULES_H

#include "frontend/spec/Architecture.h"
#include "frontend/spec/Diagnostics.h"
#include "frontend/spec/Spec.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace llmc::frontend {

/// One violation: where, and what fills the message's `{0}`, `{1}` ...
struct Violation {
  std::string key; // the place is the key's
  std::vector<std::string> args;
};

struct RuleInput {
  const Spec &spec;
  const Architecture *arch; // null if the model itself is wrong
  /// Keys and sections whose values were refused, so that the structs hold
  /// defaults the user did not mean.
  const std::set<std::string> &refused;
};

struct Rule {
  const char *id;
  Severity severity;
  const char *condition; // in words, for the docs
  const char *message;   // with {0}, {1} ...; nearest legal values included
  std::vector<Violation> (*check)(const RuleInput &);
};

/// Rules on batch, length and learning rate; on the plan; on the model and
/// the data; and the warnings on keys that have no effect.
const std::vector<Rule> &trainingRules();
const std::vector<Rule> &planRules();
const std::vector<Rule> &modelRules();
const std::vector<Rule> &effectRules();

void checkRules(const RuleInput &input, DiagnosticList &diagnostics);

/// The message with its arguments filled in.
std::string fillMessage(const char *message,
                        const std::vector<std::string> &args);

/// The page that lists every rule.
std::string rulesMarkdown();

/// The multiples of `unit` around `value`, at least one: "8, 12".
std::string nearestMultiples(int64_t value, int64_t unit);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_RULES_H

// Running the rule table and printing its page.
#include "frontend/spec/Rules.h"

namespace llmc::frontend {

namespace {

std::vector<const std::vector<Rule> *> tables() {
  return {&trainingRules(), &planRules(), &modelRules(), &effectRules()};
}

} // namespace

std::string fillMessage(const char *message,
                        const std::vector<std::string> &args) {
  std::string out;
  for (const char *at = message; *at; ++at) {
    bool slot = at[0] == '{' && at[1] >= '0' && at[1] <= '9' && at[2] == '}';
    if (slot && size_t(at[1] - '0') < args.size()) {
      out += args[size_t(at[1] - '0')];
      at += 2;
    } else {
      out += *at;
    }
  }
  return out;
}

void checkRules(const RuleInput &input, DiagnosticList &diagnostics) {
  for (const std::vector<Rule> *table : tables())
    for (const Rule &rule : *table)
      for (const Violation &violation : rule.check(input)) {
        SourceMark mark = input.spec.markOf(violation.key);
        std::string message = fillMessage(rule.message, violation.args);
        if (rule.severity == Severity::Error)
          diagnostics.error(mark, message);
        else
          diagnostics.warning(mark, message);
      }
}

std::string nearestMultiples(int64_t value, int64_t unit) {
  int64_t below = value / unit * unit;
  std::string above = std::to_string(below + unit);
  return below ? std::to_string(below) + ", " + above : above;
}

std::string rulesMarkdown() {
  std::string out =
      "# Rules\n\n"
      "What `llmc check` demands of a spec beyond the type and range of each "
      "key. Printed from\nthe rule table by `llmc check --print-rules`; a test "
      "compares.\n\n"
      "| rule | kind | holds when | message |\n|---|---|---|---|\n";
  for (const std::vector<Rule> *table : tables())
    for (const Rule &rule : *table)
      out += std::string("| ") + rule.id + " | " + toString(rule.severity) +
             " | " + rule.condition + " | `" + rule.message + "` |\n";
  return out;
}

} // namespace llmc::frontend

// llmc check: every error of a spec, or one line that it is good.
#include "frontend/spec/Rules.h"
#include "frontend/spec/Value.h"
#include "tools/llmc/Commands.h"

#include "llvm/Support/raw_ostream.h"

#include <iostream>

namespace cl = llvm::cl;
using namespace llmc;
using namespace llmc::frontend;

namespace {

cl::SubCommand checkCommand("check", "Report every error of a spec");
tool::SpecOptions options(checkCommand);
cl::opt<bool> resolved("resolved",
                       cl::desc("Print the whole spec with every default and "
                                "where each value came from"),
                       cl::sub(checkCommand));
cl::opt<bool> json("json", cl::desc("Print the outcome as JSON"),
                   cl::sub(checkCommand));
cl::opt<bool> printRules("print-rules",
                         cl::desc("Print the page of the rule table"),
                         cl::Hidden, cl::sub(checkCommand));

/// 124439808 as 124,439,808.
std::string grouped(int64_t number) {
  std::string digits = std::to_string(number), out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i && (digits.size() - i) % 3 == 0)
      out += ',';
    out += digits[i];
  }
  return out;
}

/// Tokens of the whole run; absent when the data's length decides.
std::optional<int64_t> totalTokens(const TrainSection &train) {
  std::optional<int64_t> steps = train.steps();
  int64_t total = 0;
  if (!steps || __builtin_mul_overflow(*steps, train.tokensPerStep(), &total))
    return std::nullopt;
  return total;
}

std::string planText(const Spec &spec) {
  const ParallelSection &plan = spec.parallel;
  return "dp " + std::to_string(plan.dp) + " x tp " + std::to_string(plan.tp) +
         " x pp " + std::to_string(plan.pp) + " x cp " +
         std::to_string(plan.cp) + ", zero " + std::to_string(plan.zero) +
         ", " + spec.precision.compute + " on " + spec.target.device;
}

std::string goodLine(const LoadedSpec &loaded) {
  const Spec &spec = loaded.spec;
  const TrainSection &train = spec.train;
  std::string line = spec.file + ": good: " + spec.name + ", " +
                     grouped(loaded.arch.parameters) + " parameters, " +
                     grouped(train.tokensPerStep()) + " tokens a step, ";
  std::optional<int64_t> total = totalTokens(train);
  if (total)
    line += grouped(*total) + " in all (" + grouped(*train.steps()) + " steps)";
  else if (spec.data.epochs)
    line += grouped(*spec.data.epochs) + " epochs of the data in all";
  else
    line += grouped(*train.steps()) + " steps in all";
  return line + "; " + planText(spec);
}

std::string orNull(std::optional<int64_t> number) {
  return number ? std::to_string(*number) : "null";
}

std::string diagnosticsJson(const DiagnosticList &diagnostics) {
  std::string out = "[";
  for (const Diagnostic &each : diagnostics.all()) {
    out += out.size() > 1 ? ",\n    " : "\n    ";
    out += "{\"severity\": " + textToJson(toString(each.severity)) +
           ", \"file\": " + textToJson(each.mark.file) +
           ", \"line\": " + std::to_string(each.mark.line) +
           ", \"column\": " + std::to_string(each.mark.column) +
           ", \"message\": " + textToJson(each.message) + "}";
  }
  return out + (out.size() > 1 ? "\n  ]" : "]");
}

void printJson(const std::optional<LoadedSpec> &loaded,
               const DiagnosticList &diagnostics) {
  std::cout << "{\n  \"good\": " << (loaded ? "true" : "false")
            << ",\n  \"diagnostics\": " << diagnosticsJson(diagnostics);
  if (loaded) {
    const TrainSection &train = loaded->spec.train;
    std::cout << ",\n  \"parameters\": " << loaded->arch.parameters
              << ",\n  \"tokens_per_step\": " << train.tokensPerStep()
              << ",\n  \"total_steps\": " << orNull(train.steps())
              << ",\n  \"total_tokens\": " << orNull(totalTokens(train))
              << ",\n  \"world_size\": " << loaded->spec.parallel.worldSize()
              << ",\n  \"spec\": " << resolvedJson(*loaded)
              << ",\n  \"origins\": {";
    const char *separator = "";
    for (const ResolvedKey &key : loaded->resolved) {
      std::cout << separator << textToJson(key.key) << ": "
                << textToJson(key.from);
      separator = ", ";
    }
    std::cout << "}";
  }
  std::cout << "\n}\n";
}

int runCheck() {
  if (printRules) {
    std::cout << rulesMarkdown();
    return tool::kDone;
  }
  DiagnosticList diagnostics;
  std::optional<LoadedSpec> loaded = options.load(diagnostics);
  diagnostics.print(std::cerr);
  if (json)
    printJson(loaded, diagnostics);
  else if (loaded && resolved)
    std::cout << resolvedText(*loaded);
  else if (loaded)
    std::cout << goodLine(*loaded) << "\n";
  return loaded ? tool::kDone : tool::kWrongInput;
}

tool::Command registration(checkCommand, runCheck);

} // namespace

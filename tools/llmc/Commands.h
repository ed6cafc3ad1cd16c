// What the files of the commands share: registration and the spec options.
#ifndef LLMC_TOOLS_LLMC_COMMANDS_H
#define LLMC_TOOLS_LLMC_COMMANDS_H

#include "frontend/spec/Load.h"

#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>
#include <vector>

namespace llmc::tool {

/// Exit codes of every command.
enum ExitCode {
  kDone = 0,
  kWrongInput = 1, // spec, data or command
  kFault = 2,      // at run time
  kStopped = 3     // by a policy
};

/// One command: its name and options hang on the sub-command, `run` is called
/// after they are parsed and returns the exit code. A file of a command holds
/// one static object of this kind.
struct Command {
  Command(llvm::cl::SubCommand &subCommand, int (*run)());

  llvm::cl::SubCommand &subCommand;
  int (*run)();
};

/// In the order of registration.
const std::vector<Command *> &commands();

/// The options of a command that reads a spec: SPEC and --set, repeated.
class SpecOptions {
public:
  explicit SpecOptions(llvm::cl::SubCommand &subCommand);

  /// Loads the spec and prints every diagnostic to standard error.
  std::optional<frontend::LoadedSpec> load() const;
  /// The same with the diagnostics left to the caller.
  std::optional<frontend::LoadedSpec>
  load(frontend::DiagnosticList &diagnostics) const;

  const std::string &path() const { return spec.getValue(); }
  std::vector<std::string> sets() const;

private:
  llvm::cl::opt<std::string> spec;
  llvm::cl::list<std::string> set;
};

} // namespace llmc::tool

#endif // LLMC_TOOLS_LLMC_COMMANDS_H

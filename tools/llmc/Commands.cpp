// Registration of commands and loading of their spec.
#include "tools/llmc/Commands.h"

#include <iostream>

namespace cl = llvm::cl;

namespace llmc::tool {

namespace {

std::vector<Command *> &registry() {
  static std::vector<Command *> list;
  return list;
}

} // namespace

Command::Command(cl::SubCommand &subCommand, int (*run)())
    : subCommand(subCommand), run(run) {
  registry().push_back(this);
}

const std::vector<Command *> &commands() { return registry(); }

SpecOptions::SpecOptions(cl::SubCommand &subCommand)
    : spec(cl::Positional, cl::desc("SPEC"), cl::sub(subCommand)),
      set("set", cl::desc("Replace a value of the spec: a.b.c=value"),
          cl::value_desc("key=value"), cl::sub(subCommand)) {}

std::vector<std::string> SpecOptions::sets() const {
  return {set.begin(), set.end()};
}

std::optional<frontend::LoadedSpec>
SpecOptions::load(frontend::DiagnosticList &diagnostics) const {
  if (path().empty()) {
    diagnostics.error({"llmc", 0, 0}, "no spec is named, expected SPEC");
    return std::nullopt;
  }
  return frontend::loadSpec(path(), sets(), diagnostics);
}

std::optional<frontend::LoadedSpec> SpecOptions::load() const {
  frontend::DiagnosticList diagnostics;
  std::optional<frontend::LoadedSpec> loaded = load(diagnostics);
  diagnostics.print(std::cerr);
  return loaded;
}

} // namespace llmc::tool

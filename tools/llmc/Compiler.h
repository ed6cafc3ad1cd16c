// From a loaded spec to a bundle.
#ifndef LLMC_TOOLS_LLMC_COMPILER_H
#define LLMC_TOOLS_LLMC_COMPILER_H

#include "frontend/spec/Load.h"

#include <string>

namespace llmc::tool {

struct CompileOptions {
  std::string output; // directory of the bundle
  std::string saveIr; // directory for the IR after each pass; empty: none
  bool timePasses = false;
  bool generate = false; // only the program that `llmc generate` runs
  bool quiet = false;    // no summary on standard output
};

/// Compiles and writes the bundle, complete or not at all. Returns an exit
/// code; errors are printed.
int compile(const frontend::LoadedSpec &loaded, const CompileOptions &options);

/// The pass pipeline of the spec as text that llmc-opt replays.
std::string pipelineText(const frontend::LoadedSpec &loaded);

} // namespace llmc::tool

#endif // LLMC_TOOLS_LLMC_COMPILER_H

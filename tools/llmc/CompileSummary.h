// What the compiler says of a program: model, memory, instructions.
#ifndef LLMC_TOOLS_LLMC_COMPILESUMMARY_H
#define LLMC_TOOLS_LLMC_COMPILESUMMARY_H

#include "frontend/spec/Load.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace llmc::tool {

struct CompileSummary {
  struct Arena {
    std::string name;
    int64_t bytes, count;
  };

  std::string name;
  std::string architecture;
  std::string rope; // layout of the rotation; empty without one
  int64_t parameters = 0;
  int64_t microbatches = 0;
  int64_t tokensPerStep = 0;
  int64_t kernels = 0;
  int64_t launches = 0; // of one micro-batch and the update
  int64_t matmuls = 0;
  int64_t matmulFlops = 0; // of one step
  std::vector<Arena> arenas;

  int64_t totalBytes() const;
  std::string text() const;
  std::string json() const;
};

/// Reads the numbers off a module with one planned exec.program.
CompileSummary summarize(mlir::ModuleOp module,
                         const frontend::LoadedSpec &loaded);

} // namespace llmc::tool

#endif // LLMC_TOOLS_LLMC_COMPILESUMMARY_H

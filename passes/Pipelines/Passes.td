// Passes that need the runtime: the one place where a pass may.
#ifndef LLMC_PASSES_PIPELINES_PASSES_TD
#define LLMC_PASSES_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExecSizeWorkspacePass : Pass<"exec-size-workspace", "::mlir::ModuleOp"> {
  let summary = "Ask the target's library how much scratch each matmul needs";
  let description = [{
    Precondition: `convert-to-exec` has run. Postcondition: every
    `exec.matmul` has `workspace`, the bytes of scratch that oneDNN asks
    for on this machine with `threads` threads; `exec-plan-memory` makes the
    arena. Fails when the library cannot be loaded.

    Before: `exec.matmul (%a, %b) -> %c {m = 24, ...}`
    After: `exec.matmul (%a, %b) -> %c {m = 24, ..., workspace = 16384}`
  }];
  let options = [
    Option<"threads", "threads", "unsigned", "1", "threads of a rank">,
  ];
}

#endif // LLMC_PASSES_PIPELINES_PASSES_TD

// The passes that make and check the program of one pipeline coordinate.
#ifndef LLMC_PASSES_EXEC_PASSES_TD
#define LLMC_PASSES_EXEC_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExecFormDispatchesPass : Pass<"exec-form-dispatches", "::mlir::ModuleOp"> {
  let summary = "Group the ops of local functions into future kernels";
  let description = [{
    Precondition: local functions (`dist.func`) on tensors, verified.
    Postcondition: every op that becomes kernel code stands in an
    `exec.dispatch`; losses, accumulations and updates stay as they are. Ops whose
    results nobody uses are gone.

    In this order: a contraction takes the epilogue that the table of targets
    (`passes/Exec/Targets.h`) allows (`+ bias`, then `+` a tensor of its shape); column reductions over one
    iteration space join each other; elementwise ops and row reductions of equal
    iteration space join, across one reduction at most; every root stands alone.
    Ops only move up to the first op of their group, so no cycle can arise.

    Before:
    ```mlir
    %r = nn.rms_stat %x ...
    %n = nn.rms_apply %x, %r, %g ...
    ```
    After:
    ```mlir
    %r, %n = exec.dispatch "rms_stat_rms_apply" (%x, %g) : ... { ... }
    ```

    Does not choose tile sizes: that is code generation.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "cpu or null">,
  ];
  let dependentDialects = ["::llmc::exec::ExecDialect"];
}

def ConvertToExecPass : Pass<"convert-to-exec", "::mlir::ModuleOp"> {
  let summary = "Turn values into buffers and ops into instructions";
  let description = [{
    Precondition: `exec-form-dispatches` has run; the schedule is final.
    Postcondition: one `exec.program`; local functions, buckets and the pipe
    program are gone; no tensor outside kernels; buffers have no offsets yet.

    Linear bufferisation: one buffer a value. Values that the backward block
    reads lie in `slot`, others in `scratch`; buckets in `parameter`,
    `gradient` and `state`; scalars in `step`. A contribution to a
    gradient is written in place: over it when the micro-batch is the first and
    the contribution is the first to it, added to it otherwise. An elementwise
    kernel may write over an operand that nobody reads later.

    Before:
    ```mlir
    dist.accumulate_contract %G [@l0.v], %e, %h {indices = "tbc,tbf->cf"}
    ```
    After:
    ```mlir
    exec.matmul (%e, %h) -> %dv when first {m = 8, n = 32, k = 24, ...}
    exec.matmul (%e, %h) -> %dv when not_first {accumulate, ...}
    ```
  }];
  let dependentDialects = ["::llmc::exec::ExecDialect",
                           "::llmc::nn::NnDialect"];
}

def ExecPlanMemoryPass : Pass<"exec-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Give every buffer its offset and every arena its size";
  let description = [{
    Precondition: the order of instructions is final. Postcondition: every
    `exec.buffer` has an `offset`, every `exec.arena` its `bytes`; buffers that
    live at the same time do not overlap (checked here by an independent
    sweep, and again by `exec-verify`).

    `slot` and `scratch` are placed by lifetime; a block's scratch begins
    anew with each block; entries do not run at the same time, so they
    share bytes. The other arenas are laid out in order.

    Before: `exec.buffer @scratch {bytes = 768, value = "h"}`
    After: `exec.buffer @scratch {bytes = 768, offset = 0, value = "h"}`
  }];
  let dependentDialects = ["::llmc::exec::ExecDialect"];
}

def ExecVerifyPass : Pass<"exec-verify", "::mlir::ModuleOp"> {
  let summary = "Prove that the program's instructions fit its memory";
  let description = [{
    Precondition: `exec-plan-memory` has run. Changes nothing. Fails when an
    operand is not as large as its kernel or matmul needs, a buffer leaves
    its arena, or an output overlaps an input without `aliases`. Then every
    entry is replayed, action by action, on a map of who wrote each byte last
    and for which micro-batch: fails when a value is read before it is
    written, or after another was written over it.

    Refuses what needs more than one rank: collectives, operands that depend on
    mesh coordinates, sends and receives.
  }];
}

#endif // LLMC_PASSES_EXEC_PASSES_TD

// The passes on the pipe dialect.
#ifndef LLMC_PASSES_PIPE_PASSES_TD
#define LLMC_PASSES_PIPE_PASSES_TD

include "mlir/Pass/PassBase.td"

def PipeSplitStages : Pass<"pipe-split-stages", "::mlir::ModuleOp"> {
  let summary = "Cuts the step into closed fragments";
  let description = [{
    Precondition: `nn-verify-step` (or, for a program that only evaluates,
    micro-batches other than `@train`), and a `dist.mesh`. Postcondition: one
    `pipe.program` with the fragments

    * `F0`: the forward ops of `@train`, its loss, and what accumulates a
      result of the loss op; yields the loss, then what `B0` reads of it;
    * `B0`: the backward ops of `@train`;
    * `U0`: `@step`; `E0`: `@evaluate`; `L0`: `@logits`.

    Arguments are what a fragment reads: inputs in the order of the
    micro-batch's arguments, saved values in the order of their definition,
    parameters in the order of their first `nn.get`. What is computed from
    tokens and labels alone is cloned instead of saved. A mesh with more than
    one stage is refused: transfers are not implemented yet.

    Before:
    ```mlir
    nn.microbatch @train(%x: tensor<6x4x8xf32> {nn.role = "data"}, ...) -> f32 {
      %u = nn.get @l0.u : tensor<32x8xf32>
      %a = nn.contract %x, %u ...
      %h = nn.gelu %a ...
      ...
      %da = nn.gelu_input_grad %a, %dh {direction = "backward"} ...
    ```
    After:
    ```mlir
    pipe.program @train mesh @m microbatches 2 {
      pipe.fragment forward @F0 stage 0(
          %x: ... {pipe.source = #pipe.source<input "data" 0>},
          %u: ... {pipe.source = #pipe.source<parameter @l0.u>})
          -> (f32 {pipe.result = #pipe.result<loss>},
              tensor<6x4x32xf32> {pipe.result = #pipe.result<saved>}) { ... }
      pipe.fragment backward @B0 stage 0(
          %a: ... {pipe.source = #pipe.source<saved @F0 1>}, ...) { ... }
    ```
  }];
  let dependentDialects = ["::llmc::pipe::PipeDialect"];
  let options = [
    Option<"microbatches", "microbatches", "int64_t", "1",
           "micro-batches of one step">,
  ];
}

def PipeBuildSchedule : Pass<"pipe-build-schedule", "::mlir::ModuleOp"> {
  let summary = "Orders the work of each pipeline rank";
  let description = [{
    Precondition: `pipe-split-stages`; no schedule yet. Postcondition: each
    program that trains ends in a `pipe.schedule` with one list of actions for
    each pipeline rank and the number of micro-batches that are live at once
    there.

    After:
    ```mlir
    pipe.schedule {kind = "1f1b", live = array<i64: 1>,
                   ranks = ["0F0 0B0 0F1 0B1 0U"]}
    ```
  }];
  let options = [
    Option<"kind", "kind", "std::string", "\"1f1b\"", "gpipe or 1f1b">,
  ];
}

def PipeVerifySchedule : Pass<"pipe-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "Runs all action lists under the rules of the channels";
  let description = [{
    Precondition: a `pipe.program`. Postcondition: the module is unchanged; a
    program that trains has a schedule that does all the work once, cannot
    deadlock, and needs exactly the live micro-batches that it states.

    Example of a finding:

    ```
    error: found 2 live micro-batches on rank 0, expected 1
    ```
  }];
}

#endif // LLMC_PASSES_PIPE_PASSES_TD

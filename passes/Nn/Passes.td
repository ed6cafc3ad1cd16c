// The passes on the nn dialect.
#ifndef LLMC_PASSES_NN_PASSES_TD
#define LLMC_PASSES_NN_PASSES_TD

include "mlir/Pass/PassBase.td"

def NnVerifyModel : Pass<"nn-verify-model", "::mlir::ModuleOp"> {
  let summary = "Checks what every later pass assumes of a model";
  let description = [{
    Precondition: the ops verify. Postcondition: the module is unchanged and

    * micro-batches are named `train` (required), `evaluate` and `logits`;
      the first two yield their loss (f32), the last a rank 3 tensor;
    * arguments named by role agree on `[T, B]`, and losses take the argument
      with role `seed`;
    * nothing accumulates yet and no op is marked `direction`;
    * each parameter has a layer or a group and is read by `@train`; what
      reads a parameter of layer N carries `layer = N`;
    * layers are numbered from 0 without holes, and each ends in one
      `nn.add {anchor = "residual", end_of_layer = N}`, in order.

    Runs first: the passes after it do not repeat these checks. Example of a
    finding:

    ```
    error: found parameter 'l0.u' read 0 times in '@train', expected at least once
    ```
  }];
}

def NnGenerateBackward : Pass<"nn-generate-backward", "::mlir::ModuleOp"> {
  let summary = "Appends the backward pass to the micro-batch @train";
  let description = [{
    Precondition: `nn-verify-model`. Postcondition: `@train` accumulates one
    contribution for each use of each parameter that the loss depends on;
    every op added carries `direction = "backward"`, the `layer` of the
    forward op that it belongs to, and that op's location.

    A value is active when it depends on a parameter; only active operands
    get gradients, so that nothing is computed for inputs. The walk starts
    at the loss, whose op computes the gradients of `seed * loss`, and goes
    backwards. Several cotangents of one value are added in a balanced tree;
    contributions to parameters are never added.

    Before:
    ```mlir
    %u = nn.get @l0.u : tensor<32x8xf32>
    %a = nn.contract %x, %u {indices = "tbc,fc->tbf", layer = 0 : i64} : ...
    %loss, %da = nn.squared_error %a, %y, %keep, %seed : ...
    nn.yield %loss : f32
    ```
    After:
    ```mlir
    ...
    %loss, %da = nn.squared_error %a, %y, %keep, %seed : ...
    %du = nn.contract %da, %x {direction = "backward",
        indices = "tbf,tbc->fc", layer = 0 : i64, weight_gradient} : ...
    nn.accumulate @l0.u, %du {direction = "backward", layer = 0 : i64} : ...
    nn.yield %loss : f32
    ```
  }];
}

def NnVerifyStep : Pass<"nn-verify-step", "::mlir::ModuleOp"> {
  let summary = "Checks the contract between model and plan";
  let description = [{
    Precondition: `nn-generate-backward`. Postcondition: the module is
    unchanged and

    * `@train` accumulates each parameter at least once, and no other
      micro-batch accumulates;
    * `@step` updates each parameter exactly once;
    * in `@train` exactly the ops after the loss carry
      `direction = "backward"`.

    Everything about distribution relies on it. Example of a finding:

    ```
    error: found parameter 'l0.u' updated 2 times in '@step', expected exactly once
    ```
  }];
}

#endif // LLMC_PASSES_NN_PASSES_TD

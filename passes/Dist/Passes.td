// The passes on the dist dialect.
#ifndef LLMC_PASSES_DIST_PASSES_TD
#define LLMC_PASSES_DIST_PASSES_TD

include "mlir/Pass/PassBase.td"

def DistImportPlan : Pass<"dist-import-plan", "::mlir::ModuleOp"> {
  let summary = "Adds the mesh that the plan asks for";
  let description = [{
    Precondition: `nn-verify-step`; no mesh yet. Postcondition: one
    `dist.mesh` with the axes `pp`, `dp`, `tp`, slowest to fastest, stands
    before everything else. Degrees other than 1 are refused: the passes that
    annotate shardings are not implemented yet.

    Before:
    ```mlir
    nn.parameter @l0.u : tensor<32x8xf32> {layer = 0 : i64, decay}
    ```
    After:
    ```mlir
    dist.mesh @m [pp = 1, dp = 1, tp = 1]
    nn.parameter @l0.u : tensor<32x8xf32> {layer = 0 : i64, decay}
    ```
  }];
  let dependentDialects = ["::llmc::dist::DistDialect"];
  let options = [
    Option<"dp", "dp", "int64_t", "1", "data-parallel replicas">,
    Option<"tp", "tp", "int64_t", "1", "tensor-parallel ranks">,
    Option<"pp", "pp", "int64_t", "1", "pipeline stages">,
  ];
}

def DistConvertGlobalToLocal : Pass<"dist-convert-global-to-local",
                                    "::mlir::ModuleOp"> {
  let summary = "Turns fragments on global tensors into functions of one rank";
  let description = [{
    Precondition: `pipe-split-stages`. Postcondition: each `pipe.fragment` is a
    `dist.func` of the same name, kind and stage beside the program, which keeps
    transfers and schedule; reshards and sharding annotations are gone. With one
    rank local types are the global ones; a mesh of more ranks is refused:
    collectives are not implemented yet.

    Before:
    ```mlir
    pipe.program @train mesh @m microbatches 2 {
      pipe.fragment forward @F0 stage 0(...) -> (...) {
        ...
        pipe.yield %loss : f32
      }
    }
    ```
    After:
    ```mlir
    pipe.program @train mesh @m microbatches 2 {
    }
    dist.func forward @F0 stage 0(...) -> (...) {
      ...
      dist.return %loss : f32
    }
    ```
  }];
  let dependentDialects = ["::llmc::dist::DistDialect",
                           "::llmc::pipe::PipeDialect"];
}

def DistFormBuckets : Pass<"dist-form-buckets", "::mlir::ModuleOp"> {
  let summary = "Gathers the parameters of each layer into one bucket";
  let description = [{
    Precondition: `dist-convert-global-to-local`; every gradient is written by
    `nn.accumulate`. Postcondition: one `dist.bucket` for each layer and each
    group of parameters without a layer; functions take handles instead of
    parameters and use `dist.view`, `dist.accumulate`,
    `dist.accumulate_contract`, `dist.norm_squared`, `dist.adamw` and
    `dist.sgd` instead of their nn counterparts.

    Inside a bucket the decay class stands first; otherwise parameters keep
    their order. Tensors are aligned to 64 bytes, the whole is padded to 64
    bytes for each shard. A weight gradient that is a contraction with one use
    is added by the contraction itself. The first contribution to a parameter in
    a micro-batch is marked `first_in_microbatch`: forward functions run before
    backward ones, so nobody needs to set gradients to zero.

    Before:
    ```mlir
    dist.func backward @B0 stage 0(%e: ... {pipe.source = ...},
        %u: tensor<32x8xf32> {pipe.source = #pipe.source<parameter @l0.u>}) {
      %dn = nn.contract %e, %u {indices = "tbf,fc->tbc"} : ...
      %du = nn.contract %e, %n {indices = "tbf,tbc->fc", weight_gradient} : ...
      nn.accumulate @l0.u, %du : tensor<32x8xf32>
    ```
    After:
    ```mlir
    dist.bucket @l0 shard [] elements 256 padded 256 shard_elements 256
        decay_below 256 replicated_over_tp_from 256 {
      @l0.u : tensor<32x8xf32> at 0
    }
    dist.func backward @B0 stage 0(%e: ... {pipe.source = ...},
        %P: !dist.bucket<@l0, parameter, f32>,
        %G: !dist.bucket<@l0, gradient, f32>) {
      %u = dist.view %P [@l0.u] : ...
      %dn = nn.contract %e, %u {indices = "tbf,fc->tbc"} : ...
      dist.accumulate_contract %G [@l0.u], %e, %n
          {first_in_microbatch, indices = "tbf,tbc->fc"} : ...
    ```
  }];
  let dependentDialects = ["::llmc::dist::DistDialect"];
}

def DistVerifyLocal : Pass<"dist-verify-local", "::mlir::ModuleOp"> {
  let summary = "Checks the programs of one rank as a whole";
  let description = [{
    Precondition: `dist-form-buckets`. Postcondition: the module is unchanged
    and

    * each parameter is in exactly one bucket (a tied one in one of each of
      its stages), each entry is part of a parameter;
    * buckets are sharded over axes of the mesh, in as many shards as ranks;
    * every argument has a source that gives its type, every handle a bucket;
    * collectives name axes of the mesh and change sizes by their number of
      ranks;
    * each entry is accumulated, its first contribution alone is marked
      `first_in_microbatch`;
    * each bucket is updated once, and counted in the norm once if the step
      takes the norm.

    Example of a finding:

    ```
    error: found parameter '@l0.u' in 2 buckets, expected exactly 1
    ```
  }];
}

#endif // LLMC_PASSES_DIST_PASSES_TD

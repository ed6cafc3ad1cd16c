// The nn dialect itself. Attributes are in NnAttrs.td; ops are in NnOps.td
// (structure, losses, updates), NnLayerOps.td (forward layers) and
// NnGradOps.td (what their reverse rules emit).
#ifndef LLMC_DIALECTS_NN_DIALECT_TD
#define LLMC_DIALECTS_NN_DIALECT_TD

include "mlir/IR/OpBase.td"

def Nn_Dialect : Dialect {
  let name = "nn";
  let cppNamespace = "::llmc::nn";
  let summary = "The model on global tensors; knows no device and no plan";
  let description = [{
    One training step of a transformer as straight-line code on static,
    global tensors. `nn.microbatch` holds forward and backward of one
    micro-batch of all replicas as one graph, `nn.update` the rest of the
    step; the micro-batch loop is not IR.

    Activations are sequence first, `[T, B, C]`; heads are dimensions
    (`[T, B, H, D]`), never reshapes. Weights are `(out, in)`, per head
    `(H, D, in)` or `(out, H, D)`. Parameters are read through `nn.get` and
    written through `nn.accumulate` and the update ops only. Gradients are
    those of `seed * sum of losses`, where `seed = loss_scale / N` and N is the
    number of counted labels of the whole global batch: the only
    normalisation.

    The front end builds the forward graph; `nn-generate-backward` adds the
    rest. Nothing of this dialect is illegal below: fragments, local programs
    and kernels hold the same ops on smaller tensors.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Version of the dialect in bytecode.
    static constexpr uint64_t kVersion = 1;

    void registerAttributes();
  }];
}

#endif // LLMC_DIALECTS_NN_DIALECT_TD

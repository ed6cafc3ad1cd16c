// Ops that the reverse rules emit.
#ifndef LLMC_DIALECTS_NN_GRAD_OPS_TD
#define LLMC_DIALECTS_NN_GRAD_OPS_TD

include "dialects/Nn/NnBase.td"

class Nn_InputGradOp<string mnemonic, string what> :
    Nn_KernelOp<mnemonic, "Elementwise", [SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins Nn_Float:$input, Nn_Float:$cotangent);
  let hasVerifier = 0;
  let results = (outs Nn_Float:$result);
}

def Nn_GeluInputGradOp : Nn_InputGradOp<"gelu_input_grad",
                                        "cotangent * gelu'(input)"> {
  let description = [{
    Example:
    ```mlir
    %da = nn.gelu_input_grad %a, %dh {tanh_form}
        : (tensor<6x4x32xf32>, tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$cotangent,
                       UnitAttr:$tanh_form);
}

def Nn_SiluInputGradOp : Nn_InputGradOp<"silu_input_grad",
                                        "cotangent * silu'(input)"> {
  let description = [{
    Example:
    ```mlir
    %da = nn.silu_input_grad %a, %dh
        : (tensor<6x4x32xf32>, tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    ```
  }];
}

def Nn_ReluInputGradOp : Nn_InputGradOp<"relu_input_grad",
                                        "cotangent where input > 0, else 0"> {
  let description = [{
    Example:
    ```mlir
    %da = nn.relu_input_grad %a, %dh
        : (tensor<6x4x32xf32>, tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    ```
  }];
}

def Nn_SumLeadingOp : Nn_KernelOp<"sum_leading", "ColumnReduction"> {
  let summary = "Sum over leading dimensions: the gradient of a bias";
  let description = [{
    The result's shape equals the trailing dimensions of `input`.

    Example:
    ```mlir
    %db = nn.sum_leading %dy {weight_gradient}
        : (tensor<6x4x2x4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, UnitAttr:$weight_gradient);
  let results = (outs Nn_Float:$result);
}

def Nn_RmsInputGradOp : Nn_KernelOp<"rms_input_grad", "RowReduction"> {
  let summary = "Gradient of rms_apply(x, rms_stat(x), gain) in x";
  let description = [{
    With n = x * rstd and c = cotangent * gain (or 1 + gain):
    rstd * (c - n * mean(c * n)).

    Example:
    ```mlir
    %dx = nn.rms_input_grad %x, %r, %g, %dn
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>)
        -> tensor<6x4x8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$rstd, Nn_Float:$gain,
                       Nn_Float:$cotangent, UnitAttr:$plus_one);
  let results = (outs Nn_Float:$result);
}

def Nn_RmsWeightGradOp : Nn_KernelOp<"rms_weight_grad", "ColumnReduction"> {
  let summary = "Gradient of rms_apply in the gain: sum of cotangent * x * rstd";
  let description = [{
    Example:
    ```mlir
    %dg = nn.rms_weight_grad %x, %r, %dn {weight_gradient}
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$rstd, Nn_Float:$cotangent,
                       UnitAttr:$weight_gradient);
  let results = (outs Nn_Float:$result);
}

def Nn_LayerNormInputGradOp : Nn_KernelOp<"layer_norm_input_grad",
                                          "RowReduction"> {
  let summary = "Gradient of layer_norm_apply in its input";
  let description = [{
    With n = (x - mean) * rstd and c = cotangent * gain:
    rstd * (c - mean(c) - n * mean(c * n)).

    Example:
    ```mlir
    %dx = nn.layer_norm_input_grad %x, %m, %r, %g, %dn
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>,
           tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$mean, Nn_Float:$rstd,
                       Nn_Float:$gain, Nn_Float:$cotangent);
  let results = (outs Nn_Float:$result);
}

def Nn_LayerNormWeightGradOp : Nn_KernelOp<"layer_norm_weight_grad",
                                           "ColumnReduction"> {
  let summary = "Gradient of layer_norm_apply in the gain";
  let description = [{
    Sum over rows of cotangent * (x - mean) * rstd.

    Example:
    ```mlir
    %dg = nn.layer_norm_weight_grad %x, %m, %r, %dn {weight_gradient}
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>,
           tensor<6x4x8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$mean, Nn_Float:$rstd,
                       Nn_Float:$cotangent, UnitAttr:$weight_gradient);
  let results = (outs Nn_Float:$result);
}

def Nn_EmbeddingGradOp : Nn_KernelOp<"embedding_grad", "Root"> {
  let summary = "Adds each row's cotangent to the row of its token";
  let description = [{
    result[v, :] = sum of cotangent[t, b, :] over tokens[t, b] = v, in the
    order of t, then b.

    Example:
    ```mlir
    %dw = nn.embedding_grad %tokens, %dx {weight_gradient}
        : (tensor<6x4xi32>, tensor<6x4x8xf32>) -> tensor<97x8xf32>
    ```
  }];
  let arguments = (ins Nn_Tokens:$tokens, Nn_Float:$cotangent,
                       UnitAttr:$weight_gradient);
  let results = (outs Nn_Float:$result);
}

def Nn_PositionsGradOp : Nn_KernelOp<"positions_grad", "Root"> {
  let summary = "Gradient of add_positions in the table";
  let description = [{
    Row t is the sum of cotangent[t, :, :] over the batch; rows past the
    sequence are zero.

    Example:
    ```mlir
    %dp = nn.positions_grad %dy {weight_gradient}
        : (tensor<6x4x8xf32>) -> tensor<16x8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$cotangent, UnitAttr:$weight_gradient);
  let results = (outs Nn_Float:$result);
}

def Nn_AttentionGradOp : Nn_KernelOp<"attention_grad", "Root"> {
  let summary = "Gradients of attention in q, k and v";
  let description = [{
    Recomputes the probabilities from q, k and the saved log-sum-exp; Dao et
    al. 2022 (arXiv 2205.14135). The mask is that of `nn.attention`.

    Example:
    ```mlir
    %dq, %dk, %dv = nn.attention_grad %q, %k, %v, %o, %lse, %do {scale = 0.5 : f64}
        : (tensor<6x4x2x4xf32>, tensor<6x4x1x4xf32>, tensor<6x4x1x4xf32>,
           tensor<6x4x2x4xf32>, tensor<6x4x2xf32>, tensor<6x4x2x4xf32>)
        -> (tensor<6x4x2x4xf32>, tensor<6x4x1x4xf32>, tensor<6x4x1x4xf32>)
    ```
  }];
  let arguments = (ins Nn_Float:$q, Nn_Float:$k, Nn_Float:$v, Nn_Float:$output,
                       Nn_Float:$lse, Nn_Float:$cotangent,
                       Optional<Nn_Tokens>:$document_starts, F64Attr:$scale,
                       OptionalAttr<I64Attr>:$window,
                       DefaultValuedAttr<I64Attr, "0">:$global_tokens);
  let results = (outs Nn_Float:$dq, Nn_Float:$dk, Nn_Float:$dv);
}

def Nn_SoftmaxCrossEntropyOp : Nn_KernelOp<"softmax_cross_entropy", "Root"> {
  let summary = "Per-row loss of logits, and the gradient of seed * loss";
  let description = [{
    For a row with label l >= 0: losses = log-sum-exp(logits) - logits[l] and
    gradient = seed * (softmax(logits) - onehot(l)). A negative label does not
    count: both are zero. Found in kernels only: `nn.cross_entropy` is lowered
    to it and three contractions.

    Example:
    ```mlir
    %losses, %g = nn.softmax_cross_entropy %logits, %labels, %seed
        : (tensor<6x4x97xf32>, tensor<6x4xi32>, f32)
        -> (tensor<6x4xf32>, tensor<6x4x97xf32>)
    ```
  }];
  let arguments = (ins Nn_Float:$logits, Nn_Tokens:$labels, F32:$seed);
  let results = (outs Nn_Float:$losses, Nn_Float:$gradient);
}

def Nn_SumOp : Nn_KernelOp<"sum", "Root"> {
  let summary = "Sum of all elements in a fixed order";
  let description = [{
    Example:
    ```mlir
    %s = nn.sum %losses : (tensor<6x4xf32>) -> f32
    ```
  }];
  let arguments = (ins Nn_Float:$input);
  let hasVerifier = 0;
  let results = (outs F32:$result);
}

def Nn_NormPartialsOp : Nn_KernelOp<"norm_partials", "Root"> {
  let summary = "A fixed number of partial sums of squares";
  let description = [{
    Partial p of P is the sum of squares of elements [p * n / P,
    (p + 1) * n / P) (integer division), summed in float64 and rounded once: the result
    does not depend on the number of threads. Found in kernels only.

    Example:
    ```mlir
    %p = nn.norm_partials %g : (tensor<288xf32>) -> tensor<64xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input);
  let results = (outs Nn_Float:$partials);
}

#endif // LLMC_DIALECTS_NN_GRAD_OPS_TD

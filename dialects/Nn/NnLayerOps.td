// Forward layers of the nn dialect: contractions, elementwise ops, norms,
// embeddings, rotary positions, attention.
#ifndef LLMC_DIALECTS_NN_LAYER_OPS_TD
#define LLMC_DIALECTS_NN_LAYER_OPS_TD

include "dialects/Nn/NnBase.td"

def Nn_ContractOp : Nn_DifferentiableOp<"contract", "Library"> {
  let summary = "Sum of products over named indices: every matmul";
  let description = [{
    `indices` names the dimensions of both operands and of the result, one
    letter each; letters that the result lacks are summed over. Serves every
    forward matmul and both of its gradients. A letter occurs in at least two
    of the three terms, at most once in each. `acc` is the type
    of the sums, f32 when absent.

    Example:
    ```mlir
    %a = nn.contract %n, %u {indices = "tbc,fc->tbf"}
        : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$lhs, Nn_Float:$rhs, StrAttr:$indices,
                       OptionalAttr<TypeAttr>:$acc,
                       UnitAttr:$weight_gradient);
  let results = (outs Nn_Float:$result);
  let extraClassDeclaration = [{
    /// The type of the sums.
    ::mlir::Type getAccType();

    /// The three index terms of `indices`.
    ::llvm::StringRef getLhsIndices();
    ::llvm::StringRef getRhsIndices();
    ::llvm::StringRef getResultIndices();
  }];
}

def Nn_AddOp : Nn_DifferentiableOp<"add", "Elementwise",
    [SameOperandsAndResultType, Commutative]> {
  let summary = "Elementwise sum of two tensors";
  let description = [{
    `anchor = "residual"` marks the residual stream, the only values that may
    cross pipeline stages.

    Example:
    ```mlir
    %x1 = nn.add %x0, %d {anchor = "residual", end_of_layer = 0}
        : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$lhs, Nn_Float:$rhs,
                       OptionalAttr<StrAttr>:$anchor,
                       OptionalAttr<I64Attr>:$end_of_layer);
  let results = (outs Nn_Float:$result);
}

def Nn_MultiplyOp : Nn_DifferentiableOp<"multiply", "Elementwise",
    [SameOperandsAndResultType, Commutative]> {
  let summary = "Elementwise product of two tensors";
  let description = [{
    Example:
    ```mlir
    %h = nn.multiply %gate, %up
        : (tensor<6x4x32xf32>, tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$lhs, Nn_Float:$rhs);
  let hasVerifier = 0;
  let results = (outs Nn_Float:$result);
}

def Nn_ScaleOp : Nn_DifferentiableOp<"scale", "Elementwise",
    [SameOperandsAndResultType]> {
  let summary = "Product with a constant";
  let description = [{
    Example:
    ```mlir
    %y = nn.scale %x {factor = 2.0 : f64}
        : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, F64Attr:$factor);
  let results = (outs Nn_Float:$result);
  let hasFolder = 1;
}

def Nn_AddBiasOp : Nn_DifferentiableOp<"add_bias", "Elementwise"> {
  let summary = "Adds a bias along the trailing dimensions";
  let description = [{
    The shape of `bias` equals the trailing dimensions of `input`; it is
    broadcast along the others, of which there is at least one.

    Example:
    ```mlir
    %y = nn.add_bias %x, %b
        : (tensor<6x4x2x4xf32>, tensor<2x4xf32>) -> tensor<6x4x2x4xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$bias);
  let results = (outs Nn_Float:$result);
}

class Nn_ActivationOp<string mnemonic, string what> :
    Nn_DifferentiableOp<mnemonic, "Elementwise", [SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins Nn_Float:$input);
  let hasVerifier = 0;
  let results = (outs Nn_Float:$result);
}

def Nn_GeluOp : Nn_ActivationOp<"gelu", "Gaussian error linear unit"> {
  let description = [{
    x * Phi(x), Hendrycks and Gimpel 2016 (arXiv 1606.08415). Exact through
    erf, or, with `tanh_form`, 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).

    Example:
    ```mlir
    %h = nn.gelu %a {tanh_form} : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, UnitAttr:$tanh_form);
}

def Nn_SiluOp : Nn_ActivationOp<"silu", "x * sigmoid(x)"> {
  let description = [{
    Example:
    ```mlir
    %h = nn.silu %a : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    ```
  }];
}

def Nn_ReluOp : Nn_ActivationOp<"relu", "max(x, 0); its derivative at 0 is 0"> {
  let description = [{
    Example:
    ```mlir
    %h = nn.relu %a : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    ```
  }];
}

def Nn_RmsStatOp : Nn_KernelOp<"rms_stat", "RowReduction"> {
  let summary = "Reciprocal root mean square along the last dimension";
  let description = [{
    1 / sqrt(mean(x^2) + eps), Zhang and Sennrich 2019 (arXiv 1910.07467); the
    statistic that the backward pass saves. It has no rule of its own:
    `nn.rms_apply` differentiates through it.

    Example:
    ```mlir
    %r = nn.rms_stat %x {eps = 1.0e-5 : f64}
        : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, F64Attr:$eps);
  let results = (outs Nn_Float:$rstd);
}

def Nn_RmsApplyOp : Nn_DifferentiableOp<"rms_apply", "Elementwise"> {
  let summary = "x * rstd * gain, or x * rstd * (1 + gain) with plus_one";
  let description = [{
    `rstd` is `nn.rms_stat` of the same input; the rule for `input` includes
    the path through the statistic.

    Example:
    ```mlir
    %n = nn.rms_apply %x, %r, %g
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$rstd, Nn_Float:$gain,
                       UnitAttr:$plus_one);
  let results = (outs Nn_Float:$result);
}

def Nn_LayerNormStatOp : Nn_KernelOp<"layer_norm_stat", "RowReduction"> {
  let summary = "Mean and reciprocal standard deviation of the last dimension";
  let description = [{
    Population variance, 1 / sqrt(var + eps); Ba et al. 2016 (arXiv
    1607.06450). No rule of its own: see `nn.layer_norm_apply`.

    Example:
    ```mlir
    %m, %r = nn.layer_norm_stat %x {eps = 1.0e-5 : f64}
        : (tensor<6x4x8xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>)
    ```
  }];
  let arguments = (ins Nn_Float:$input, F64Attr:$eps);
  let results = (outs Nn_Float:$mean, Nn_Float:$rstd);
}

def Nn_LayerNormApplyOp : Nn_DifferentiableOp<"layer_norm_apply",
                                              "Elementwise"> {
  let summary = "(x - mean) * rstd * gain, then + bias";
  let description = [{
    The rule for `input` includes the paths through both statistics.

    Example:
    ```mlir
    %n = nn.layer_norm_apply %x, %m, %r, %g, %b
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>,
           tensor<8xf32>) -> tensor<6x4x8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$mean, Nn_Float:$rstd,
                       Nn_Float:$gain, Optional<Nn_Float>:$bias);
  let results = (outs Nn_Float:$result);
}

def Nn_EmbeddingOp : Nn_DifferentiableOp<"embedding", "Root"> {
  let summary = "Rows of a table picked by token";
  let description = [{
    result[t, b, :] = table[tokens[t, b], :]. Tokens are in range: the data
    reader checks them.

    Example:
    ```mlir
    %x = nn.embedding %tokens, %w
        : (tensor<6x4xi32>, tensor<97x8xf32>) -> tensor<6x4x8xf32>
    ```
  }];
  let arguments = (ins Nn_Tokens:$tokens, Nn_Float:$table);
  let results = (outs Nn_Float:$result);
}

def Nn_AddPositionsOp : Nn_DifferentiableOp<"add_positions", "Elementwise"> {
  let summary = "Adds row t of a table of learned positions to position t";
  let description = [{
    The table has at least as many rows as the sequence is long.

    Example:
    ```mlir
    %y = nn.add_positions %x, %p
        : (tensor<6x4x8xf32>, tensor<16x8xf32>) -> tensor<6x4x8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$table);
  let results = (outs Nn_Float:$result);
}

def Nn_RopeOp : Nn_DifferentiableOp<"rope", "RowReduction",
    [SameOperandsAndResultType]> {
  let summary = "Rotary position embedding, half-split";
  let description = [{
    Su et al. 2021 (arXiv 2104.09864) in the half-split layout: elements d
    and d + D/2 of a head form the pair that position t rotates by
    t * theta^(-2d/D), frequencies stretched by `scaling`. `inverse` rotates
    back: the gradient.

    Example:
    ```mlir
    %q2 = nn.rope %q {theta = 10000.0 : f64}
        : (tensor<6x4x2x8xf32>) -> tensor<6x4x2x8xf32>
    ```
  }];
  let arguments = (ins Nn_Float:$input, F64Attr:$theta,
                       OptionalAttr<Nn_RopeScalingAttr>:$scaling,
                       UnitAttr:$inverse);
  let results = (outs Nn_Float:$result);
}

def Nn_DocumentStartOp : Nn_KernelOp<"document_start", "Root"> {
  let summary = "For each position, the first position of its document";
  let description = [{
    With `end`, a token `end` ends a document and belongs to it; with `start`,
    a token `start` begins one. Exactly one is given.

    Example:
    ```mlir
    %s = nn.document_start %tokens {end = 0 : i64}
        : (tensor<6x4xi32>) -> tensor<6x4xi32>
    ```
  }];
  let arguments = (ins Nn_Tokens:$tokens, OptionalAttr<I64Attr>:$end,
                       OptionalAttr<I64Attr>:$start);
  let results = (outs Nn_Tokens:$starts);
}

def Nn_AttentionOp : Nn_DifferentiableOp<"attention", "Root"> {
  let summary = "Causal grouped-query attention with the one mask form";
  let description = [{
    softmax(scale * q k^T + mask) v per head; query head h reads key-value
    head h / (H / G). Query i sees key j when j <= i, and j >= i - window + 1
    or j < global_tokens, and j >= document_starts[i]. Without `window` all
    earlier keys are near. Saves `lse`, the log-sum-exp of each row. A row
    that sees nothing gives zeros (and lse = -inf).

    Example:
    ```mlir
    %o, %lse = nn.attention %q, %k, %v {scale = 0.5 : f64, window = 3 : i64}
        : (tensor<6x4x2x4xf32>, tensor<6x4x1x4xf32>, tensor<6x4x1x4xf32>)
        -> (tensor<6x4x2x4xf32>, tensor<6x4x2xf32>)
    ```
  }];
  let arguments = (ins Nn_Float:$q, Nn_Float:$k, Nn_Float:$v,
                       Optional<Nn_Tokens>:$document_starts, F64Attr:$scale,
                       OptionalAttr<I64Attr>:$window,
                       DefaultValuedAttr<I64Attr, "0">:$global_tokens);
  let results = (outs Nn_Float:$result, Nn_Float:$lse);
}

#endif // LLMC_DIALECTS_NN_LAYER_OPS_TD

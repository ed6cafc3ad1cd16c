// Structure, losses and updates of the nn dialect.
#ifndef LLMC_DIALECTS_NN_OPS_TD
#define LLMC_DIALECTS_NN_OPS_TD

include "dialects/Nn/NnBase.td"
include "dialects/Nn/NnLayerOps.td"
include "dialects/Nn/NnGradOps.td"

def Nn_ParameterOp : Nn_Op<"parameter", [Symbol]> {
  let summary = "A trained tensor: global, named state";
  let description = [{
    `layer` is the transformer layer that owns it (absent: embedding, head,
    final norm, each a group of its own named by `group`). `decay` is the
    decay class that the model library declares. `init` and `storage` say
    where the first value comes from.

    Example:
    ```mlir
    nn.parameter @l0.u : tensor<32x8xf32> {layer = 0 : i64, decay}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Nn_Float>:$type,
                       OptionalAttr<I64Attr>:$layer,
                       OptionalAttr<StrAttr>:$group, UnitAttr:$decay,
                       OptionalAttr<Nn_InitAttr>:$init,
                       OptionalAttr<Nn_StorageAttr>:$storage);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getType());
    }
  }];
}

class Nn_FunctionOp<string mnemonic> : Nn_Op<mnemonic,
    [FunctionOpInterface, IsolatedFromAbove, SingleBlock]> {
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
  }];
}

def Nn_MicrobatchOp : Nn_FunctionOp<"microbatch"> {
  let summary = "Forward and backward of one micro-batch of all replicas";
  let description = [{
    Each argument carries `nn.role`: `tokens`, `labels` (int32 [T, B]; a negative
    label does not count), `seed` (f32: loss_scale / N), or `data` (test
    inputs). `@train` yields the loss, the sum over counted labels; `@evaluate`
    likewise without parameters being accumulated; `@logits` yields logits
    [T, B, V].

    Example:
    ```mlir
    nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
                         %labels: tensor<6x4xi32> {nn.role = "labels"},
                         %seed: f32 {nn.role = "seed"}) -> f32 { ... }
    ```
  }];
}

def Nn_UpdateOp : Nn_FunctionOp<"update"> {
  let summary = "The rest of the step: norm, clip, one update per parameter";
  let description = [{
    Arguments are step scalars with `nn.role` `lr` (f32), `t` (i64: finished
    steps plus one), `clip` (f32: +inf for none), `inv_scale` (f32).

    Example:
    ```mlir
    nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"},
                    %clip: f32 {nn.role = "clip"},
                    %inv_scale: f32 {nn.role = "inv_scale"}) { ... }
    ```
  }];
}

def Nn_YieldOp : Nn_Op<"yield", [Pure, ReturnLike, Terminator,
    ParentOneOf<["MicrobatchOp", "UpdateOp"]>]> {
  let summary = "Ends a micro-batch or an update";
  let description = [{
    Example:
    ```mlir
    nn.yield %loss : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins)>];
}

def Nn_GetOp : Nn_Op<"get", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The value of a parameter in this step";
  let description = [{
    Example:
    ```mlir
    %u = nn.get @l0.u : tensor<32x8xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter);
  let results = (outs Nn_Float:$result);
  let assemblyFormat = "$parameter attr-dict `:` type($result)";
}

def Nn_AccumulateOp : Nn_Op<"accumulate", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Adds a contribution to the gradient of a parameter";
  let description = [{
    One per use of the parameter: contributions are never added in SSA, so that
    a tied parameter can live on two stages.

    Example:
    ```mlir
    nn.accumulate @l0.u, %du : tensor<32x8xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter, Nn_Float:$value);
  let assemblyFormat = "$parameter `,` $value attr-dict `:` type($value)";
}

class Nn_LossOp<string mnemonic> : Nn_Op<mnemonic,
    [Pure, DeclareOpInterfaceMethods<KernelOpInterface>,
     DeclareOpInterfaceMethods<LossOpInterface>]> {
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDefinition =
      "::llmc::KernelKind $cppClass::getKernelKind() { return ::llmc::KernelKind::Root; }";
}

def Nn_SquaredErrorOp : Nn_LossOp<"squared_error"> {
  let summary = "Sum of squared differences over kept rows";
  let description = [{
    loss = sum of (x - target)^2 over rows [t, b] where `keep`;
    gradient = 2 * seed * (x - target) there, else 0. Used by tests of the
    compiler.

    Example:
    ```mlir
    %loss, %dx = nn.squared_error %x, %y, %keep, %seed
        : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xi1>, f32)
        -> (f32, tensor<6x4x8xf32>)
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$target, Nn_Mask:$keep,
                       F32:$seed);
  let results = (outs F32:$loss, Nn_Float:$input_grad);
}

def Nn_CrossEntropyOp : Nn_LossOp<"cross_entropy"> {
  let summary = "Output projection and token cross-entropy, with gradients";
  let description = [{
    logits = input weight^T; loss = sum over rows with label >= 0 of
    log-sum-exp(logits) - logits[label], a float32 sum. The gradients of
    seed * loss in `input` and `weight` come from the same op, so that logits
    never exist as a value: the target works through them in chunks of rows.
    `logits_limit` is the number of bytes above which it does.

    Example:
    ```mlir
    %loss, %dx, %dw = nn.cross_entropy %x, %w, %labels, %seed
        : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32)
        -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
    ```
  }];
  let arguments = (ins Nn_Float:$input, Nn_Float:$weight, Nn_Tokens:$labels,
                       F32:$seed, OptionalAttr<I64Attr>:$logits_limit);
  let results = (outs F32:$loss, Nn_Float:$input_grad, Nn_Float:$weight_grad);
}

def Nn_GradNormSquaredOp : Nn_Op<"grad_norm_squared"> {
  let summary = "Sum of squares of all gradients, each parameter once";
  let description = [{
    Example:
    ```mlir
    %s = nn.grad_norm_squared : f32
    ```
  }];
  let results = (outs F32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Nn_ClipFactorOp : Nn_KernelOp<"clip_factor", "Root"> {
  let summary = "What every gradient is multiplied by, and whether to step";
  let description = [{
    norm = sqrt(norm_squared) * inv_scale; factor = inv_scale * min(1, clip /
    norm); ok = norm is finite. The joint skip decision: an operand of every
    update.

    Example:
    ```mlir
    %k, %ok = nn.clip_factor %s, %clip, %inv_scale : (f32, f32, f32) -> (f32, i1)
    ```
  }];
  let arguments = (ins F32:$norm_squared, F32:$clip, F32:$inv_scale);
  let hasVerifier = 0;
  let results = (outs F32:$factor, I1:$ok);
}

def Nn_AdamwOp : Nn_Op<"adamw", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "AdamW step of one parameter";
  let description = [{
    Loshchilov and Hutter 2019 (arXiv 1711.05101): with g = factor * gradient,
    m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2,
    p -= lr (m / (1 - b1^t) / (sqrt(v / (1 - b2^t)) + eps) + weight_decay p).
    Nothing changes when not `ok`. `weight_decay` is 0 for parameters outside
    the decay class.

    Example:
    ```mlir
    nn.adamw @l0.u, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
        eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter, F32:$factor, I1:$ok,
                       F32:$lr, I64:$t, F64Attr:$beta1, F64Attr:$beta2,
                       F64Attr:$eps, F64Attr:$weight_decay);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $parameter `,` $factor `,` $ok `,` $lr `,` $t attr-dict
    `:` type($factor) `,` type($ok) `,` type($lr) `,` type($t)
  }];
}

def Nn_SgdOp : Nn_Op<"sgd", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "SGD step of one parameter, with momentum";
  let description = [{
    With g = factor * gradient: m = momentum * m + g,
    p -= lr (m + weight_decay p); no dampening, no Nesterov; decoupled decay.
    With momentum 0 there is no state.

    Example:
    ```mlir
    nn.sgd @l0.u, %k, %ok, %lr {momentum = 0.9 : f64, weight_decay = 0.0 : f64}
        : f32, i1, f32
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter, F32:$factor, I1:$ok,
                       F32:$lr, F64Attr:$momentum, F64Attr:$weight_decay);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $parameter `,` $factor `,` $ok `,` $lr attr-dict
    `:` type($factor) `,` type($ok) `,` type($lr)
  }];
}

def Nn_AdamwApplyOp : Nn_KernelOp<"adamw_apply", "Root"> {
  let summary = "AdamW on the elements of a bucket or of a shard of one";
  let description = [{
    The formula of `nn.adamw`, elementwise on vectors; weight decay applies to
    elements below `decay_below`. Gives the new parameter and moments. Found in
    kernels only.

    Example:
    ```mlir
    %p2, %m2, %v2 = nn.adamw_apply %p, %g, %m, %v, %k, %ok, %lr, %t
        {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64,
         weight_decay = 0.1 : f64, decay_below = 256 : i64}
        : (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, tensor<288xf32>,
           f32, i1, f32, i64)
        -> (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>)
    ```
  }];
  let arguments = (ins Nn_Float:$parameter, Nn_Float:$gradient,
                       Nn_Float:$moment1, Nn_Float:$moment2, F32:$factor,
                       I1:$ok, F32:$lr, I64:$t, F64Attr:$beta1, F64Attr:$beta2,
                       F64Attr:$eps, F64Attr:$weight_decay,
                       I64Attr:$decay_below);
  let results = (outs Nn_Float:$new_parameter, Nn_Float:$new_moment1,
                      Nn_Float:$new_moment2);
}

def Nn_SgdApplyOp : Nn_KernelOp<"sgd_apply", "Root"> {
  let summary = "SGD on the elements of a bucket or of a shard of one";
  let description = [{
    The formula of `nn.sgd`, elementwise on vectors; `momentum_state` is given
    exactly when `momentum` is not 0. Found in kernels only.

    Example:
    ```mlir
    %p2, %m2 = nn.sgd_apply %p, %g, %k, %ok, %lr, %m
        {momentum = 0.9 : f64, weight_decay = 0.0 : f64, decay_below = 256 : i64}
        : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32, tensor<288xf32>)
        -> (tensor<288xf32>, tensor<288xf32>)
    ```
  }];
  let arguments = (ins Nn_Float:$parameter, Nn_Float:$gradient, F32:$factor,
                       I1:$ok, F32:$lr, Optional<Nn_Float>:$momentum_state,
                       F64Attr:$momentum, F64Attr:$weight_decay,
                       I64Attr:$decay_below);
  let results = (outs Nn_Float:$new_parameter,
                      Optional<Nn_Float>:$new_momentum_state);
}

#endif // LLMC_DIALECTS_NN_OPS_TD

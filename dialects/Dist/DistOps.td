// Mesh, buckets, functions and updates of the dist dialect.
#ifndef LLMC_DIALECTS_DIST_OPS_TD
#define LLMC_DIALECTS_DIST_OPS_TD

include "dialects/Dist/DistBase.td"
include "dialects/Dist/DistCollectiveOps.td"

def Dist_MeshOp : Dist_Op<"mesh", [Symbol]> {
  let summary = "The ranks as a grid with named axes";
  let description = [{
    Axes from slowest to fastest: with [pp = 2, dp = 2, tp = 2], rank =
    (pp * 2 + dp) * 2 + tp.

    Example:
    ```mlir
    dist.mesh @m [pp = 2, dp = 2, tp = 2]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes,
                       DenseI64ArrayAttr:$sizes);
  let assemblyFormat =
      "$sym_name custom<MeshAxes>($axes, $sizes) attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The number of ranks along an axis; nothing if there is no such axis.
    std::optional<int64_t> getAxisSize(::llvm::StringRef axis);
    /// The number of ranks of the mesh.
    int64_t getNumRanks();
  }];
}

def Dist_BucketOp : Dist_Op<"bucket", [Symbol]> {
  let summary = "The element layout of a group of parameters on one rank";
  let description = [{
    One layout for all roles and types: the entries in ascending order, each
    aligned to 64 bytes of float32, `elements` up to the end of the last,
    `padded` to shards x 64 bytes. The bucket is sharded evenly over the axes
    `shard` in shards of `shard_elements`. Weight decay applies to elements
    below `decay_below`; elements from `replicated_over_tp_from` on are the same
    on all tp ranks. `layout` is "flat"; "by_tensor" (a shard is whole tensors)
    is reserved.

    Example:
    ```mlir
    dist.bucket @l0 shard [dp] elements 264 padded 288 shard_elements 144
        decay_below 256 replicated_over_tp_from 256 {
      @l0.u : tensor<16x8xf32> at 0
      @l0.v : tensor<8x16xf32> at 128
      @l0.g : tensor<8xf32> at 256
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$shard,
                       I64Attr:$elements, I64Attr:$padded,
                       I64Attr:$shard_elements, I64Attr:$decay_below,
                       I64Attr:$replicated_over_tp_from,
                       TypedArrayAttrBase<Dist_EntryAttr, "entries">:$entries,
                       DefaultValuedStrAttr<StrAttr, "flat">:$layout);
  let assemblyFormat = [{
    $sym_name `shard` custom<Axes>($shard) `elements` $elements
    `padded` $padded `shard_elements` $shard_elements
    `decay_below` $decay_below
    `replicated_over_tp_from` $replicated_over_tp_from
    custom<Entries>($entries) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements per 64 bytes of float32: the alignment of entries.
    static constexpr int64_t kAlignment = 16;
    /// The entry of a parameter; null if the bucket has none.
    EntryAttr lookup(::llvm::StringRef parameter);
    /// The entries.
    auto entries() { return getEntries().getAsRange<EntryAttr>(); }
  }];
}

def Dist_FuncOp : Dist_Op<"func",
    [FunctionOpInterface, IsolatedFromAbove, SingleBlock]> {
  let summary = "What one rank of a stage computes: a fragment, localised";
  let description = [{
    Closed: tensors and step scalars come in as arguments that say their source
    in `pipe.source`; state comes in as bucket handles, whose type names it.

    Example:
    ```mlir
    dist.func backward @B0 stage 0(
        %e1: tensor<3x2x8xf32> {pipe.source = #pipe.source<transfer @X1>},
        %G: !dist.bucket<@l0, gradient, f32, partial {dp}>) { ... }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       Dist_KindAttr:$kind, I64Attr:$stage);
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

def Dist_ReturnOp : Dist_Op<"return", [Pure, ReturnLike, Terminator,
                                       HasParent<"FuncOp">]> {
  let summary = "Ends a local function";
  let description = [{
    Example:
    ```mlir
    dist.return %loss, %x0 : f32, tensor<3x2x8xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins)>];
  let hasVerifier = 1;
}

def Dist_ViewOp : Dist_StateOp<"view"> {
  let summary = "Tensors of a bucket";
  let description = [{
    Example:
    ```mlir
    %u, %g = dist.view %P [@l0.u, @l0.g] : !dist.bucket<@l0, parameter, f32>
        -> tensor<16x8xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Arg<Dist_BucketType, "", [MemRead]>:$bucket,
                       FlatSymbolRefArrayAttr:$parameters);
  let results = (outs Variadic<Dist_Float>:$tensors);
  let assemblyFormat = [{
    $bucket $parameters attr-dict `:` type($bucket) `->` type($tensors)
  }];
  let hasVerifier = 1;
}

def Dist_AccumulateOp : Dist_StateOp<"accumulate"> {
  let summary = "Adds a value to a tensor of a gradient bucket";
  let description = [{
    `first_in_microbatch` marks the first contribution to the parameter in the
    order of a micro-batch's fragments: in the first micro-batch of a step it
    overwrites, so that nobody sets gradients to zero.

    Example:
    ```mlir
    dist.accumulate %G [@l0.g], %dg {first_in_microbatch}
        : !dist.bucket<@l0, gradient, f32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Arg<Dist_BucketType, "", [MemRead, MemWrite]>:$bucket,
                       FlatSymbolRefAttr:$parameter, Dist_Float:$value,
                       UnitAttr:$first_in_microbatch);
  let assemblyFormat = [{
    $bucket `[` $parameter `]` `,` $value attr-dict
    `:` type($bucket) `,` type($value)
  }];
}

def Dist_AccumulateContractOp : Dist_StateOp<"accumulate_contract"> {
  let summary = "Adds a contraction to a tensor of a gradient bucket";
  let description = [{
    `nn.contract` with its result added to the bucket by the GEMM itself; `acc`
    is the type of the sums, f32 when absent.
    `first_in_microbatch` as for `dist.accumulate`.

    Example:
    ```mlir
    dist.accumulate_contract %G [@l0.u], %da, %n {indices = "tbf,tbc->fc"}
        : !dist.bucket<@l0, gradient, f32>, tensor<6x2x16xf32>,
          tensor<6x2x8xf32>
    ```
  }];
  let arguments = (ins Arg<Dist_BucketType, "", [MemRead, MemWrite]>:$bucket,
                       FlatSymbolRefAttr:$parameter, Dist_Float:$lhs,
                       Dist_Float:$rhs, StrAttr:$indices,
                       OptionalAttr<TypeAttr>:$acc,
                       UnitAttr:$first_in_microbatch);
  let assemblyFormat = [{
    $bucket `[` $parameter `]` `,` $lhs `,` $rhs attr-dict
    `:` type($bucket) `,` type($lhs) `,` type($rhs)
  }];
}

def Dist_WhenOp : Dist_Op<"when", [NoTerminator, SingleBlock,
    RecursiveMemoryEffects, HasParent<"FuncOp">]> {
  let summary = "Runs its body in some micro-batches only";
  let description = [{
    Example:
    ```mlir
    dist.when last_microbatch {
      dist.reduce_scatter_in_place %G axes [dp]
          : !dist.bucket<@l0, gradient, f32, partial {dp}>
    }
    ```
  }];
  let arguments = (ins Dist_PredicateAttr:$predicate);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$predicate $body attr-dict";
}

def Dist_NormSquaredOp : Dist_StateOp<"norm_squared"> {
  let summary = "Sum of squares of gradients, each parameter counted once";
  let description = [{
    The sum over this rank's part of every operand. Elements that are
    replicated over tp count only where `replicated_part_counts_when` holds.
    A tied parameter's bucket is an operand on its first stage only.

    Example:
    ```mlir
    %q = dist.norm_squared %G0, %G1 {replicated_part_counts_when = "tp == 0"}
        : (!dist.shard<@l0, gradient, f32>, !dist.shard<@head, gradient, f32>)
        -> f32
    ```
  }];
  let arguments = (ins Arg<Variadic<Dist_Handle>, "", [MemRead]>:$gradients,
                       OptionalAttr<StrAttr>:$replicated_part_counts_when);
  let results = (outs F32:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

class Dist_UpdateOp<string mnemonic> : Dist_StateOp<mnemonic> {
  let assemblyFormat = "operands attr-dict `:` type(operands)";
}

def Dist_AdamwOp : Dist_UpdateOp<"adamw"> {
  let summary = "AdamW step of a bucket, or of this rank's shard of one";
  let description = [{
    The formula of `nn.adamw` on every element; `weight_decay` applies to
    elements below the bucket's `decay_below`. `range` is the part of the
    parameter bucket that the shards of the others belong to; without it all are
    whole buckets.

    Example:
    ```mlir
    dist.adamw %P, %G, %M, %V, %k, %ok, %lr, %t {beta1 = 0.9 : f64,
        beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64,
        range = #dist.range<dp * 144, 144>}
        : !dist.bucket<@l0, parameter, f32>, !dist.shard<@l0, gradient, f32>,
          !dist.shard<@l0, moment1, f32>, !dist.shard<@l0, moment2, f32>,
          f32, i1, f32, i64
    ```
  }];
  let arguments = (ins Arg<Dist_BucketType, "", [MemRead, MemWrite]>:$parameter,
                       Arg<Dist_Handle, "", [MemRead]>:$gradient,
                       Arg<Dist_Handle, "", [MemRead, MemWrite]>:$moment1,
                       Arg<Dist_Handle, "", [MemRead, MemWrite]>:$moment2,
                       F32:$factor, I1:$ok, F32:$lr, I64:$t, F64Attr:$beta1,
                       F64Attr:$beta2, F64Attr:$eps, F64Attr:$weight_decay,
                       OptionalAttr<Dist_RangeAttr>:$range);
}

def Dist_SgdOp : Dist_UpdateOp<"sgd"> {
  let summary = "SGD step of a bucket, or of this rank's shard of one";
  let description = [{
    The formula of `nn.sgd`; the momentum handle is given exactly when
    `momentum` is not 0. `range` as for `dist.adamw`.

    Example:
    ```mlir
    dist.sgd %P, %G, %k, %ok, %lr
        {momentum = 0.0 : f64, weight_decay = 0.1 : f64}
        : !dist.bucket<@l0, parameter, f32>, !dist.bucket<@l0, gradient, f32>,
          f32, i1, f32
    ```
  }];
  let arguments = (ins Arg<Dist_BucketType, "", [MemRead, MemWrite]>:$parameter,
                       Arg<Dist_Handle, "", [MemRead]>:$gradient,
                       Arg<Optional<Dist_Handle>, "",
                           [MemRead, MemWrite]>:$momentum_state,
                       F32:$factor, I1:$ok, F32:$lr, F64Attr:$momentum,
                       F64Attr:$weight_decay,
                       OptionalAttr<Dist_RangeAttr>:$range);
}

#endif // LLMC_DIALECTS_DIST_OPS_TD

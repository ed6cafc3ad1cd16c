// Resharding, and the collectives of local programs: on tensors, and in place
// on buckets.
#ifndef LLMC_DIALECTS_DIST_COLLECTIVE_OPS_TD
#define LLMC_DIALECTS_DIST_COLLECTIVE_OPS_TD

include "dialects/Dist/DistBase.td"

def Dist_ReshardOp : Dist_Op<"reshard", [Pure, SameOperandsAndResultType]> {
  let summary = "Changes the sharding of a value, not the value";
  let description = [{
    The identity on global values; becomes a collective or a slice.

    Example:
    ```mlir
    %d = dist.reshard %p from <[{}, {dp}, {} ], unreduced {tp}>
        to <[{tp}, {dp}, {} ]> : tensor<6x4x8xf32>
    ```
  }];
  let arguments = (ins Dist_Float:$input, Dist_ShardingAttr:$source,
                       Dist_ShardingAttr:$target);
  let results = (outs Dist_Float:$result);
  let assemblyFormat = [{
    $input `from` $source `to` $target attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

class Dist_DimensionCollectiveOp<string mnemonic>
    : Dist_Op<mnemonic, [Pure]> {
  let arguments = (ins Dist_Float:$input, I64Attr:$dim, StrArrayAttr:$axes);
  let results = (outs Dist_Float:$result);
  let assemblyFormat = [{
    $input `dim` $dim `axes` custom<Axes>($axes) attr-dict
    `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Dist_AllGatherOp : Dist_DimensionCollectiveOp<"all_gather"> {
  let summary = "Concatenates the parts of all ranks along a dimension";
  let description = [{
    The group is the ranks that differ in `axes` only, in the order of their
    coordinates, first axis slowest.

    Example:
    ```mlir
    %f = dist.all_gather %n dim 0 axes [tp]
        : tensor<3x2x8xf32> -> tensor<6x2x8xf32>
    ```
  }];
}

def Dist_ReduceScatterOp : Dist_DimensionCollectiveOp<"reduce_scatter"> {
  let summary = "Sums over the group and keeps this rank's part";
  let description = [{
    The inverse of the layout that `dist.all_gather` makes.

    Example:
    ```mlir
    %d = dist.reduce_scatter %q dim 0 axes [tp]
        : tensor<6x2x8xf32> -> tensor<3x2x8xf32>
    ```
  }];
}

def Dist_AllReduceOp : Dist_Op<"all_reduce", [Pure,
                                              SameOperandsAndResultType]> {
  let summary = "Sums over the group";
  let description = [{
    Example:
    ```mlir
    %n2 = dist.all_reduce %q axes [pp, dp, tp] : f32
    ```
  }];
  let arguments = (ins AnyTypeOf<[Dist_Float, F32]>:$input,
                       StrArrayAttr:$axes);
  let results = (outs AnyTypeOf<[Dist_Float, F32]>:$result);
  let assemblyFormat =
      "$input `axes` custom<Axes>($axes) attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Dist_AllReduceInPlaceOp : Dist_StateOp<"all_reduce_in_place"> {
  let summary = "Sums elements of a bucket or shard over the group";
  let description = [{
    Elements `begin` to `end`, which is excluded; all without a range.

    Example:
    ```mlir
    dist.all_reduce_in_place %G [256 : 264] axes [tp]
        : !dist.bucket<@l0, gradient, f32, partial {dp}>
    ```
  }];
  let arguments = (ins Arg<Dist_Handle, "", [MemRead, MemWrite]>:$bucket,
                       OptionalAttr<I64Attr>:$begin, OptionalAttr<I64Attr>:$end,
                       StrArrayAttr:$axes);
  let assemblyFormat = [{
    $bucket (`[` $begin^ `:` $end `]`)? `axes` custom<Axes>($axes) attr-dict
    `:` type($bucket)
  }];
}

class Dist_ShardCollectiveOp<string mnemonic> : Dist_StateOp<mnemonic> {
  let arguments = (ins Arg<Dist_BucketType, "", [MemRead, MemWrite]>:$bucket,
                       StrArrayAttr:$axes);
  let assemblyFormat =
      "$bucket `axes` custom<Axes>($axes) attr-dict `:` type($bucket)";
}

def Dist_ReduceScatterInPlaceOp
    : Dist_ShardCollectiveOp<"reduce_scatter_in_place"> {
  let summary = "Sums a bucket over the group into this rank's shard";
  let description = [{
    From `padded` to `shard_elements` elements, in place; `axes` are those that
    the bucket is sharded over.

    Example:
    ```mlir
    dist.reduce_scatter_in_place %G axes [dp]
        : !dist.bucket<@l0, gradient, f32, partial {dp}>
    ```
  }];
}

def Dist_AllGatherInPlaceOp : Dist_ShardCollectiveOp<"all_gather_in_place"> {
  let summary = "Fills a bucket from the shards of the group";
  let description = [{
    From `shard_elements` to `padded` elements, in place.

    Example:
    ```mlir
    dist.all_gather_in_place %P axes [dp] : !dist.bucket<@l0, parameter, f32>
    ```
  }];
}

#endif // LLMC_DIALECTS_DIST_COLLECTIVE_OPS_TD

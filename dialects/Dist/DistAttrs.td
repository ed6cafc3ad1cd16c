// Attributes of the dist dialect.
#ifndef LLMC_DIALECTS_DIST_ATTRS_TD
#define LLMC_DIALECTS_DIST_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "dialects/Dist/DistDialect.td"
include "dialects/Dist/DistEnums.td"

class Dist_Attr<string name, string attrMnemonic>
    : AttrDef<Dist_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Dist_RoleAttr : EnumAttr<Dist_Dialect, Dist_Role, "role">;
def Dist_KindAttr : EnumAttr<Dist_Dialect, Dist_Kind, "kind">;
def Dist_PredicateAttr : EnumAttr<Dist_Dialect, Dist_Predicate, "predicate">;

def Dist_ShardingAttr : Dist_Attr<"Sharding", "sharding"> {
  let summary = "How a value is split over the axes of the mesh";
  let description = [{
    `dimensions` has an array of axis names for each dimension, outermost
    first; `unreduced` names the axes over which the value of a rank is a
    term still to be combined, by sum or (`unreduced max`) by maximum. An axis
    occurs once at most.

    Example: `#dist.sharding<[{tp}, {dp}, {} ], unreduced {pp}>`
  }];
  let parameters = (ins "::mlir::ArrayAttr":$dimensions,
                        "::mlir::ArrayAttr":$unreduced, "bool":$isMax);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() { return getDimensions().size(); }
    /// No axis at all: every rank has the whole value.
    bool isReplicated();
  }];
}

def Dist_EntryAttr : Dist_Attr<"Entry", "entry"> {
  let summary = "A parameter's place in a bucket";
  let description = [{
    The parameter, the type of its part on one rank, and the number of its
    first element in the bucket.

    Example: `#dist.entry<@l0.u : tensor<16x8xf32> at 0>`
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$parameter,
                        "::mlir::RankedTensorType":$type, "int64_t":$offset);
  let assemblyFormat = "`<` $parameter `:` $type `at` $offset `>`";
  let extraClassDeclaration = [{
    /// The number of the element after the last one.
    int64_t getEnd() { return getOffset() + getType().getNumElements(); }
  }];
}

def Dist_RangeAttr : Dist_Attr<"Range", "range"> {
  let summary = "Elements of a bucket, affine in the mesh coordinates";
  let description = [{
    `size` elements from `coordinate(axis) * stride`, which is how a rank's
    shard lies in its bucket.

    Example: `#dist.range<dp * 144, 144>`
  }];
  let parameters = (ins "::mlir::StringAttr":$axis, "int64_t":$stride,
                        "int64_t":$size);
  let hasCustomAssemblyFormat = 1;
}

#endif // LLMC_DIALECTS_DIST_ATTRS_TD

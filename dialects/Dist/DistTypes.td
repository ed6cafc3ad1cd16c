// Types of the dist dialect: handles to the state of one rank.
#ifndef LLMC_DIALECTS_DIST_TYPES_TD
#define LLMC_DIALECTS_DIST_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/Dist/DistAttrs.td"

class Dist_Type<string name, string typeMnemonic>
    : TypeDef<Dist_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Dist_BucketType : Dist_Type<"Bucket", "bucket"> {
  let summary = "Handle to one role of a bucket";
  let description = [{
    `partial` names the axes over which the contents are terms of a sum still
    to be made.

    Example: `!dist.bucket<@l0, gradient, f32, partial {dp}>`
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$bucket,
                        EnumParameter<Dist_Role>:$role,
                        "::mlir::Type":$elementType,
                        "::mlir::ArrayAttr":$partial);
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::FlatSymbolRefAttr":$bucket, "Role":$role,
           "::mlir::Type":$elementType), [{
    return $_get(bucket.getContext(), bucket, role, elementType,
                 ::mlir::ArrayAttr::get(bucket.getContext(), {}));
  }]>];
  let hasCustomAssemblyFormat = 1;
}

def Dist_ShardType : Dist_Type<"Shard", "shard"> {
  let summary = "Handle to this rank's shard of one role of a bucket";
  let description = [{
    Example: `!dist.shard<@l0, moment1, f32>`
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$bucket,
                        EnumParameter<Dist_Role>:$role,
                        "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $bucket `,` $role `,` $elementType `>`";
}

def Dist_Handle : AnyTypeOf<[Dist_BucketType, Dist_ShardType]>;

#endif // LLMC_DIALECTS_DIST_TYPES_TD

// The dist dialect itself. Enumerations are in DistEnums.td, attributes in
// DistAttrs.td, types in DistTypes.td; ops are in DistOps.td (mesh, buckets,
// functions, updates) and DistCollectiveOps.td.
#ifndef LLMC_DIALECTS_DIST_DIALECT_TD
#define LLMC_DIALECTS_DIST_DIALECT_TD

include "mlir/IR/OpBase.td"

def Dist_Dialect : Dialect {
  let name = "dist";
  let cppNamespace = "::llmc::dist";
  let summary = "Meshes, shardings and the programs of one rank";
  let description = [{
    Two levels in one dialect.

    *Annotations*: types stay global. A `#dist.sharding` says how a value is
    split over the axes of the `dist.mesh`: the op attribute `dist.shardings`
    has one for each result, the argument attribute `dist.sharding` one for an
    argument. `dist.reshard` changes it. All mean the identity on global values.

    *Local*: types are those of one rank and the text is the same on all ranks
    of a stage. A `dist.func` is closed: values come in as arguments. State lies
    in buckets: one `dist.bucket` is an element layout that all roles
    (parameter, gradient, moments) of a layer share. A `!dist.bucket` is a
    handle to one role of it: reads and writes through a handle happen in
    program order.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Version of the dialect in bytecode.
    static constexpr uint64_t kVersion = 1;
    /// Op attribute: one sharding for each result.
    static constexpr ::llvm::StringLiteral kShardings = "dist.shardings";
    /// Argument attribute: the sharding of the argument.
    static constexpr ::llvm::StringLiteral kSharding = "dist.sharding";
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // LLMC_DIALECTS_DIST_DIALECT_TD

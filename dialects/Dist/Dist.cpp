// The dist dialect's registration, its version in bytecode, and the attributes
// that it puts on ops of others.
#include "dialects/Dist/Dist.h"
#include "dialects/Interfaces/Bytecode.h"

using namespace mlir;
using namespace llmc::dist;

#include "dialects/Dist/DistDialect.cpp.inc"

void DistDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Dist/DistOps.cpp.inc"
      >();
  registerAttributes();
  registerTypes();
  addInterface<llmc::VersionedBytecode>(kVersion);
}

/// Checks one sharding against the type that it belongs to.
static LogicalResult verifySharding(Operation *op, StringRef name,
                                    Attribute attribute, Type type) {
  auto sharding = dyn_cast<ShardingAttr>(attribute);
  if (!sharding)
    return op->emitError() << "found " << attribute << " in '" << name
                           << "', expected a #dist.sharding";
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t rank = tensor ? tensor.getRank() : 0;
  if (sharding.getRank() == rank)
    return success();
  return op->emitError() << "found a sharding of " << sharding.getRank()
                         << " dimensions for " << type << ", expected " << rank;
}

LogicalResult DistDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() != kShardings)
    return op->emitError() << "found op attribute '"
                           << attribute.getName().getValue() << "', expected '"
                           << kShardings << "'";
  auto shardings = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!shardings || shardings.size() != op->getNumResults())
    return op->emitError() << "found " << attribute.getValue() << " in '"
                           << kShardings << "', expected an array of "
                           << op->getNumResults() << " shardings";
  for (auto [sharding, type] : llvm::zip(shardings, op->getResultTypes()))
    if (failed(verifySharding(op, kShardings, sharding, type)))
      return failure();
  return success();
}

LogicalResult DistDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned regionIndex,
                                                    unsigned argIndex,
                                                    NamedAttribute attribute) {
  if (attribute.getName() != kSharding)
    return op->emitError() << "found argument attribute '"
                           << attribute.getName().getValue() << "', expected '"
                           << kSharding << "'";
  Region &region = op->getRegion(regionIndex);
  return verifySharding(op, kSharding, attribute.getValue(),
                        region.getArgument(argIndex).getType());
}

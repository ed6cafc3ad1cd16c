// Verifiers of resharding and of the collectives on tensors.
#include "dialects/Dist/Dist.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::dist;

LogicalResult ReshardOp::verify() {
  int64_t rank = cast<RankedTensorType>(getInput().getType()).getRank();
  for (ShardingAttr sharding : {getSource(), getTarget()})
    if (sharding.getRank() != rank)
      return emitOpError() << "found a sharding of " << sharding.getRank()
                           << " dimensions, expected " << rank;
  return success();
}

static LogicalResult expectAxes(Operation *op, ArrayAttr axes) {
  if (!axes.empty())
    return success();
  return op->emitOpError() << "found no axes, expected at least one";
}

/// `whole` is `part` with dimension `dim` multiplied.
static LogicalResult verifyParts(Operation *op, Value whole, Value part,
                                 int64_t dim) {
  auto wholeType = cast<RankedTensorType>(whole.getType());
  auto partType = cast<RankedTensorType>(part.getType());
  if (dim < 0 || dim >= partType.getRank())
    return op->emitOpError() << "found dim " << dim << " for " << partType
                             << ", expected 0 to " << partType.getRank() - 1;
  if (!countElements(wholeType) || !countElements(partType))
    return op->emitOpError() << "found " << wholeType << " and " << partType
                             << ", expected static types";
  SmallVector<int64_t> expected(partType.getShape());
  if (wholeType.getRank() == partType.getRank() &&
      wholeType.getDimSize(dim) % expected[dim] == 0)
    expected[dim] = wholeType.getDimSize(dim);
  if (wholeType == partType.clone(expected))
    return success();
  return op->emitOpError() << "found " << partType << " as a part of "
                           << wholeType
                           << ", expected types that differ by a factor in dim "
                           << dim;
}

LogicalResult AllGatherOp::verify() {
  if (failed(expectAxes(*this, getAxes())))
    return failure();
  return verifyParts(*this, getResult(), getInput(), getDim());
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(expectAxes(*this, getAxes())))
    return failure();
  return verifyParts(*this, getInput(), getResult(), getDim());
}

LogicalResult AllReduceOp::verify() { return expectAxes(*this, getAxes()); }

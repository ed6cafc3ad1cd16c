// Verifiers of the ops that read and write buckets.
#include "dialects/Dist/Dist.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::dist;

/// The bucket behind a handle.
static FailureOr<BucketOp> findBucket(Operation *op, Type handle,
                                      SymbolTableCollection &tables) {
  FlatSymbolRefAttr name = getBucketName(handle);
  auto bucket = lookupSymbol<BucketOp>(op, name, tables);
  if (bucket)
    return bucket;
  return op->emitOpError() << "found " << name
                           << ", expected the name of a 'dist.bucket'";
}

static LogicalResult expectRole(Operation *op, StringRef operand, Type handle,
                                Role role) {
  if (getRole(handle) == role)
    return success();
  return op->emitOpError() << "found " << operand << " of role '"
                           << stringifyRole(getRole(handle)) << "', expected '"
                           << stringifyRole(role) << "'";
}

static FailureOr<EntryAttr> findEntry(Operation *op, BucketOp bucket,
                                      FlatSymbolRefAttr parameter) {
  if (EntryAttr entry = bucket.lookup(parameter.getValue()))
    return entry;
  return op->emitOpError() << "found " << parameter
                           << ", expected an entry of bucket '@"
                           << bucket.getSymName() << "'";
}

//===----------------------------------------------------------------------===//
// ViewOp, AccumulateOp, AccumulateContractOp
//===----------------------------------------------------------------------===//

LogicalResult ViewOp::verify() {
  if (getParameters().size() == getNumResults())
    return success();
  return emitOpError() << "found " << getParameters().size()
                       << " parameters for " << getNumResults()
                       << " results, expected one each";
}

LogicalResult ViewOp::verifySymbolUses(SymbolTableCollection &tables) {
  FailureOr<BucketOp> bucket = findBucket(*this, getBucket().getType(), tables);
  if (failed(bucket))
    return failure();
  for (auto [name, type] : llvm::zip(
           getParameters().getAsRange<FlatSymbolRefAttr>(), getResultTypes())) {
    FailureOr<EntryAttr> entry = findEntry(*this, *bucket, name);
    if (failed(entry))
      return failure();
    auto expected = entry->getType().clone(
        cast<BucketType>(getBucket().getType()).getElementType());
    if (type != expected)
      return emitOpError() << "found type " << type << " for " << name
                           << ", expected " << expected;
  }
  return success();
}

/// Checks the bucket of an accumulation and the shape of what is added.
static LogicalResult verifyAccumulation(Operation *op, Type handle,
                                        FlatSymbolRefAttr parameter,
                                        ArrayRef<int64_t> shape,
                                        SymbolTableCollection &tables) {
  FailureOr<BucketOp> bucket = findBucket(op, handle, tables);
  if (failed(bucket) ||
      failed(expectRole(op, "bucket", handle, Role::gradient)))
    return failure();
  FailureOr<EntryAttr> entry = findEntry(op, *bucket, parameter);
  if (failed(entry))
    return failure();
  if (entry->getType().getShape() == shape)
    return success();
  return op->emitOpError() << "found a value of shape [" << shape << "] for "
                           << parameter << ", expected ["
                           << entry->getType().getShape() << "]";
}

LogicalResult AccumulateOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyAccumulation(
      *this, getBucket().getType(), getParameterAttr(),
      cast<RankedTensorType>(getValue().getType()).getShape(), tables);
}

/// A term has one letter for each dimension, each once.
static LogicalResult verifyTerm(AccumulateContractOp op, StringRef term,
                                int64_t rank) {
  bool isGood = static_cast<int64_t>(term.size()) == rank;
  for (size_t i = 0; i < term.size(); ++i)
    isGood &= llvm::isLower(term[i]) && term.find(term[i]) == i;
  if (isGood)
    return success();
  return op.emitOpError() << "found indices '" << term << "', expected " << rank
                          << " different letters";
}

/// The shape of the contraction's result, by the sizes of its letters.
static FailureOr<SmallVector<int64_t>> contractShape(AccumulateContractOp op) {
  auto [operands, result] = op.getIndices().split("->");
  auto [lhs, rhs] = operands.split(",");
  auto lhsType = cast<RankedTensorType>(op.getLhs().getType());
  auto rhsType = cast<RankedTensorType>(op.getRhs().getType());
  if (failed(verifyTerm(op, lhs, lhsType.getRank())) ||
      failed(verifyTerm(op, rhs, rhsType.getRank())) ||
      failed(verifyTerm(op, result, result.size())))
    return failure();
  for (char letter : op.getIndices())
    if (llvm::isLower(letter) && op.getIndices().count(letter) == 1)
      return op.emitOpError() << "found index '" << StringRef(&letter, 1)
                              << "' in one term, expected it in at least two";
  std::map<char, int64_t> sizes;
  for (auto [term, type] : {std::pair(lhs, lhsType), std::pair(rhs, rhsType)})
    for (auto [letter, size] : llvm::zip(term, type.getShape()))
      if (int64_t known = sizes.try_emplace(letter, size).first->second;
          known != size)
        return op.emitOpError()
               << "found size " << size << " for index '"
               << StringRef(&letter, 1) << "', expected " << known;
  SmallVector<int64_t> shape;
  for (char letter : result) // it occurs twice, so an operand has it
    shape.push_back(sizes[letter]);
  return shape;
}

LogicalResult
AccumulateContractOp::verifySymbolUses(SymbolTableCollection &tables) {
  FailureOr<SmallVector<int64_t>> shape = contractShape(*this);
  if (failed(shape))
    return failure();
  return verifyAccumulation(*this, getBucket().getType(), getParameterAttr(),
                            *shape, tables);
}

//===----------------------------------------------------------------------===//
// Collectives in place
//===----------------------------------------------------------------------===//

LogicalResult
AllReduceInPlaceOp::verifySymbolUses(SymbolTableCollection &tables) {
  FailureOr<BucketOp> bucket = findBucket(*this, getBucket().getType(), tables);
  if (failed(bucket))
    return failure();
  if (getAxes().empty())
    return emitOpError() << "found no axes, expected at least one";
  if (!getBegin() && !getEnd())
    return success();
  if (!getBegin() || !getEnd())
    return emitOpError() << "found one border of a range, expected both";
  int64_t begin = *getBegin(), end = *getEnd();
  int64_t limit = isa<BucketType>(getBucket().getType())
                      ? bucket->getPadded()
                      : bucket->getShardElements();
  if (begin >= 0 && begin < end && end <= limit)
    return success();
  return emitOpError() << "found elements " << begin << " to " << end
                       << ", expected a range inside 0 to " << limit;
}

static LogicalResult verifyShardAxes(Operation *op, Type handle, ArrayAttr axes,
                                     SymbolTableCollection &tables) {
  FailureOr<BucketOp> bucket = findBucket(op, handle, tables);
  if (failed(bucket))
    return failure();
  if (bucket->getShard() == axes)
    return success();
  return op->emitOpError() << "found axes " << axes << ", expected "
                           << bucket->getShard()
                           << ", over which the bucket is sharded";
}

LogicalResult
ReduceScatterInPlaceOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyShardAxes(*this, getBucket().getType(), getAxes(), tables);
}

LogicalResult
AllGatherInPlaceOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyShardAxes(*this, getBucket().getType(), getAxes(), tables);
}

//===----------------------------------------------------------------------===//
// NormSquaredOp, AdamwOp, SgdOp
//===----------------------------------------------------------------------===//

LogicalResult NormSquaredOp::verify() {
  if (!getReplicatedPartCountsWhen())
    return success();
  auto [axis, number] = getReplicatedPartCountsWhen()->split(" == ");
  int64_t coordinate = 0;
  if (!axis.empty() && !number.getAsInteger(10, coordinate) && coordinate >= 0)
    return success();
  return emitOpError() << "found condition '" << *getReplicatedPartCountsWhen()
                       << "', expected AXIS == NUMBER";
}

LogicalResult NormSquaredOp::verifySymbolUses(SymbolTableCollection &tables) {
  for (Type type : getGradients().getTypes()) {
    if (failed(findBucket(*this, type, tables)) ||
        failed(expectRole(*this, "operand", type, Role::gradient)))
      return failure();
  }
  return success();
}

namespace {

/// An operand of an update and the role that it must have.
struct State {
  StringRef name;
  Type type;
  Role role;
};

} // namespace

/// All states belong to one bucket; either all but the parameter are this
/// rank's shards and `range` says where they lie, or none is.
static LogicalResult verifyUpdate(Operation *op, Type parameter,
                                  ArrayRef<State> states, RangeAttr range,
                                  SymbolTableCollection &tables) {
  FailureOr<BucketOp> bucket = findBucket(op, parameter, tables);
  if (failed(bucket))
    return failure();
  if (getRole(parameter) != Role::parameter &&
      getRole(parameter) != Role::master)
    return op->emitOpError()
           << "found parameter of role '" << stringifyRole(getRole(parameter))
           << "', expected 'parameter' or 'master'";
  for (const State &state : states) {
    if (failed(expectRole(op, state.name, state.type, state.role)))
      return failure();
    if (getBucketName(state.type) != getBucketName(parameter))
      return op->emitOpError()
             << "found " << state.name << " of bucket "
             << getBucketName(state.type) << ", expected bucket "
             << getBucketName(parameter);
    if (isa<ShardType>(state.type) != static_cast<bool>(range))
      return op->emitOpError()
             << "found " << state.type << (range ? " with" : " without")
             << " a range, expected a " << (range ? "shard" : "bucket")
             << " there";
  }
  int64_t shard = bucket->getShardElements();
  if (!range || (range.getSize() == shard && range.getStride() == shard))
    return success();
  return op->emitOpError() << "found range " << range
                           << ", expected a stride and size of " << shard;
}

LogicalResult AdamwOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyUpdate(*this, getParameter().getType(),
                      {{"gradient", getGradient().getType(), Role::gradient},
                       {"moment1", getMoment1().getType(), Role::moment1},
                       {"moment2", getMoment2().getType(), Role::moment2}},
                      getRangeAttr(), tables);
}

LogicalResult SgdOp::verifySymbolUses(SymbolTableCollection &tables) {
  bool hasMomentum = !getMomentum().isZero();
  if (hasMomentum != static_cast<bool>(getMomentumState()))
    return emitOpError()
           << "found momentum " << getMomentum().convertToDouble()
           << (hasMomentum ? " without" : " with")
           << " a state, expected a state exactly when it is not 0";
  SmallVector<State> states = {
      {"gradient", getGradient().getType(), Role::gradient}};
  if (hasMomentum)
    states.push_back(
        {"momentum", getMomentumState().getType(), Role::momentum});
  return verifyUpdate(*this, getParameter().getType(), states, getRangeAttr(),
                      tables);
}

// Reads, accumulations and updates of buckets.
#include "codegen/Reference/Contract.h"
#include "codegen/Reference/Frame.h"
#include "codegen/Reference/Update.h"

namespace llmc::reference {
namespace {

using mlir::LogicalResult;

LogicalResult view(dist::ViewOp op, Frame &frame) {
  for (auto [parameter, result] :
       llvm::zip_equal(op.getParameters().getAsRange<mlir::FlatSymbolRefAttr>(),
                       op.getTensors())) {
    PerRank tensors;
    for (int64_t rank : frame.ranks) {
      BucketRange range =
          frame.world.buckets->rangeOf(rank, op.getBucket().getType());
      dist::EntryAttr entry = range.bucket.lookup(parameter.getValue());
      Value tensor = Value::zeros(entry.getType());
      llvm::copy(range.elements().slice(entry.getOffset(), tensor.size()),
                 tensor.data.begin());
      tensors.push_back(std::move(tensor));
    }
    frame[result] = std::move(tensors);
  }
  return mlir::success();
}

/// Adds to a parameter's part of a gradient bucket, or overwrites it where the
/// contribution is the first of the step.
template <typename OpTy>
void contribute(OpTy op, Frame &frame, int64_t rank, const Value &value) {
  BucketRange range =
      frame.world.buckets->rangeOf(rank, op.getBucket().getType());
  dist::EntryAttr entry = range.bucket.lookup(op.getParameter());
  auto elements = range.elements().slice(entry.getOffset(), value.size());
  bool overwrite = op.getFirstInMicrobatch() && frame.microbatch == 0;
  for (int64_t i = 0; i < value.size(); ++i)
    elements[i] = overwrite ? value[i] : elements[i] + value[i];
}

LogicalResult accumulate(dist::AccumulateOp op, Frame &frame) {
  for (auto [position, rank] : llvm::enumerate(frame.ranks))
    contribute(op, frame, rank, frame[op.getValue()][position]);
  return mlir::success();
}

LogicalResult accumulateContract(dist::AccumulateContractOp op, Frame &frame) {
  auto [operands, result] = op.getIndices().split("->");
  auto [lhs, rhs] = operands.split(',');
  for (auto [position, rank] : llvm::enumerate(frame.ranks))
    contribute(op, frame, rank,
               contract(frame[op.getLhs()][position],
                        frame[op.getRhs()][position], {lhs, rhs, result}));
  return mlir::success();
}

LogicalResult when(dist::WhenOp op, Frame &frame) {
  if (!frame.holds(op.getPredicate()))
    return mlir::success();
  for (mlir::Operation &inner : op.getBody().front())
    if (mlir::failed(frame.runOp(&inner)))
      return mlir::failure();
  return mlir::success();
}

/// Whether elements that are replicated over tp count on a rank: always, or
/// where `AXIS == NUMBER` holds, a form that the op verifies.
bool replicatedPartCounts(dist::NormSquaredOp op, const Mesh &mesh,
                          int64_t rank) {
  if (!op.getReplicatedPartCountsWhen())
    return true;
  auto [axis, number] = op.getReplicatedPartCountsWhen()->split("==");
  int64_t wanted = 0;
  return llvm::to_integer(number.trim(), wanted) &&
         mesh.coordinate(rank, axis.trim()) == wanted;
}

LogicalResult normSquared(dist::NormSquaredOp op, Frame &frame) {
  PerRank sums;
  for (int64_t rank : frame.ranks) {
    bool counts = replicatedPartCounts(op, frame.world.mesh, rank);
    double sum = 0;
    for (mlir::Value handle : op.getGradients()) {
      BucketRange range = frame.world.buckets->rangeOf(rank, handle.getType());
      int64_t replicatedFrom = range.bucket.getReplicatedOverTpFrom();
      for (int64_t i = range.begin; i < range.end; ++i)
        if (counts || i < replicatedFrom)
          sum += (*range.data)[i] * (*range.data)[i];
    }
    sums.push_back(Value::scalar(sum));
  }
  frame[op.getResult()] = std::move(sums);
  return mlir::success();
}

/// The elements of the parameter bucket that a rank updates.
template <typename OpTy>
BucketRange updatedRange(OpTy op, Frame &frame, int64_t rank) {
  BucketRange range =
      frame.world.buckets->rangeOf(rank, op.getParameter().getType());
  if (dist::RangeAttr part = op.getRangeAttr()) {
    range.begin =
        frame.world.mesh.coordinate(rank, part.getAxis()) * part.getStride();
    range.end = range.begin + part.getSize();
  }
  return range;
}

/// The elements of another role beside `range`, or an error where they are not
/// as many.
mlir::FailureOr<llvm::MutableArrayRef<double>>
elementsBeside(mlir::Operation *op, Frame &frame, int64_t rank,
               mlir::Value handle, const BucketRange &range) {
  BucketRange other = frame.world.buckets->rangeOf(rank, handle.getType());
  if (other.begin != range.begin || other.end != range.end)
    return op->emitOpError()
           << "updates elements " << range.begin << " to " << range.end
           << " from elements " << other.begin << " to " << other.end << " of "
           << handle.getType();
  return other.elements();
}

LogicalResult adamw(dist::AdamwOp op, Frame &frame) {
  for (auto [position, rank] : llvm::enumerate(frame.ranks)) {
    if (frame[op.getOk()][position].number() == 0)
      continue;
    BucketRange range = updatedRange(op, frame, rank);
    auto gradient = elementsBeside(op, frame, rank, op.getGradient(), range);
    auto moment1 = elementsBeside(op, frame, rank, op.getMoment1(), range);
    auto moment2 = elementsBeside(op, frame, rank, op.getMoment2(), range);
    if (mlir::failed(gradient) || mlir::failed(moment1) ||
        mlir::failed(moment2))
      return mlir::failure();
    adamwStep(adamwRecipe(op, frame[op.getFactor()][position].number(),
                          frame[op.getLr()][position].number(),
                          frame[op.getT()][position].number(),
                          range.bucket.getDecayBelow() - range.begin),
              range.elements(), *gradient, *moment1, *moment2);
  }
  return mlir::success();
}

LogicalResult sgd(dist::SgdOp op, Frame &frame) {
  for (auto [position, rank] : llvm::enumerate(frame.ranks)) {
    if (frame[op.getOk()][position].number() == 0)
      continue;
    BucketRange range = updatedRange(op, frame, rank);
    auto gradient = elementsBeside(op, frame, rank, op.getGradient(), range);
    mlir::FailureOr<llvm::MutableArrayRef<double>> momentum =
        llvm::MutableArrayRef<double>();
    if (op.getMomentumState())
      momentum = elementsBeside(op, frame, rank, op.getMomentumState(), range);
    if (mlir::failed(gradient) || mlir::failed(momentum))
      return mlir::failure();
    sgdStep(sgdRecipe(op, frame[op.getFactor()][position].number(),
                      frame[op.getLr()][position].number(),
                      range.bucket.getDecayBelow() - range.begin),
            range.elements(), *gradient, *momentum);
  }
  return mlir::success();
}

} // namespace

void registerBucketKernels(FrameKernels &kernels) {
  addFrameKernel<dist::ViewOp, view>(kernels);
  addFrameKernel<dist::AccumulateOp, accumulate>(kernels);
  addFrameKernel<dist::AccumulateContractOp, accumulateContract>(kernels);
  addFrameKernel<dist::WhenOp, when>(kernels);
  addFrameKernel<dist::NormSquaredOp, normSquared>(kernels);
  addFrameKernel<dist::AdamwOp, adamw>(kernels);
  addFrameKernel<dist::SgdOp, sgd>(kernels);
}

} // namespace llmc::reference

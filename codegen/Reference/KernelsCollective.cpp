// Collectives on tensors and on buckets, between the ranks of one stage.
#include "codegen/Reference/Frame.h"

#include <limits>

namespace llmc::reference {
namespace {

using mlir::LogicalResult;

/// Where the part of group member `index` lies along `dim` of a whole.
Part partAlong(llvm::ArrayRef<int64_t> partShape, int64_t dim, int64_t index) {
  Part part{std::vector<int64_t>(partShape.size(), 0), partShape.vec()};
  part.start[dim] = index * partShape[dim];
  return part;
}

/// The sum of `terms` over the group of `rank`, in the group's order, so that
/// all its members get the same bits.
Value sumOverGroup(Frame &frame, const PerRank &terms, int64_t rank,
                   Mesh::Axes axes) {
  Value sum = Value::zeros(terms[0].shape);
  for (int64_t member : frame.world.mesh.group(rank, axes))
    addInto(sum, terms[frame.positionOf(member)]);
  return sum;
}

LogicalResult allGather(dist::AllGatherOp op, Frame &frame) {
  std::vector<std::string> axes = axesOf(op.getAxes());
  const PerRank &parts = frame[op.getInput()];
  PerRank wholes;
  for (int64_t rank : frame.ranks) {
    Value whole = Value::zeros(op.getResult().getType());
    for (auto [index, member] :
         llvm::enumerate(frame.world.mesh.group(rank, axes))) {
      const Value &from = parts[frame.positionOf(member)];
      Part part = partAlong(from.shape, op.getDim(), index);
      for (int64_t i = 0; i < from.size(); ++i)
        whole[globalIndex(whole.shape, part, i)] = from[i];
    }
    wholes.push_back(std::move(whole));
  }
  frame[op.getResult()] = std::move(wholes);
  return mlir::success();
}

LogicalResult reduceScatter(dist::ReduceScatterOp op, Frame &frame) {
  std::vector<std::string> axes = axesOf(op.getAxes());
  llvm::ArrayRef<int64_t> shape = shapeOf(op.getResult().getType());
  const PerRank &terms = frame[op.getInput()];
  PerRank parts;
  for (int64_t rank : frame.ranks) {
    Value sum = sumOverGroup(frame, terms, rank, axes);
    int64_t index = frame.world.mesh.jointCoordinate(rank, axes);
    parts.push_back(slice(sum, partAlong(shape, op.getDim(), index)));
  }
  frame[op.getResult()] = std::move(parts);
  return mlir::success();
}

LogicalResult allReduce(dist::AllReduceOp op, Frame &frame) {
  std::vector<std::string> axes = axesOf(op.getAxes());
  const PerRank &terms = frame[op.getInput()];
  PerRank sums;
  for (int64_t rank : frame.ranks)
    sums.push_back(sumOverGroup(frame, terms, rank, axes));
  frame[op.getResult()] = std::move(sums);
  return mlir::success();
}

/// Copies of a handle's elements on every rank.
PerRank copyRanges(mlir::Value handle, Frame &frame) {
  PerRank copies;
  for (int64_t rank : frame.ranks) {
    auto elements =
        frame.world.buckets->rangeOf(rank, handle.getType()).elements();
    copies.push_back({{static_cast<int64_t>(elements.size())}, elements.vec()});
  }
  return copies;
}

LogicalResult allReduceInPlace(dist::AllReduceInPlaceOp op, Frame &frame) {
  std::vector<std::string> axes = axesOf(op.getAxes());
  PerRank terms = copyRanges(op.getBucket(), frame);
  int64_t begin = op.getBegin() ? *op.getBegin() : 0;
  int64_t end = op.getEnd() ? *op.getEnd() : terms[0].size();
  for (int64_t rank : frame.ranks) {
    Value sum = sumOverGroup(frame, terms, rank, axes);
    auto elements =
        frame.world.buckets->rangeOf(rank, op.getBucket().getType()).elements();
    for (int64_t i = begin; i < end; ++i)
      elements[i] = sum[i];
  }
  return mlir::success();
}

LogicalResult reduceScatterInPlace(dist::ReduceScatterInPlaceOp op,
                                   Frame &frame) {
  std::vector<std::string> axes = axesOf(op.getAxes());
  PerRank terms = copyRanges(op.getBucket(), frame);
  for (int64_t rank : frame.ranks) {
    BucketRange range =
        frame.world.buckets->rangeOf(rank, op.getBucket().getType());
    Value sum = sumOverGroup(frame, terms, rank, axes);
    int64_t size = range.bucket.getShardElements();
    int64_t begin = frame.world.mesh.jointCoordinate(rank, axes) * size;
    // What is outside the shard is undefined now: a read must show.
    llvm::fill(*range.data, std::numeric_limits<double>::quiet_NaN());
    for (int64_t i = begin; i < begin + size; ++i)
      (*range.data)[i] = sum[i];
  }
  return mlir::success();
}

LogicalResult allGatherInPlace(dist::AllGatherInPlaceOp op, Frame &frame) {
  std::vector<std::string> axes = axesOf(op.getAxes());
  PerRank parts = copyRanges(op.getBucket(), frame);
  for (int64_t rank : frame.ranks) {
    BucketRange range =
        frame.world.buckets->rangeOf(rank, op.getBucket().getType());
    int64_t size = range.bucket.getShardElements();
    for (auto [index, member] :
         llvm::enumerate(frame.world.mesh.group(rank, axes))) {
      const Value &from = parts[frame.positionOf(member)];
      int64_t begin = static_cast<int64_t>(index) * size;
      for (int64_t i = begin; i < begin + size; ++i)
        (*range.data)[i] = from[i];
    }
  }
  return mlir::success();
}

} // namespace

void registerCollectiveKernels(FrameKernels &kernels) {
  addFrameKernel<dist::AllGatherOp, allGather>(kernels);
  addFrameKernel<dist::ReduceScatterOp, reduceScatter>(kernels);
  addFrameKernel<dist::AllReduceOp, allReduce>(kernels);
  addFrameKernel<dist::AllReduceInPlaceOp, allReduceInPlace>(kernels);
  addFrameKernel<dist::ReduceScatterInPlaceOp, reduceScatterInPlace>(kernels);
  addFrameKernel<dist::AllGatherInPlaceOp, allGatherInPlace>(kernels);
}

} // namespace llmc::reference

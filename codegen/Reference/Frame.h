// One fragment or local function in execution, on all ranks of its stage at
// once: each op runs on every rank before the next op, so that a collective
// has all its operands at hand.
#ifndef LLMC_CODEGEN_REFERENCE_FRAME_H
#define LLMC_CODEGEN_REFERENCE_FRAME_H

#include "codegen/Reference/BucketStore.h"
#include "codegen/Reference/Interpreter.h"

namespace llmc::reference {

/// One value per rank of a stage.
using PerRank = std::vector<Value>;

/// What all frames of a program share.
struct World {
  Mesh mesh;
  BucketStore *buckets;
  /// The state of ops that name parameters; they run on one rank only.
  State *state;
  int64_t microbatches;
};

class Frame {
public:
  Frame(const World &world, mlir::FunctionOpInterface function,
        int64_t microbatch, std::vector<int64_t> ranks)
      : world(world), function(function), microbatch(microbatch),
        ranks(std::move(ranks)) {}

  /// Starts at the first op with these arguments; handles have no values.
  void enter(std::vector<PerRank> arguments);

  /// Runs on, to the end or to a sum over all pipeline stages.
  mlir::LogicalResult advance();
  /// The sum that the frame has stopped at; null at the end.
  dist::AllReduceOp waitsAt() const { return waiting; }
  /// Gives the sum of every rank and steps over it.
  void resume(PerRank sums);

  /// What the function returned.
  std::vector<PerRank> results();

  /// For the kernels of dist ops.
  PerRank &operator[](mlir::Value value) { return values[value]; }
  size_t positionOf(int64_t rank) const;
  /// Whether the body of a `dist.when` runs in this micro-batch.
  bool holds(dist::Predicate predicate) const;
  mlir::LogicalResult runOp(mlir::Operation *op);

  const World &world;
  mlir::FunctionOpInterface function;
  int64_t microbatch;
  std::vector<int64_t> ranks;

private:
  mlir::LogicalResult runOnEachRank(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, PerRank> values;
  mlir::Block::iterator next;
  dist::AllReduceOp waiting = nullptr;
};

/// Runs frames of different stages to their ends; they meet at sums over all
/// stages.
mlir::LogicalResult runTogether(std::vector<Frame> &frames);

/// A dist op on all ranks of a frame.
using FrameKernel = mlir::LogicalResult (*)(mlir::Operation *, Frame &);
using FrameKernels = llvm::StringMap<FrameKernel>;

void registerCollectiveKernels(FrameKernels &kernels);
void registerBucketKernels(FrameKernels &kernels);

template <typename OpTy, mlir::LogicalResult (*run)(OpTy, Frame &)>
void addFrameKernel(FrameKernels &kernels) {
  kernels[OpTy::getOperationName()] = [](mlir::Operation *op, Frame &frame) {
    return run(llvm::cast<OpTy>(op), frame);
  };
}

/// The names in an array of axes.
std::vector<std::string> axesOf(mlir::ArrayAttr axes);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_FRAME_H

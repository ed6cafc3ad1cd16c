// The walk over a function's ops on all ranks of a stage.
#include "codegen/Reference/Frame.h"

namespace llmc::reference {
namespace {

using mlir::LogicalResult;

const FrameKernels &frameKernels() {
  static const FrameKernels table = [] {
    FrameKernels built;
    registerCollectiveKernels(built);
    registerBucketKernels(built);
    return built;
  }();
  return table;
}

/// Whether a sum goes over stages, which run other functions.
bool crossesStages(mlir::Operation &op, const Mesh &mesh) {
  auto sum = llvm::dyn_cast<dist::AllReduceOp>(op);
  return sum && mesh.sizeOf("pp") > 1 &&
         llvm::is_contained(axesOf(sum.getAxes()), "pp");
}

/// The sums of all frames' waiting values over their groups.
LogicalResult addAcrossStages(std::vector<Frame> &frames) {
  dist::AllReduceOp first = frames[0].waitsAt();
  std::map<int64_t, const Value *> terms;
  for (Frame &frame : frames) {
    if (frame.waitsAt().getAxes() != first.getAxes() ||
        frame.waitsAt().getType() != first.getType())
      return frame.waitsAt().emitOpError()
             << "meets another sum on another stage";
    for (auto [rank, value] :
         llvm::zip_equal(frame.ranks, frame[frame.waitsAt().getInput()]))
      terms[rank] = &value;
  }
  std::vector<PerRank> sums(frames.size());
  for (auto [frame, perRank] : llvm::zip_equal(frames, sums))
    for (int64_t rank : frame.ranks) {
      Value sum = Value::zeros(first.getType());
      for (int64_t member :
           frame.world.mesh.group(rank, axesOf(first.getAxes()))) {
        if (!terms.count(member))
          return first.emitOpError()
                 << "rank " << member << " takes no part in the sum";
        addInto(sum, *terms[member]);
      }
      perRank.push_back(std::move(sum));
    }
  for (auto [frame, perRank] : llvm::zip_equal(frames, sums))
    frame.resume(std::move(perRank));
  return mlir::success();
}

} // namespace

std::vector<std::string> axesOf(mlir::ArrayAttr axes) {
  std::vector<std::string> names;
  for (auto axis : axes.getAsRange<mlir::StringAttr>())
    names.push_back(axis.str());
  return names;
}

void Frame::enter(std::vector<PerRank> arguments) {
  mlir::Block &block = function.getFunctionBody().front();
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = std::move(value);
  next = block.begin();
}

size_t Frame::positionOf(int64_t rank) const {
  return llvm::find(ranks, rank) - ranks.begin();
}

bool Frame::holds(dist::Predicate predicate) const {
  bool isFirst = microbatch == 0;
  bool isLast = microbatch == world.microbatches - 1;
  switch (predicate) {
  case dist::Predicate::first_microbatch:
    return isFirst;
  case dist::Predicate::not_first_microbatch:
    return !isFirst;
  case dist::Predicate::last_microbatch:
    return isLast;
  case dist::Predicate::not_last_microbatch:
    return !isLast;
  }
  llvm_unreachable("all predicates are handled");
}

LogicalResult Frame::runOnEachRank(mlir::Operation *op) {
  std::vector<PerRank> results(op->getNumResults());
  for (size_t position = 0; position < ranks.size(); ++position) {
    llvm::SmallVector<const Value *> operands;
    for (mlir::Value operand : op->getOperands())
      operands.push_back(&values[operand][position]);
    // Ops that name parameters know no ranks.
    State *state = ranks.size() == 1 ? world.state : nullptr;
    mlir::FailureOr<Results> computed = evaluateOp(op, operands, state);
    if (mlir::failed(computed))
      return mlir::failure();
    for (auto [perRank, value] : llvm::zip_equal(results, *computed))
      perRank.push_back(std::move(value));
  }
  for (auto [result, perRank] : llvm::zip_equal(op->getResults(), results))
    values[result] = std::move(perRank);
  return mlir::success();
}

LogicalResult Frame::runOp(mlir::Operation *op) {
  if (FrameKernel kernel = frameKernels().lookup(op->getName().getStringRef()))
    return kernel(op, *this);
  return runOnEachRank(op);
}

LogicalResult Frame::advance() {
  mlir::Block &block = function.getFunctionBody().front();
  for (; next != block.end() && !next->hasTrait<mlir::OpTrait::IsTerminator>();
       ++next) {
    if (crossesStages(*next, world.mesh)) {
      waiting = llvm::cast<dist::AllReduceOp>(*next);
      return mlir::success();
    }
    if (mlir::failed(runOp(&*next)))
      return mlir::failure();
  }
  return mlir::success();
}

void Frame::resume(PerRank sums) {
  values[waiting.getResult()] = std::move(sums);
  waiting = nullptr;
  ++next;
}

std::vector<PerRank> Frame::results() {
  std::vector<PerRank> returned;
  mlir::Block &block = function.getFunctionBody().front();
  for (mlir::Value operand : block.getTerminator()->getOperands())
    returned.push_back(values[operand]);
  return returned;
}

LogicalResult runTogether(std::vector<Frame> &frames) {
  for (;;) {
    size_t waiting = 0;
    for (Frame &frame : frames) {
      if (mlir::failed(frame.advance()))
        return mlir::failure();
      waiting += bool(frame.waitsAt());
    }
    if (waiting == 0)
      return mlir::success();
    for (Frame &frame : frames)
      if (!frame.waitsAt())
        return frame.function->emitOpError()
               << "ends before a sum that another stage waits at";
    if (mlir::failed(addAcrossStages(frames)))
      return mlir::failure();
  }
}

} // namespace llmc::reference

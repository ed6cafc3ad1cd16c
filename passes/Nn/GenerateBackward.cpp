// nn-generate-backward: reverse-mode differentiation of the micro-batch
// @train.
#include "dialects/Nn/Nn.h"
#include "passes/Nn/Passes.h"
#include "test/faults/Fault.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace llmc::nn {
#define GEN_PASS_DEF_NNGENERATEBACKWARD
#include "passes/Nn/Passes.h.inc"
} // namespace llmc::nn

using namespace mlir;
using namespace llmc;
using namespace llmc::nn;

namespace {

/// One addend of a cotangent, and the forward op that it came through.
struct Contribution {
  Value value;
  Operation *through;
};

/// Marks each op that a reverse rule emits as backward and of the layer of
/// the forward op.
class BackwardMarker : public OpBuilder::Listener {
public:
  void setForward(Operation *op) { forward = op; }

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    op->setDiscardableAttr("direction",
                           StringAttr::get(op->getContext(), "backward"));
    if (Attribute layer = forward->getDiscardableAttr("layer"))
      op->setDiscardableAttr("layer", layer);
  }

private:
  Operation *forward = nullptr;
};

class BackwardGenerator {
public:
  explicit BackwardGenerator(MicrobatchOp train)
      : block(train.getBody().front()), builder(train.getContext(), &marker) {
    builder.setInsertionPoint(block.getTerminator());
  }

  LogicalResult run();

private:
  FailureOr<LossOpInterface> findLoss();
  void findActiveValues();
  void startAt(LossOpInterface loss);
  LogicalResult differentiate(Operation *op);
  void contribute(Value value, Value gradient, Operation *through);
  Value sumOf(Value value);

  Block &block;
  BackwardMarker marker;
  OpBuilder builder;
  llvm::DenseSet<Value> active;
  llvm::DenseMap<Value, SmallVector<Contribution, 2>> contributions;
};

} // namespace

FailureOr<LossOpInterface> BackwardGenerator::findLoss() {
  LossOpInterface loss;
  for (Operation &op : block) {
    if (isa<AccumulateOp>(op))
      return op.emitOpError() << "found in '@train' before its backward pass "
                                 "is generated, expected a forward graph";
    auto candidate = dyn_cast<LossOpInterface>(op);
    if (candidate && loss)
      return op.emitOpError()
             << "found a second loss in '@train', expected exactly one";
    if (candidate)
      loss = candidate;
  }
  if (!loss)
    return block.getParentOp()->emitOpError()
           << "found no loss in '@train', expected exactly one";
  return loss;
}

/// A value is active when it depends on a parameter.
void BackwardGenerator::findActiveValues() {
  for (Operation &op : block) {
    bool isActive =
        isa<GetOp>(op) || llvm::any_of(op.getOperands(), [&](Value operand) {
          return active.contains(operand);
        });
    if (isActive)
      active.insert_range(op.getResults());
  }
}

/// The loss op brings the gradients of its operands as results.
void BackwardGenerator::startAt(LossOpInterface loss) {
  marker.setForward(loss);
  for (unsigned i = 1, e = loss->getNumResults(); i < e; ++i) {
    Value operand = loss->getOperand(loss.getDifferentiatedOperand(i));
    if (active.contains(operand))
      contribute(operand, loss->getResult(i), loss);
  }
}

/// Parameters take each contribution at once, right where it is produced;
/// other values collect theirs until all are known.
void BackwardGenerator::contribute(Value value, Value gradient,
                                   Operation *through) {
  auto get = value.getDefiningOp<GetOp>();
  if (!get) {
    contributions[value].push_back({gradient, through});
    return;
  }
  if (LLMC_FAULT("backward-drops-accumulate") && isa<EmbeddingOp>(through))
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(gradient);
  AccumulateOp::create(builder, through->getLoc(), get.getParameterAttr(),
                       gradient);
}

/// The cotangent of `value`: its contributions, added in a balanced tree so
/// that rounding grows with the logarithm of their number.
Value BackwardGenerator::sumOf(Value value) {
  SmallVector<Contribution, 2> level = std::move(contributions[value]);
  if (level.empty())
    return nullptr;
  // The sum belongs to the forward op that used the value first: with it,
  // the last contribution arrives, and a layer's cotangent stays one value.
  Operation *through = level.back().through;
  marker.setForward(through);
  AddOp sum;
  while (level.size() > 1 && !LLMC_FAULT("backward-forgets-sum")) {
    SmallVector<Contribution, 2> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2) {
      sum = AddOp::create(builder, through->getLoc(), level[i].value,
                          level[i + 1].value, /*anchor=*/StringAttr(),
                          /*end_of_layer=*/IntegerAttr());
      next.push_back({sum, through});
    }
    if (level.size() % 2 == 1)
      next.push_back(level.back());
    level = std::move(next);
  }
  // The cotangent of the residual stream may cross stages like the stream.
  if (auto anchor = value.getDefiningOp()->getAttrOfType<StringAttr>("anchor");
      anchor && sum)
    sum.setAnchorAttr(anchor);
  return level.front().value;
}

LogicalResult BackwardGenerator::differentiate(Operation *op) {
  SmallVector<Value> cotangents;
  for (Value result : op->getResults())
    cotangents.push_back(sumOf(result));
  if (llvm::none_of(cotangents, [](Value value) { return bool(value); }))
    return success();
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable)
    return op->emitOpError() << "found on the way from a parameter to the "
                                "loss, expected an op with a reverse rule";
  SmallVector<bool> wanted;
  for (Value operand : op->getOperands())
    wanted.push_back(active.contains(operand));
  marker.setForward(op);
  SmallVector<Value> gradients;
  differentiable.buildVjp(builder, cotangents, wanted, gradients);
  for (auto [operand, gradient] : llvm::zip_equal(op->getOperands(), gradients))
    if (gradient)
      contribute(operand, gradient, op);
  return success();
}

LogicalResult BackwardGenerator::run() {
  FailureOr<LossOpInterface> loss = findLoss();
  if (failed(loss))
    return failure();
  findActiveValues();
  SmallVector<Operation *> forward;
  for (Operation *op = *loss; op; op = op->getPrevNode())
    forward.push_back(op);
  startAt(*loss);
  for (Operation *op : llvm::drop_begin(forward))
    if (failed(differentiate(op)))
      return failure();
  return success();
}

namespace {

struct GenerateBackward
    : llmc::nn::impl::NnGenerateBackwardBase<GenerateBackward> {
  void runOnOperation() override {
    for (auto microbatch : getOperation().getOps<MicrobatchOp>())
      if (microbatch.getSymName() == "train" &&
          failed(BackwardGenerator(microbatch).run()))
        return signalPassFailure();
  }
};

} // namespace

// The update of a step on buckets instead of single parameters.
#include "passes/Dist/BucketUpdates.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::dist;

Value dist::addHandle(FuncOp function, BucketOp bucket, Role role) {
  EntryAttr entry = *bucket.entries().begin();
  auto type = BucketType::get(FlatSymbolRefAttr::get(bucket), role,
                              entry.getType().getElementType());
  auto asFunction = cast<FunctionOpInterface>(function.getOperation());
  unsigned index = asFunction.getNumArguments();
  // Fails for external functions only, and local ones have a body.
  (void)asFunction.insertArgument(
      index, type, DictionaryAttr::get(function.getContext()), bucket.getLoc());
  return function.getBody().getArgument(index);
}

namespace {

/// The updates of a bucket's parameters, which are all alike but for decay.
template <typename OpTy> struct Updates {
  std::vector<OpTy> ops;
  FloatAttr weightDecay;
};

} // namespace

static StringRef parameterOf(Operation &op) {
  if (auto adamw = dyn_cast<nn::AdamwOp>(op))
    return adamw.getParameter();
  if (auto sgd = dyn_cast<nn::SgdOp>(op))
    return sgd.getParameter();
  return {};
}

/// The update of a parameter; null with a diagnostic if there is none.
static Operation *findUpdate(FuncOp function, FlatSymbolRefAttr parameter) {
  for (Operation &op : function.getBody().front())
    if (parameterOf(op) == parameter.getValue())
      return &op;
  function.emitOpError() << "found no update of " << parameter
                         << ", expected one";
  return nullptr;
}

/// What must be the same for all parameters of a bucket.
static bool areAlike(nn::AdamwOp a, nn::AdamwOp b) {
  return a->getOperands() == b->getOperands() &&
         a.getBeta1Attr() == b.getBeta1Attr() &&
         a.getBeta2Attr() == b.getBeta2Attr() &&
         a.getEpsAttr() == b.getEpsAttr();
}

static bool areAlike(nn::SgdOp a, nn::SgdOp b) {
  return a->getOperands() == b->getOperands() &&
         a.getMomentumAttr() == b.getMomentumAttr();
}

/// The decay of a bucket is that of the entries below its border.
template <typename OpTy>
static FailureOr<Updates<OpTy>> collectUpdates(FuncOp function,
                                               BucketOp bucket) {
  Updates<OpTy> updates;
  for (EntryAttr entry : bucket.entries()) {
    Operation *found = findUpdate(function, entry.getParameter());
    if (!found)
      return failure();
    auto update = dyn_cast<OpTy>(found);
    if (!update ||
        (!updates.ops.empty() && !areAlike(update, updates.ops.front())))
      return found->emitOpError()
             << "found another update than that of the first parameter of "
                "bucket '@"
             << bucket.getSymName() << "', expected the same";
    bool isDecayed =
        entry.getOffset() < static_cast<int64_t>(bucket.getDecayBelow());
    if (!updates.weightDecay)
      updates.weightDecay = update.getWeightDecayAttr();
    if (isDecayed && updates.weightDecay != update.getWeightDecayAttr())
      return found->emitOpError()
             << "found weight decay " << update.getWeightDecayAttr()
             << " in bucket '@" << bucket.getSymName() << "', expected "
             << updates.weightDecay << " as before";
    updates.ops.push_back(update);
  }
  return updates;
}

template <typename OpTy> static Location locOf(const Updates<OpTy> &updates) {
  SmallVector<Location> locs;
  for (OpTy op : updates.ops)
    locs.push_back(op.getLoc());
  return FusedLoc::get(locs.front().getContext(), locs);
}

/// Creates the update of a bucket where the first of its parameters was.
static LogicalResult formAdamw(FuncOp function, BucketOp bucket, Value gradient,
                               Value parameter) {
  FailureOr<Updates<nn::AdamwOp>> updates =
      collectUpdates<nn::AdamwOp>(function, bucket);
  if (failed(updates))
    return failure();
  nn::AdamwOp first = updates->ops.front();
  Value moment1 = addHandle(function, bucket, Role::moment1);
  Value moment2 = addHandle(function, bucket, Role::moment2);
  OpBuilder builder(first);
  AdamwOp::create(builder, locOf(*updates), parameter, gradient, moment1,
                  moment2, first.getFactor(), first.getOk(), first.getLr(),
                  first.getT(), first.getBeta1Attr(), first.getBeta2Attr(),
                  first.getEpsAttr(), updates->weightDecay, RangeAttr());
  for (nn::AdamwOp op : updates->ops)
    op.erase();
  return success();
}

static LogicalResult formSgd(FuncOp function, BucketOp bucket, Value gradient,
                             Value parameter) {
  FailureOr<Updates<nn::SgdOp>> updates =
      collectUpdates<nn::SgdOp>(function, bucket);
  if (failed(updates))
    return failure();
  nn::SgdOp first = updates->ops.front();
  Value momentum;
  if (!first.getMomentum().isZero())
    momentum = addHandle(function, bucket, Role::momentum);
  OpBuilder builder(first);
  SgdOp::create(builder, locOf(*updates), parameter, gradient, momentum,
                first.getFactor(), first.getOk(), first.getLr(),
                first.getMomentumAttr(), updates->weightDecay, RangeAttr());
  for (nn::SgdOp op : updates->ops)
    op.erase();
  return success();
}

LogicalResult dist::formUpdates(FuncOp function, ArrayRef<BucketOp> buckets) {
  SmallVector<Value> gradients;
  for (BucketOp bucket : buckets) {
    Operation *first =
        findUpdate(function, (*bucket.entries().begin()).getParameter());
    if (!first)
      return failure();
    Value parameter = addHandle(function, bucket, Role::parameter);
    gradients.push_back(addHandle(function, bucket, Role::gradient));
    auto form = isa<nn::AdamwOp>(first) ? formAdamw : formSgd;
    if (failed(form(function, bucket, gradients.back(), parameter)))
      return failure();
  }
  for (auto norm : llvm::make_early_inc_range(
           function.getBody().getOps<nn::GradNormSquaredOp>())) {
    OpBuilder builder(norm);
    auto replacement = NormSquaredOp::create(
        builder, norm.getLoc(), norm.getResult().getType(), gradients,
        /*replicated_part_counts_when=*/StringAttr());
    norm.getResult().replaceAllUsesWith(replacement.getResult());
    norm.erase();
  }
  return success();
}

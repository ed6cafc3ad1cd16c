// exec-form-dispatches: groups the ops of local functions into kernels-to-be.
#include "passes/Exec/Passes.h"

#include "dialects/Dist/Dist.h"
#include "dialects/Interfaces/Interfaces.h"
#include "dialects/Nn/Nn.h"
#include "passes/Exec/Targets.h"

using namespace mlir;

namespace llmc::exec {
#define GEN_PASS_DEF_EXECFORMDISPATCHESPASS
#include "passes/Exec/Passes.h.inc"

namespace {
/// Ops that will be one dispatch, in program order. The dispatch stands at the
/// first op, or, for a contraction with epilogue, at the last.
struct Group {
  SmallVector<Operation *> ops;
  KernelKind kind;
  ArrayRef<int64_t> space;
  int reductions = 0;

  Operation *position() const {
    return kind == KernelKind::Library ? ops.back() : ops.front();
  }
};

class DispatchFormer {
public:
  DispatchFormer(Block &block, const Target &target)
      : block(block), target(target) {}
  void run();

private:
  void groupLibraryCalls();
  void groupKernels();
  void addTo(Group &group, Operation *op);
  bool mayJoin(const Group &group, Operation *op, KernelKind kind);
  void outline(Group &group);

  Block &block;
  const Target &target;
  std::vector<std::unique_ptr<Group>> groups;
  llvm::DenseMap<Operation *, Group *> groupOf; // looked up only
};
} // namespace

/// The iteration space of an op: the shape of its largest tensor.
static ArrayRef<int64_t> spaceOf(Operation *op) {
  RankedTensorType largest;
  auto consider = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && (!largest || tensor.getRank() > largest.getRank()))
      largest = tensor;
  };
  llvm::for_each(op->getOperandTypes(), consider);
  llvm::for_each(op->getResultTypes(), consider);
  return largest ? largest.getShape() : ArrayRef<int64_t>();
}

/// The only user of the only result, if it is of type OpT.
template <typename OpT> static OpT soleUser(Operation *op) {
  if (!op->getResult(0).hasOneUse())
    return {};
  return dyn_cast<OpT>(*op->getResult(0).user_begin());
}

static std::unique_ptr<Group> makeGroup(KernelKind kind, Operation *op) {
  auto group = std::make_unique<Group>();
  group->kind = kind;
  group->space = spaceOf(op);
  return group;
}

void DispatchFormer::addTo(Group &group, Operation *op) {
  group.ops.push_back(op);
  groupOf[op] = &group;
  auto kernel = cast<KernelOpInterface>(op);
  group.reductions += kernel.getKernelKind() == KernelKind::RowReduction;
}

/// Contractions with `+ bias` and `+ addend`. Later ones choose first: of two
/// contractions that are added, the first is the addend of the second.
void DispatchFormer::groupLibraryCalls() {
  for (Operation &op : llvm::reverse(block)) {
    auto contract = dyn_cast<nn::ContractOp>(op);
    if (!contract)
      continue;
    groups.push_back(makeGroup(KernelKind::Library, &op));
    Group &group = *groups.back();
    addTo(group, &op);
    Operation *last = &op;
    auto bias = soleUser<nn::AddBiasOp>(last);
    if (target.bias && bias && bias.getInput() == last->getResult(0)) {
      addTo(group, bias);
      last = bias;
    }
    auto add = soleUser<nn::AddOp>(last);
    if (target.addend && add && add.getLhs() != add.getRhs() &&
        !groupOf.contains(add))
      addTo(group, add);
  }
}

bool DispatchFormer::mayJoin(const Group &group, Operation *op,
                             KernelKind kind) {
  bool column = kind == KernelKind::ColumnReduction;
  if (column != (group.kind == KernelKind::ColumnReduction) ||
      group.space != spaceOf(op))
    return false;
  if (kind == KernelKind::RowReduction && group.reductions > 0)
    return false;
  bool related = false;
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (producer && groupOf.lookup(producer) == &group) {
      related = true;
      continue;
    }
    // Joining means moving up to the group's first op.
    if (producer && !producer->isBeforeInBlock(group.ops.front()))
      return false;
    related |= llvm::any_of(group.ops, [&](Operation *member) {
      return llvm::is_contained(member->getOperands(), operand);
    });
  }
  return related;
}

void DispatchFormer::groupKernels() {
  for (Operation &op : block) {
    auto kernel = dyn_cast<KernelOpInterface>(op);
    // Losses are more than one kernel; ops on scalars alone write the step's.
    if (!kernel || isa<LossOpInterface>(op) || groupOf.contains(&op) ||
        spaceOf(&op).empty())
      continue;
    KernelKind kind = kernel.getKernelKind();
    bool joins = kind != KernelKind::Root;
    auto found =
        joins ? llvm::find_if(llvm::reverse(groups),
                              [&](const std::unique_ptr<Group> &group) {
                                return group->kind != KernelKind::Library &&
                                       group->kind != KernelKind::Root &&
                                       mayJoin(*group, &op, kind);
                              })
              : groups.rend();
    if (found == groups.rend()) {
      groups.push_back(makeGroup(kind, &op));
      found = groups.rbegin();
    }
    addTo(**found, &op);
  }
}

/// Replaces the ops of a group by one dispatch.
void DispatchFormer::outline(Group &group) {
  llvm::SetVector<Value> inputs, outputs;
  std::string stem;
  SmallVector<Location> locations;
  for (Operation *op : group.ops) {
    stem += (stem.empty() ? "" : "_") + op->getName().stripDialect().str();
    locations.push_back(op->getLoc());
    for (Value operand : op->getOperands())
      if (groupOf.lookup(operand.getDefiningOp()) != &group)
        inputs.insert(operand);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return groupOf.lookup(user) != &group;
          }))
        outputs.insert(result);
  }
  OpBuilder builder(group.position());
  auto dispatch =
      DispatchOp::create(builder, group.ops.back()->getLoc(),
                         TypeRange(ValueRange(outputs.getArrayRef())),
                         builder.getStringAttr(stem), inputs.getArrayRef());
  for (StringRef name : {"layer", "direction"})
    if (Attribute value = group.ops.front()->getAttr(name))
      dispatch->setAttr(name, value);
  Block &body = dispatch.getBody().emplaceBlock();
  IRMapping map;
  for (Value input : inputs)
    map.map(input, body.addArgument(input.getType(), input.getLoc()));
  builder.setInsertionPointToEnd(&body);
  for (Operation *op : group.ops)
    builder.clone(*op, map);
  SmallVector<Value> returned;
  for (Value output : outputs)
    returned.push_back(map.lookup(output));
  ReturnOp::create(builder, dispatch.getLoc(), returned);
  for (auto [number, result] : llvm::enumerate(dispatch.getOutputs()))
    Value(outputs[number]).replaceUsesWithIf(result, [&](OpOperand &use) {
      return groupOf.lookup(use.getOwner()) != &group;
    });
}

void DispatchFormer::run() {
  // A kernel without results could not be launched.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  groupLibraryCalls();
  groupKernels();
  // Users are outlined after their producers only if the groups are taken in
  // the order of their positions.
  llvm::sort(groups, [](const auto &a, const auto &b) {
    return a->position()->isBeforeInBlock(b->position());
  });
  for (auto &group : groups)
    outline(*group);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (groupOf.contains(&op))
      op.erase();
}

namespace {
struct FormDispatches : impl::ExecFormDispatchesPassBase<FormDispatches> {
  using ExecFormDispatchesPassBase::ExecFormDispatchesPassBase;

  void runOnOperation() override {
    const Target *row = findTarget(target);
    if (!row) {
      getOperation().emitError("internal: no target '") << target << "'";
      return signalPassFailure();
    }
    for (auto func : getOperation().getOps<dist::FuncOp>())
      DispatchFormer(func.getBody().front(), *row).run();
  }
};
} // namespace

} // namespace llmc::exec

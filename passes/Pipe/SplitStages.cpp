// pipe-split-stages: cuts the step into closed fragments.
#include "passes/Pipe/FragmentBuilder.h"
#include "passes/Pipe/Passes.h"
#include "test/faults/Fault.h"
#include "llvm/ADT/SetVector.h"

namespace llmc::pipe {
#define GEN_PASS_DEF_PIPESPLITSTAGES
#include "passes/Pipe/Passes.h.inc"
} // namespace llmc::pipe

using namespace mlir;
using namespace llmc;
using namespace llmc::pipe;
using dist::FragmentKind;

namespace {

struct SplitStages : llmc::pipe::impl::PipeSplitStagesBase<SplitStages> {
  using PipeSplitStagesBase::PipeSplitStagesBase;

  void runOnOperation() override {
    if (failed(split(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult split(ModuleOp module);
  FailureOr<dist::MeshOp> findMesh(ModuleOp module);
  LogicalResult splitTrain(nn::MicrobatchOp train, ProgramOp program);
  LogicalResult splitWhole(nn::MicrobatchOp microbatch, FragmentKind kind,
                           StringRef name, ProgramOp program);
};

} // namespace

FailureOr<dist::MeshOp> SplitStages::findMesh(ModuleOp module) {
  auto meshes = module.getOps<dist::MeshOp>();
  if (!llvm::hasSingleElement(meshes))
    return module.emitError()
           << "found " << llvm::range_size(meshes) << " meshes, expected one";
  dist::MeshOp mesh = *meshes.begin();
  int64_t stages = mesh.getAxisSize("pp").value_or(1);
  if (stages != 1)
    return mesh.emitOpError()
           << "found pp " << stages
           << ", which is not implemented yet, expected pp 1";
  return mesh;
}

LogicalResult SplitStages::split(ModuleOp module) {
  FailureOr<dist::MeshOp> mesh = findMesh(module);
  if (failed(mesh))
    return failure();
  if (microbatches < 1)
    return module.emitError() << "found " << microbatches.getValue()
                              << " micro-batches, expected at least 1";
  SmallVector<Operation *> old;
  for (Operation &op : *module.getBody())
    if (isa<nn::MicrobatchOp, nn::UpdateOp>(op))
      old.push_back(&op);
  if (old.empty())
    return module.emitError() << "found no micro-batch, expected at least one";
  if (auto train = module.lookupSymbol<nn::MicrobatchOp>("train");
      train && module.getOps<nn::UpdateOp>().empty())
    return train.emitOpError()
           << "found '@train' without an update '@step', expected both";
  // The micro-batch @train leaves its name to the program.
  OpBuilder builder(old.front());
  auto program = ProgramOp::create(builder, old.front()->getLoc(), "train",
                                   mesh->getSymName(), microbatches.getValue());
  program.getBody().emplaceBlock();
  for (Operation *op : old) {
    LogicalResult done = success();
    StringRef name = SymbolTable::getSymbolName(op).getValue();
    if (auto update = dyn_cast<nn::UpdateOp>(op))
      buildUpdate(update, program);
    else if (name == "train")
      done = splitTrain(cast<nn::MicrobatchOp>(op), program);
    else if (name == "evaluate")
      done = splitWhole(cast<nn::MicrobatchOp>(op), FragmentKind::evaluate,
                        "E0", program);
    else if (name == "logits")
      done = splitWhole(cast<nn::MicrobatchOp>(op), FragmentKind::logits, "L0",
                        program);
    else
      done = op->emitOpError() << "found micro-batch '@" << name
                               << "', expected train, evaluate or logits";
    if (failed(done))
      return failure();
  }
  for (Operation *op : old)
    op->erase();
  return success();
}

LogicalResult SplitStages::splitWhole(nn::MicrobatchOp microbatch,
                                      FragmentKind kind, StringRef name,
                                      ProgramOp program) {
  FragmentPlan plan{name, kind, {}, {}};
  for (Operation &op : microbatch.getBody().front().without_terminator())
    if (!isa<nn::GetOp>(op))
      plan.ops.push_back(&op);
  ResultKind result =
      kind == FragmentKind::logits ? ResultKind::logits : ResultKind::loss;
  for (Value value :
       microbatch.getBody().front().getTerminator()->getOperands())
    plan.results.push_back({value, result});
  return buildFragment(microbatch, plan, /*saved=*/{}, program);
}

/// What accumulates a result of the loss op stays with it: the gradient of a
/// head is as large as its weight, too large to be saved for each micro-batch.
static bool belongsToBackward(Operation &op) {
  auto direction = op.getAttrOfType<StringAttr>("direction");
  if (!direction || direction.getValue() != "backward")
    return false;
  auto accumulate = dyn_cast<nn::AccumulateOp>(op);
  return !accumulate || !isa_and_nonnull<LossOpInterface>(
                            accumulate.getValue().getDefiningOp());
}

/// The values that depend on tokens and labels alone: cheap integers, which
/// are computed again rather than saved.
static llvm::DenseSet<Value> findDerivedValues(nn::MicrobatchOp train) {
  llvm::DenseSet<Value> derived;
  for (BlockArgument argument : train.getBody().getArguments()) {
    auto role =
        train.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "nn.role");
    if (role && (role.getValue() == "tokens" || role.getValue() == "labels"))
      derived.insert(argument);
  }
  for (Operation &op : train.getBody().front().without_terminator())
    if (op.getNumOperands() != 0 &&
        llvm::all_of(op.getOperands(),
                     [&](Value value) { return derived.contains(value); }))
      derived.insert_range(op.getResults());
  return derived;
}

LogicalResult SplitStages::splitTrain(nn::MicrobatchOp train,
                                      ProgramOp program) {
  FragmentPlan forward{"F0", FragmentKind::forward, {}, {}};
  FragmentPlan backward{"B0", FragmentKind::backward, {}, {}};
  llvm::DenseSet<Value> derived = findDerivedValues(train);
  Block &block = train.getBody().front();
  llvm::DenseSet<Operation *> read; // forward ops that B0 reads
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    bool isBackward = belongsToBackward(op);
    bool isCloned = read.contains(&op) && derived.contains(op.getResult(0));
    if (isBackward || isCloned) {
      backward.ops.push_back(&op);
      for (Value operand : op.getOperands())
        if (Operation *producer = operand.getDefiningOp())
          read.insert(producer);
    }
    if (!isBackward && !isa<nn::GetOp>(op))
      forward.ops.push_back(&op);
  }
  std::reverse(forward.ops.begin(), forward.ops.end());
  std::reverse(backward.ops.begin(), backward.ops.end());
  for (Value value : block.getTerminator()->getOperands())
    forward.results.push_back({value, ResultKind::loss});
  SmallVector<Value> saved = findReadValues(forward.ops, backward.ops);
  for (Value value : saved)
    forward.results.push_back({value, ResultKind::saved});
  if (failed(buildFragment(train, forward, /*saved=*/{}, program)))
    return failure();
  if (LLMC_FAULT("split-stages-swaps-saved")) {
    auto pair = llvm::adjacent_find(forward.results, [](auto &a, auto &b) {
      return a.value.getType() == b.value.getType();
    });
    std::swap(pair[0], pair[1]);
  }
  llvm::MapVector<Value, SourceAttr> sources;
  for (auto [index, result] : llvm::enumerate(forward.results))
    if (result.kind == ResultKind::saved)
      sources[result.value] =
          SourceAttr::get(&getContext(), SourceKind::saved,
                          StringAttr::get(&getContext(), "F0"), index);
  return buildFragment(train, backward, sources, program);
}

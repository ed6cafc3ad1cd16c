// nn-verify-step: the contract between the model half and the plan half.
#include "dialects/Nn/Nn.h"
#include "passes/Nn/Passes.h"
#include "llvm/ADT/StringMap.h"

namespace llmc::nn {
#define GEN_PASS_DEF_NNVERIFYSTEP
#include "passes/Nn/Passes.h.inc"
} // namespace llmc::nn

using namespace mlir;
using namespace llmc;
using namespace llmc::nn;

namespace {

struct VerifyStep : llmc::nn::impl::NnVerifyStepBase<VerifyStep> {
  void runOnOperation() override {
    if (failed(verify(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult verify(ModuleOp module);
  LogicalResult verifyDirections(MicrobatchOp train);
  LogicalResult verifyEvaluation(MicrobatchOp other);
  LogicalResult verifyCounts(ModuleOp module, MicrobatchOp train,
                             UpdateOp step);
};

} // namespace

LogicalResult VerifyStep::verify(ModuleOp module) {
  auto train = module.lookupSymbol<MicrobatchOp>("train");
  auto step = module.lookupSymbol<UpdateOp>("step");
  auto logits = module.lookupSymbol<MicrobatchOp>("logits");
  if (!train && !step && logits)
    return verifyEvaluation(logits);
  if (!train)
    return module.emitError() << "found no micro-batch '@train', expected one";
  if (!step)
    return module.emitError() << "found no update '@step', expected one";
  if (failed(verifyDirections(train)))
    return failure();
  for (auto other : module.getOps<MicrobatchOp>())
    if (other != train && failed(verifyEvaluation(other)))
      return failure();
  return verifyCounts(module, train, step);
}

/// Up to the loss all is forward, after it backward.
LogicalResult VerifyStep::verifyDirections(MicrobatchOp train) {
  bool isBackward = false;
  for (Operation &op : train.getBody().front().without_terminator()) {
    auto direction = op.getAttrOfType<StringAttr>("direction");
    bool isMarked = direction && direction.getValue() == "backward";
    if (isMarked != isBackward)
      return op.emitOpError()
             << "found " << (isMarked ? "a" : "no") << " backward mark "
             << (isBackward ? "after" : "before") << " the loss, expected "
             << (isBackward ? "direction = \"backward\"" : "none");
    isBackward |= isa<LossOpInterface>(op);
  }
  if (isBackward)
    return success();
  return train.emitOpError() << "found no loss in '@train', expected one";
}

LogicalResult VerifyStep::verifyEvaluation(MicrobatchOp other) {
  for (auto accumulate : other.getBody().getOps<AccumulateOp>())
    return accumulate.emitOpError() << "found in '@" << other.getSymName()
                                    << "', expected it in '@train' only";
  return success();
}

LogicalResult VerifyStep::verifyCounts(ModuleOp module, MicrobatchOp train,
                                       UpdateOp step) {
  llvm::StringMap<unsigned> accumulated, updated;
  for (auto op : train.getBody().getOps<AccumulateOp>())
    ++accumulated[op.getParameter()];
  for (auto op : step.getBody().getOps<AdamwOp>())
    ++updated[op.getParameter()];
  for (auto op : step.getBody().getOps<SgdOp>())
    ++updated[op.getParameter()];
  for (auto parameter : module.getOps<ParameterOp>()) {
    StringRef name = parameter.getSymName();
    if (accumulated.lookup(name) == 0)
      return parameter.emitError()
             << "found parameter '" << name
             << "' accumulated 0 times in '@train', expected at least once";
    if (unsigned count = updated.lookup(name); count != 1)
      return parameter.emitError()
             << "found parameter '" << name << "' updated " << count
             << " times in '@step', expected exactly once";
  }
  return success();
}

// nn-verify-model: what every later pass assumes of a model.
#include "dialects/Nn/Nn.h"
#include "passes/Nn/Passes.h"
#include "llvm/ADT/StringMap.h"

namespace llmc::nn {
#define GEN_PASS_DEF_NNVERIFYMODEL
#include "passes/Nn/Passes.h.inc"
} // namespace llmc::nn

using namespace mlir;
using namespace llmc;
using namespace llmc::nn;

namespace {

struct VerifyModel : llmc::nn::impl::NnVerifyModelBase<VerifyModel> {
  void runOnOperation() override {
    if (failed(verify(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult verify(ModuleOp module);
  LogicalResult verifyResults(MicrobatchOp microbatch);
  LogicalResult verifyArguments(MicrobatchOp microbatch);
  LogicalResult verifyForward(MicrobatchOp microbatch);
  LogicalResult verifyLayerMarks(MicrobatchOp microbatch);
  LogicalResult verifyParameters(ModuleOp module, MicrobatchOp train);
  LogicalResult verifyResidual(MicrobatchOp train);

  int64_t numLayers = 0;
};

} // namespace

LogicalResult VerifyModel::verify(ModuleOp module) {
  // A program that only predicts has no training.
  auto train = module.lookupSymbol<MicrobatchOp>("train");
  if (!train)
    train = module.lookupSymbol<MicrobatchOp>("logits");
  if (!train)
    return module.emitError() << "found no micro-batch '@train', expected one";
  for (auto microbatch : module.getOps<MicrobatchOp>())
    if (failed(verifyResults(microbatch)) ||
        failed(verifyArguments(microbatch)) ||
        failed(verifyForward(microbatch)) ||
        failed(verifyLayerMarks(microbatch)))
      return failure();
  if (failed(verifyParameters(module, train)))
    return failure();
  return verifyResidual(train);
}

LogicalResult VerifyModel::verifyResults(MicrobatchOp microbatch) {
  StringRef name = microbatch.getSymName();
  ArrayRef<Type> results = microbatch.getResultTypes();
  if (name == "train" || name == "evaluate") {
    if (results.size() == 1 && results.front().isF32())
      return success();
    return microbatch.emitOpError()
           << "found results (" << TypeRange(results) << ") of '@" << name
           << "', expected the loss, (f32)";
  }
  if (name != "logits")
    return microbatch.emitOpError()
           << "found micro-batch '@" << name
           << "', expected '@train', '@evaluate' or '@logits'";
  auto tensor = results.size() == 1 ? dyn_cast<RankedTensorType>(results[0])
                                    : RankedTensorType();
  if (tensor && tensor.getRank() == 3)
    return success();
  return microbatch.emitOpError()
         << "found results (" << TypeRange(results)
         << ") of '@logits', expected one tensor of rank 3";
}

LogicalResult VerifyModel::verifyArguments(MicrobatchOp microbatch) {
  RankedTensorType first;
  for (unsigned i = 0, e = microbatch.getNumArguments(); i != e; ++i) {
    auto role = microbatch.getArgAttrOfType<StringAttr>(i, "nn.role");
    if (role.getValue() != "tokens" && role.getValue() != "labels")
      continue;
    auto type = cast<RankedTensorType>(microbatch.getArgumentTypes()[i]);
    if (first && first != type)
      return microbatch.emitOpError()
             << "found tokens and labels of types " << first << " and " << type
             << ", expected one type";
    first = type;
  }
  return success();
}

/// The seed argument of `microbatch`, or null.
static Value findSeed(MicrobatchOp microbatch) {
  for (unsigned i = 0, e = microbatch.getNumArguments(); i != e; ++i)
    if (microbatch.getArgAttrOfType<StringAttr>(i, "nn.role").getValue() ==
        "seed")
      return microbatch.getArgument(i);
  return nullptr;
}

/// `@train` and `@evaluate` end in one loss; nothing is backward yet.
LogicalResult VerifyModel::verifyForward(MicrobatchOp microbatch) {
  Block &block = microbatch.getBody().front();
  SmallVector<LossOpInterface> losses;
  for (Operation &op : block) {
    if (isa<AccumulateOp>(op) || op.hasAttr("direction"))
      return op.emitOpError()
             << "found a backward op in '@" << microbatch.getSymName()
             << "', expected a forward graph";
    if (auto loss = dyn_cast<LossOpInterface>(op))
      losses.push_back(loss);
  }
  if (microbatch.getSymName() == "logits" && losses.empty())
    return success();
  if (microbatch.getSymName() == "logits" || losses.size() != 1)
    return microbatch.emitOpError()
           << "found " << losses.size() << " losses in '@"
           << microbatch.getSymName() << "', expected "
           << (microbatch.getSymName() == "logits" ? 0 : 1);
  LossOpInterface loss = losses.front();
  if (block.getTerminator()->getOperand(0) != loss->getResult(0))
    return block.getTerminator()->emitOpError()
           << "found another value yielded by '@" << microbatch.getSymName()
           << "', expected its loss";
  Value seed = findSeed(microbatch);
  if (seed && llvm::is_contained(loss->getOperands(), seed))
    return success();
  return loss->emitOpError()
         << "found a loss without the argument of role 'seed', expected it as "
            "an operand";
}

/// What reads a parameter of layer N says that it belongs to layer N.
LogicalResult VerifyModel::verifyLayerMarks(MicrobatchOp microbatch) {
  SymbolTableCollection tables;
  for (auto get : microbatch.getBody().getOps<GetOp>()) {
    ParameterOp parameter =
        lookupParameter(tables, get, get.getParameterAttr());
    if (!parameter.getLayer())
      continue;
    for (Operation *user : get->getUsers()) {
      auto layer = user->getAttrOfType<IntegerAttr>("layer");
      if (layer && layer.getInt() == int64_t(*parameter.getLayer()))
        continue;
      InFlightDiagnostic error = user->emitOpError();
      error << "found ";
      if (layer)
        error << "layer " << layer.getInt();
      else
        error << "no layer";
      return error << " on a use of '" << parameter.getSymName()
                   << "', expected layer " << *parameter.getLayer();
    }
  }
  return success();
}

LogicalResult VerifyModel::verifyParameters(ModuleOp module,
                                            MicrobatchOp train) {
  llvm::StringMap<unsigned> reads;
  for (auto get : train.getBody().getOps<GetOp>())
    ++reads[get.getParameter()];
  std::map<int64_t, ParameterOp> firstOfLayer;
  for (auto parameter : module.getOps<ParameterOp>()) {
    if (reads.lookup(parameter.getSymName()) == 0)
      return parameter.emitError()
             << "found parameter '" << parameter.getSymName()
             << "' read 0 times in '@" << train.getSymName()
             << "', expected at least once";
    if (!parameter.getLayer() && !parameter.getGroup())
      return parameter.emitError()
             << "found parameter '" << parameter.getSymName()
             << "' with neither layer nor group, expected one of them";
    if (parameter.getLayer())
      firstOfLayer.try_emplace(*parameter.getLayer(), parameter);
  }
  numLayers = 0;
  for (auto [layer, parameter] : firstOfLayer)
    if (layer != numLayers++)
      return parameter.emitError()
             << "found layer " << layer << " after " << numLayers - 1
             << " layers, expected layer " << numLayers - 1;
  return success();
}

/// Each layer ends in one anchored sum, in order.
LogicalResult VerifyModel::verifyResidual(MicrobatchOp train) {
  int64_t ended = 0;
  for (auto add : train.getBody().getOps<AddOp>()) {
    if (!add.getEndOfLayer())
      continue;
    if (int64_t(*add.getEndOfLayer()) != ended)
      return add.emitOpError()
             << "found the end of layer " << *add.getEndOfLayer()
             << ", expected the end of layer " << ended;
    ++ended;
  }
  if (ended == numLayers)
    return success();
  return train.emitOpError()
         << "found " << ended << " ends of layers, expected " << numLayers;
}

// dist-form-buckets: gathers the parameters of each layer into one bucket.
#include "dialects/Pipe/Pipe.h"
#include "passes/Dist/BucketLayout.h"
#include "passes/Dist/BucketUpdates.h"
#include "passes/Dist/Passes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"

namespace llmc::dist {
#define GEN_PASS_DEF_DISTFORMBUCKETS
#include "passes/Dist/Passes.h.inc"
} // namespace llmc::dist

using namespace mlir;
using namespace llmc;
using namespace llmc::dist;

namespace {

struct FormBuckets : llmc::dist::impl::DistFormBucketsBase<FormBuckets> {
  void runOnOperation() override {
    if (failed(formBuckets(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult formBuckets(ModuleOp module);
  void replaceParameters(FuncOp function, BucketOp bucket);
  LogicalResult replaceAccumulates(FuncOp function, BucketOp bucket);
  void replaceAccumulate(nn::AccumulateOp accumulate, Value handle);
  void markFirst(ModuleOp module);

  std::vector<BucketOp> buckets;
};

} // namespace

LogicalResult FormBuckets::formBuckets(ModuleOp module) {
  for (auto bucket : module.getOps<BucketOp>())
    return bucket.emitOpError()
           << "found before buckets are formed, expected none";
  FailureOr<std::vector<BucketOp>> created =
      createBuckets(module, /*shards=*/1);
  if (failed(created))
    return failure();
  buckets = *created;
  for (auto function : module.getOps<FuncOp>()) {
    if (function.getKind() == FragmentKind::update) {
      if (failed(formUpdates(function, buckets)))
        return failure();
      continue;
    }
    for (BucketOp bucket : buckets)
      replaceParameters(function, bucket);
    for (BucketOp bucket : buckets)
      if (failed(replaceAccumulates(function, bucket)))
        return failure();
  }
  markFirst(module);
  return success();
}

/// Arguments that are parameters of the bucket become views of one handle.
void FormBuckets::replaceParameters(FuncOp function, BucketOp bucket) {
  auto asFunction = cast<FunctionOpInterface>(function.getOperation());
  llvm::BitVector replaced(asFunction.getNumArguments());
  SmallVector<Attribute> names;
  SmallVector<Type> types;
  for (unsigned i = 0, e = asFunction.getNumArguments(); i != e; ++i) {
    pipe::SourceAttr source = pipe::getSource(asFunction, i);
    if (!source || source.getKind() != pipe::SourceKind::parameter ||
        !bucket.lookup(source.getName().getValue()))
      continue;
    replaced.set(i);
    names.push_back(FlatSymbolRefAttr::get(source.getName()));
    types.push_back(asFunction.getArgumentTypes()[i]);
  }
  if (names.empty())
    return;
  Value handle = addHandle(function, bucket, Role::parameter);
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  // Views stand in the order of buckets, before everything else.
  while (builder.getInsertionPoint() != builder.getBlock()->end() &&
         isa<ViewOp>(*builder.getInsertionPoint()))
    builder.setInsertionPointAfter(&*builder.getInsertionPoint());
  auto view = ViewOp::create(builder, bucket.getLoc(), types, handle,
                             builder.getArrayAttr(names));
  for (auto [index, tensor] : llvm::zip(replaced.set_bits(), view.getTensors()))
    function.getBody().getArgument(index).replaceAllUsesWith(tensor);
  replaced.resize(asFunction.getNumArguments());
  // Fails for external functions only, and local ones have a body.
  (void)asFunction.eraseArguments(replaced);
}

LogicalResult FormBuckets::replaceAccumulates(FuncOp function,
                                              BucketOp bucket) {
  Value handle;
  for (auto accumulate : llvm::make_early_inc_range(
           function.getBody().getOps<nn::AccumulateOp>())) {
    if (!bucket.lookup(accumulate.getParameter()))
      continue;
    if (function.getKind() != FragmentKind::forward &&
        function.getKind() != FragmentKind::backward)
      return accumulate.emitOpError()
             << "found in a function of kind '"
             << stringifyFragmentKind(function.getKind())
             << "', expected it in a forward or backward one";
    if (!handle)
      handle = addHandle(function, bucket, Role::gradient);
    replaceAccumulate(accumulate, handle);
  }
  return success();
}

/// A contraction with no other use adds to the bucket by itself, where it
/// stands, so that its operands live no longer than before.
void FormBuckets::replaceAccumulate(nn::AccumulateOp accumulate, Value handle) {
  auto contract = accumulate.getValue().getDefiningOp<nn::ContractOp>();
  Operation *replacement;
  if (contract && contract.getWeightGradient() &&
      contract.getResult().hasOneUse()) {
    OpBuilder builder(contract);
    replacement = AccumulateContractOp::create(
        builder, contract.getLoc(), handle, accumulate.getParameterAttr(),
        contract.getLhs(), contract.getRhs(), contract.getIndicesAttr(),
        contract.getAccAttr(), /*first_in_microbatch=*/UnitAttr());
    replacement->setDiscardableAttrs(contract->getDiscardableAttrDictionary());
    accumulate.erase();
    contract.erase();
    return;
  }
  OpBuilder builder(accumulate);
  replacement = AccumulateOp::create(
      builder, accumulate.getLoc(), handle, accumulate.getParameterAttr(),
      accumulate.getValue(), /*first_in_microbatch=*/UnitAttr());
  replacement->setDiscardableAttrs(accumulate->getDiscardableAttrDictionary());
  accumulate.erase();
}

/// A forward of a stage runs before every backward of the stage.
void FormBuckets::markFirst(ModuleOp module) {
  llvm::StringSet<> seen;
  for (FragmentKind kind : {FragmentKind::forward, FragmentKind::backward})
    for (auto function : module.getOps<FuncOp>()) {
      if (function.getKind() != kind)
        continue;
      for (Operation &op : function.getBody().front()) {
        if (auto accumulate = dyn_cast<AccumulateOp>(op))
          accumulate.setFirstInMicrobatch(
              seen.insert(accumulate.getParameter()).second);
        else if (auto contract = dyn_cast<AccumulateContractOp>(op))
          contract.setFirstInMicrobatch(
              seen.insert(contract.getParameter()).second);
      }
    }
}

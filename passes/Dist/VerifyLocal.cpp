// dist-verify-local: checks the programs of one rank as a whole.
#include "dialects/Pipe/Pipe.h"
#include "passes/Dist/Passes.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace llmc::dist {
#define GEN_PASS_DEF_DISTVERIFYLOCAL
#include "passes/Dist/Passes.h.inc"
} // namespace llmc::dist

using namespace mlir;
using namespace llmc;
using namespace llmc::dist;

namespace {

class LocalVerifier {
public:
  LogicalResult verify(ModuleOp module);

private:
  LogicalResult verifyBucket(BucketOp bucket);
  LogicalResult verifyEntry(BucketOp bucket, EntryAttr entry);
  LogicalResult verifyParameters(ModuleOp module);
  LogicalResult verifyFunction(FuncOp function);
  LogicalResult verifyAxes(Operation *op, ArrayAttr axes, int64_t &ranks);
  LogicalResult verifyCollective(Operation *op);
  LogicalResult verifyContributions(ModuleOp module);
  LogicalResult verifyUpdates(ModuleOp module);

  MeshOp mesh;
  SymbolTableCollection tables;
};

struct VerifyLocal : llmc::dist::impl::DistVerifyLocalBase<VerifyLocal> {
  void runOnOperation() override {
    if (failed(LocalVerifier().verify(getOperation())))
      signalPassFailure();
  }
};

} // namespace

LogicalResult LocalVerifier::verify(ModuleOp module) {
  auto meshes = module.getOps<MeshOp>();
  if (!llvm::hasSingleElement(meshes))
    return module.emitError()
           << "found " << llvm::range_size(meshes) << " meshes, expected one";
  mesh = *meshes.begin();
  for (auto bucket : module.getOps<BucketOp>())
    if (failed(verifyBucket(bucket)))
      return failure();
  if (failed(verifyParameters(module)))
    return failure();
  for (auto function : module.getOps<FuncOp>())
    if (failed(verifyFunction(function)))
      return failure();
  if (failed(verifyContributions(module)))
    return failure();
  return verifyUpdates(module);
}

/// Multiplies the numbers of ranks along the axes.
LogicalResult LocalVerifier::verifyAxes(Operation *op, ArrayAttr axes,
                                        int64_t &ranks) {
  ranks = 1;
  for (auto axis : axes.getAsRange<StringAttr>()) {
    std::optional<int64_t> size = mesh.getAxisSize(axis.getValue());
    if (!size)
      return op->emitOpError()
             << "found axis '" << axis.getValue()
             << "', expected one of the mesh '@" << mesh.getSymName() << "'";
    ranks *= *size;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Buckets
//===----------------------------------------------------------------------===//

LogicalResult LocalVerifier::verifyBucket(BucketOp bucket) {
  int64_t ranks = 1;
  if (failed(verifyAxes(bucket, bucket.getShard(), ranks)))
    return failure();
  int64_t shards = bucket.getPadded() / bucket.getShardElements();
  if (shards != ranks)
    return bucket.emitOpError()
           << "found " << shards << " shards, expected " << ranks
           << ", the ranks that it is sharded over";
  for (EntryAttr entry : bucket.entries())
    if (failed(verifyEntry(bucket, entry)))
      return failure();
  return success();
}

/// A rank's part has every dimension of the parameter, or a fraction of it.
LogicalResult LocalVerifier::verifyEntry(BucketOp bucket, EntryAttr entry) {
  auto parameter =
      lookupSymbol<nn::ParameterOp>(bucket, entry.getParameter(), tables);
  if (!parameter)
    return bucket.emitOpError() << "found " << entry.getParameter()
                                << ", expected the name of an 'nn.parameter'";
  RankedTensorType whole = parameter.getTensorType(), part = entry.getType();
  bool isPart = whole.getRank() == part.getRank();
  for (int64_t i = 0; isPart && i < whole.getRank(); ++i)
    isPart = whole.getDimSize(i) % part.getDimSize(i) == 0;
  if (isPart)
    return success();
  return bucket.emitOpError()
         << "found " << part << " for " << entry.getParameter()
         << ", expected a part of " << whole;
}

LogicalResult LocalVerifier::verifyParameters(ModuleOp module) {
  llvm::StringMap<size_t> found, expected;
  for (auto bucket : module.getOps<BucketOp>())
    for (EntryAttr entry : bucket.entries())
      ++found[entry.getParameter().getValue()];
  for (auto program : module.getOps<pipe::ProgramOp>())
    for (auto tied : program.getBody().getOps<pipe::TiedOp>())
      expected[tied.getParameter()] = tied.getStages().size();
  for (auto parameter : module.getOps<nn::ParameterOp>()) {
    StringRef name = parameter.getSymName();
    size_t wanted = expected.try_emplace(name, 1).first->second;
    if (found.lookup(name) != wanted)
      return parameter.emitError()
             << "found parameter '@" << name << "' in " << found.lookup(name)
             << " buckets, expected exactly " << wanted;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult LocalVerifier::verifyFunction(FuncOp function) {
  auto asFunction = cast<FunctionOpInterface>(function.getOperation());
  if (failed(pipe::verifySources(asFunction, function.getStage(), tables)))
    return failure();
  for (Type type : function.getArgumentTypes()) {
    FlatSymbolRefAttr name = getBucketName(type);
    if (name && !lookupSymbol<BucketOp>(function, name, tables))
      return function.emitOpError()
             << "found a handle to " << name << ", expected a 'dist.bucket'";
  }
  WalkResult result = function.walk([&](Operation *op) {
    return failed(verifyCollective(op)) ? WalkResult::interrupt()
                                        : WalkResult::advance();
  });
  return success(!result.wasInterrupted());
}

LogicalResult LocalVerifier::verifyCollective(Operation *op) {
  if (!isa<AllGatherOp, ReduceScatterOp, AllReduceOp, AllReduceInPlaceOp,
           AllGatherInPlaceOp, ReduceScatterInPlaceOp>(op))
    return success();
  int64_t ranks = 1;
  if (failed(verifyAxes(op, op->getAttrOfType<ArrayAttr>("axes"), ranks)))
    return failure();
  if (!isa<AllGatherOp, ReduceScatterOp>(op))
    return success();
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t a = input.getNumElements(), b = result.getNumElements();
  int64_t factor = std::max(a, b) / std::min(a, b);
  bool grows = isa<AllGatherOp>(op) ? b >= a : a >= b;
  if (grows && factor == ranks)
    return success();
  return op->emitOpError() << "found a factor of " << factor
                           << " between the sizes, expected " << ranks
                           << ", the ranks of the group";
}

//===----------------------------------------------------------------------===//
// The step as a whole
//===----------------------------------------------------------------------===//

/// The handle, parameter and mark of a contribution to a gradient.
static std::tuple<Value, StringRef, bool> contributionOf(Operation &op) {
  if (auto accumulate = dyn_cast<AccumulateOp>(op))
    return {accumulate.getBucket(), accumulate.getParameter(),
            accumulate.getFirstInMicrobatch()};
  if (auto contract = dyn_cast<AccumulateContractOp>(op))
    return {contract.getBucket(), contract.getParameter(),
            contract.getFirstInMicrobatch()};
  return {};
}

LogicalResult LocalVerifier::verifyContributions(ModuleOp module) {
  std::set<std::pair<StringRef, StringRef>> seen; // bucket and parameter
  bool hasBackward = false;
  for (FragmentKind kind : {FragmentKind::forward, FragmentKind::backward})
    for (auto function : module.getOps<FuncOp>()) {
      if (function.getKind() != kind)
        continue;
      hasBackward |= kind == FragmentKind::backward;
      for (Operation &op : function.getBody().front()) {
        auto [handle, parameter, isMarked] = contributionOf(op);
        if (!handle)
          continue;
        StringRef bucket = getBucketName(handle.getType()).getValue();
        bool isFirst = seen.insert({bucket, parameter}).second;
        if (isFirst != isMarked)
          return op.emitOpError()
                 << "found " << (isFirst ? "the first" : "a later")
                 << " contribution to '@" << parameter << "' "
                 << (isMarked ? "with" : "without")
                 << " 'first_in_microbatch', expected it on the first only";
      }
    }
  if (!hasBackward)
    return success();
  for (auto bucket : module.getOps<BucketOp>())
    for (EntryAttr entry : bucket.entries())
      if (!seen.count({bucket.getSymName(), entry.getParameter().getValue()}))
        return bucket.emitOpError()
               << "found no contribution to " << entry.getParameter()
               << ", expected at least one";
  return success();
}

LogicalResult LocalVerifier::verifyUpdates(ModuleOp module) {
  llvm::StringMap<unsigned> updated, counted; // buckets; parameters
  bool hasUpdate = false, hasNorm = false;
  for (auto function : module.getOps<FuncOp>()) {
    hasUpdate |= function.getKind() == FragmentKind::update;
    function.walk([&](Operation *op) {
      if (isa<AdamwOp, SgdOp>(op))
        ++updated[getBucketName(op->getOperand(0).getType()).getValue()];
      auto norm = dyn_cast<NormSquaredOp>(op);
      if (!norm)
        return;
      hasNorm = true;
      for (Type type : norm.getGradients().getTypes()) {
        auto bucket = lookupSymbol<BucketOp>(op, getBucketName(type), tables);
        for (EntryAttr entry : bucket.entries())
          ++counted[entry.getParameter().getValue()];
      }
    });
  }
  for (auto bucket : module.getOps<BucketOp>())
    if (unsigned count = updated.lookup(bucket.getSymName());
        hasUpdate && count != 1)
      return bucket.emitOpError()
             << "found " << count << " updates, expected exactly 1";
  for (auto parameter : module.getOps<nn::ParameterOp>())
    if (unsigned count = counted.lookup(parameter.getSymName());
        hasNorm && count != 1)
      return parameter.emitError()
             << "found parameter '@" << parameter.getSymName() << "' counted "
             << count << " times in the norm, expected exactly once";
  return success();
}

// Which parameters share a bucket, and where each lies in it.
#include "passes/Dist/BucketLayout.h"
#include "test/faults/Fault.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::dist;

namespace {

struct Group {
  std::string name;
  std::vector<nn::ParameterOp> parameters;
};

} // namespace

static std::string groupOf(nn::ParameterOp parameter) {
  if (parameter.getLayer())
    return "l" + std::to_string(*parameter.getLayer());
  if (parameter.getGroup())
    return parameter.getGroup()->str();
  return parameter.getSymName().str();
}

static std::vector<Group> collectGroups(ModuleOp module) {
  std::vector<Group> groups;
  for (auto parameter : module.getOps<nn::ParameterOp>()) {
    std::string name = groupOf(parameter);
    auto group = llvm::find_if(
        groups, [&](const Group &known) { return known.name == name; });
    if (group == groups.end())
      group = groups.insert(groups.end(), {name, {}});
    group->parameters.push_back(parameter);
  }
  for (Group &group : groups)
    std::stable_partition(
        group.parameters.begin(), group.parameters.end(),
        [](nn::ParameterOp parameter) { return parameter.getDecay(); });
  return groups;
}

/// A parameter may have the name of its group.
static std::string freeName(ModuleOp module, std::string name) {
  while (module.lookupSymbol(name))
    name += ".bucket";
  return name;
}

/// `number` rounded up to a multiple; nothing if that does not fit.
static std::optional<int64_t> roundUp(int64_t number, int64_t multiple) {
  int64_t sum = 0;
  if (llvm::AddOverflow(number, multiple - 1, sum))
    return std::nullopt;
  return sum / multiple * multiple;
}

static FailureOr<BucketOp> createBucket(ModuleOp module, const Group &group,
                                        int64_t shards, OpBuilder &builder) {
  SmallVector<Attribute> entries;
  int64_t end = 0;
  std::optional<int64_t> firstUndecayed;
  SmallVector<Location> locs;
  for (nn::ParameterOp parameter : group.parameters) {
    std::optional<int64_t> size = countElements(parameter.getTensorType());
    std::optional<int64_t> offset = roundUp(end, BucketOp::kAlignment);
    if (!size || !offset || llvm::AddOverflow(*offset, *size, end))
      return parameter.emitError()
             << "found bucket '" << group.name
             << "' with more than 2^63 elements, expected a smaller one";
    if (LLMC_FAULT("buckets-overlap") && *offset > 0)
      *offset -= BucketOp::kAlignment;
    bool decays = parameter.getDecay() || LLMC_FAULT("buckets-decay-all");
    if (!decays && !firstUndecayed)
      firstUndecayed = *offset;
    entries.push_back(EntryAttr::get(module.getContext(),
                                     FlatSymbolRefAttr::get(parameter),
                                     parameter.getTensorType(), *offset));
    locs.push_back(parameter.getLoc());
  }
  std::optional<int64_t> padded = roundUp(end, shards * BucketOp::kAlignment);
  if (!padded)
    return emitError(locs.front())
           << "found bucket '" << group.name
           << "' with more than 2^63 elements, expected a smaller one";
  return BucketOp::create(
      builder, builder.getFusedLoc(locs), freeName(module, group.name),
      builder.getArrayAttr({}), end, *padded, *padded / shards,
      firstUndecayed.value_or(end), /*replicated_over_tp_from=*/end,
      builder.getArrayAttr(entries), "flat");
}

FailureOr<std::vector<BucketOp>> dist::createBuckets(ModuleOp module,
                                                     int64_t shards) {
  OpBuilder builder(module.getContext());
  for (auto parameter : module.getOps<nn::ParameterOp>())
    builder.setInsertionPointAfter(parameter);
  std::vector<BucketOp> buckets;
  for (const Group &group : collectGroups(module)) {
    FailureOr<BucketOp> bucket = createBucket(module, group, shards, builder);
    if (failed(bucket))
      return failure();
    buckets.push_back(*bucket);
  }
  return buckets;
}

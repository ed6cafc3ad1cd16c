// Storage of buckets, from and to global tensors.
#include "codegen/Reference/BucketStore.h"

#include <limits>

namespace llmc::reference {
namespace {

using mlir::FailureOr;
using mlir::LogicalResult;

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

bool holdsParameters(dist::Role role) {
  return role == dist::Role::parameter || role == dist::Role::compute ||
         role == dist::Role::master;
}

std::vector<std::string> namesOf(mlir::ArrayAttr axes) {
  std::vector<std::string> names;
  for (auto axis : axes.getAsRange<mlir::StringAttr>())
    names.push_back(axis.str());
  return names;
}

} // namespace

dist::BucketOp BucketStore::bucketNamed(mlir::FlatSymbolRefAttr name) {
  return module.lookupSymbol<dist::BucketOp>(name);
}

int64_t BucketStore::shardOf(int64_t rank, dist::BucketOp bucket) const {
  return mesh.jointCoordinate(rank, namesOf(bucket.getShard()));
}

FailureOr<nn::ParameterOp> BucketStore::parameterOf(dist::BucketOp bucket,
                                                    dist::EntryAttr entry) {
  auto parameter =
      module.lookupSymbol<nn::ParameterOp>(entry.getParameter().getAttr());
  if (!parameter)
    return bucket.emitOpError() << "holds " << entry.getParameter()
                                << ", which is no parameter of the module";
  return parameter;
}

FailureOr<Part> BucketStore::partOf(int64_t rank, dist::BucketOp bucket,
                                    dist::EntryAttr entry) {
  FailureOr<nn::ParameterOp> parameter = parameterOf(bucket, entry);
  if (mlir::failed(parameter))
    return mlir::failure();
  std::vector<std::string> axes = mesh.modelAxes();
  Part part;
  for (auto [whole, local] : llvm::zip(parameter->getTensorType().getShape(),
                                       entry.getType().getShape())) {
    if (whole != local && whole != local * mesh.jointSize(axes))
      return bucket.emitOpError()
             << "holds " << entry.getType() << " of " << entry.getParameter()
             << ", which is no even part of " << parameter->getTensorType();
    part.start.push_back(
        whole == local ? 0 : mesh.jointCoordinate(rank, axes) * local);
    part.shape.push_back(local);
  }
  return part;
}

LogicalResult BucketStore::load(int64_t rank, dist::BucketOp bucket,
                                std::vector<double> &data,
                                const State &initial) {
  for (dist::EntryAttr entry : bucket.entries()) {
    FailureOr<Part> part = partOf(rank, bucket, entry);
    auto it = initial.parameters.find(entry.getParameter().getValue().str());
    if (mlir::failed(part))
      return mlir::failure();
    if (it == initial.parameters.end())
      return bucket.emitOpError()
             << "parameter " << entry.getParameter() << " has no value";
    Value value = slice(it->second, *part);
    llvm::copy(value.data, data.begin() + entry.getOffset());
  }
  return mlir::success();
}

LogicalResult BucketStore::add(int64_t rank, mlir::Type handle,
                               const State &initial) {
  mlir::FlatSymbolRefAttr name = dist::getBucketName(handle);
  dist::Role role = dist::getRole(handle);
  auto [it, isNew] = roles[{name.getValue().str(), role}].try_emplace(rank);
  if (!isNew)
    return mlir::success();
  dist::BucketOp bucket = bucketNamed(name);
  it->second.assign(bucket.getPadded(), 0.0);
  return holdsParameters(role) ? load(rank, bucket, it->second, initial)
                               : mlir::success();
}

void BucketStore::poisonGradients() {
  for (auto &[key, ranks] : roles) {
    if (key.second != dist::Role::gradient)
      continue;
    auto bucket = module.lookupSymbol<dist::BucketOp>(key.first);
    for (auto &[rank, data] : ranks) {
      llvm::fill(data, 0.0);
      for (dist::EntryAttr entry : bucket.entries())
        std::fill(data.begin() + entry.getOffset(),
                  data.begin() + entry.getEnd(), notANumber);
    }
  }
}

BucketRange BucketStore::rangeOf(int64_t rank, mlir::Type handle) {
  mlir::FlatSymbolRefAttr name = dist::getBucketName(handle);
  dist::BucketOp bucket = bucketNamed(name);
  std::vector<double> &data =
      roles[{name.getValue().str(), dist::getRole(handle)}][rank];
  if (llvm::isa<dist::BucketType>(handle))
    return {bucket, &data, 0, static_cast<int64_t>(bucket.getPadded())};
  int64_t size = bucket.getShardElements();
  int64_t begin = shardOf(rank, bucket) * size;
  return {bucket, &data, begin, begin + size};
}

LogicalResult BucketStore::assembleRole(int64_t rank, const Key &key,
                                        const std::vector<double> &data,
                                        State &state) {
  auto bucket = module.lookupSymbol<dist::BucketOp>(key.first);
  bool isGradient = key.second == dist::Role::gradient;
  auto &values = isGradient ? state.gradients : state.parameters;
  int64_t shardSize = bucket.getShardElements(), shard = shardOf(rank, bucket);
  for (dist::EntryAttr entry : bucket.entries()) {
    FailureOr<nn::ParameterOp> parameter = parameterOf(bucket, entry);
    FailureOr<Part> part = partOf(rank, bucket, entry);
    if (mlir::failed(part) || mlir::failed(parameter))
      return mlir::failure();
    auto [it, isNew] =
        values.try_emplace(entry.getParameter().getValue().str());
    Value &whole = it->second;
    if (isNew) {
      whole = Value::zeros(parameter->getType());
      llvm::fill(whole.data, notANumber);
    }
    for (int64_t i = 0; i < entry.getType().getNumElements(); ++i) {
      int64_t at = entry.getOffset() + i;
      // A gradient counts on the rank whose shard it is in: the other copies
      // may be terms of a sum.
      if (isGradient && at / shardSize != shard)
        continue;
      double &element = whole[globalIndex(whole.shape, *part, i)];
      if (element == element && element != data[at])
        return bucket.emitOpError()
               << "ranks disagree about " << entry.getParameter() << ": "
               << element << " and, on rank " << rank << ", " << data[at];
      element = data[at];
    }
  }
  return mlir::success();
}

LogicalResult BucketStore::assemble(State &state) {
  for (const auto &[key, ranks] : roles) {
    // Where there is a master, the compute copy is only its rounded image.
    bool wanted = key.second == dist::Role::parameter ||
                  key.second == dist::Role::gradient ||
                  key.second == dist::Role::master ||
                  (key.second == dist::Role::compute &&
                   !roles.count({key.first, dist::Role::master}));
    if (!wanted)
      continue;
    for (const auto &[rank, data] : ranks)
      if (mlir::failed(assembleRole(rank, key, data, state)))
        return mlir::failure();
  }
  return mlir::success();
}

} // namespace llmc::reference

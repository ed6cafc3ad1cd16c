// The buckets of all simulated ranks.
#ifndef LLMC_CODEGEN_REFERENCE_BUCKETSTORE_H
#define LLMC_CODEGEN_REFERENCE_BUCKETSTORE_H

#include "codegen/Reference/Mesh.h"
#include "codegen/Reference/State.h"
#include "dialects/Dist/Dist.h"
#include "mlir/IR/BuiltinOps.h"

namespace llmc::reference {

/// Elements of one role of a bucket on one rank: all, or the rank's shard.
struct BucketRange {
  dist::BucketOp bucket;
  /// All elements of the role on this rank.
  std::vector<double> *data;
  int64_t begin, end;

  llvm::MutableArrayRef<double> elements() const {
    return llvm::MutableArrayRef<double>(*data).slice(begin, end - begin);
  }
};

class BucketStore {
public:
  BucketStore(mlir::ModuleOp module, Mesh mesh)
      : module(module), mesh(std::move(mesh)) {}

  /// Makes the role of a handle type exist on a rank; parameters take their
  /// values from `initial`.
  mlir::LogicalResult add(int64_t rank, mlir::Type handle,
                          const State &initial);

  /// Fills gradients with NaN, so that a read before the first contribution of
  /// a step shows, and their padding with zeros.
  void poisonGradients();

  /// What a handle type means on a rank. It was added before.
  BucketRange rangeOf(int64_t rank, mlir::Type handle);
  /// Which shard of the bucket is the rank's.
  int64_t shardOf(int64_t rank, dist::BucketOp bucket) const;
  dist::BucketOp bucketNamed(mlir::FlatSymbolRefAttr name);

  /// Adds the parameters and gradients of all buckets to a global state.
  /// Reports copies of a parameter that differ between ranks.
  mlir::LogicalResult assemble(State &state);

private:
  using Key = std::pair<std::string, dist::Role>;

  mlir::FailureOr<nn::ParameterOp> parameterOf(dist::BucketOp bucket,
                                               dist::EntryAttr entry);
  mlir::FailureOr<Part> partOf(int64_t rank, dist::BucketOp bucket,
                               dist::EntryAttr entry);
  mlir::LogicalResult load(int64_t rank, dist::BucketOp bucket,
                           std::vector<double> &data, const State &initial);
  mlir::LogicalResult assembleRole(int64_t rank, const Key &key,
                                   const std::vector<double> &data,
                                   State &state);

  mlir::ModuleOp module;
  Mesh mesh;
  /// By bucket and role, then by rank.
  std::map<Key, std::map<int64_t, std::vector<double>>> roles;
};

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_BUCKETSTORE_H

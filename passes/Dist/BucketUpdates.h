// The update of a step on buckets instead of single parameters.
#ifndef LLMC_PASSES_DIST_BUCKETUPDATES_H
#define LLMC_PASSES_DIST_BUCKETUPDATES_H

#include "dialects/Dist/Dist.h"

namespace llmc::dist {

/// Appends an argument that is a handle to one role of a bucket.
mlir::Value addHandle(FuncOp function, BucketOp bucket, Role role);

/// Replaces the updates of all parameters of a bucket by one, and the norm
/// over all parameters by one over all buckets. Every bucket must be updated.
llvm::LogicalResult formUpdates(FuncOp function,
                                llvm::ArrayRef<BucketOp> buckets);

} // namespace llmc::dist

#endif // LLMC_PASSES_DIST_BUCKETUPDATES_H

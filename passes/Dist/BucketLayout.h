// Which parameters share a bucket, and where each lies in it.
#ifndef LLMC_PASSES_DIST_BUCKETLAYOUT_H
#define LLMC_PASSES_DIST_BUCKETLAYOUT_H

#include "dialects/Dist/Dist.h"

namespace llmc::dist {

/// Creates one bucket for each layer and each group of parameters without a
/// layer, in the order of their first parameters, after the last parameter.
/// The numbers are those of `shards` shards.
llvm::FailureOr<std::vector<BucketOp>> createBuckets(mlir::ModuleOp module,
                                                     int64_t shards);

} // namespace llmc::dist

#endif // LLMC_PASSES_DIST_BUCKETLAYOUT_H

// The parallel dimension of each kind of kernel.
#ifndef LLMC_CODEGEN_CPU_KERNELEXTENT_H
#define LLMC_CODEGEN_CPU_KERNELEXTENT_H

#include "codegen/Linalg/KernelShape.h"

namespace llmc::codegen {

/// Columns of one step of a column reduction, and of a scattered gradient.
constexpr int64_t kColumnChunk = 128;
constexpr int64_t kScatterChunk = 64;
/// Elements of one step of an update and of a fill.
constexpr int64_t kUpdateBlock = 4096;
constexpr int64_t kFillBlock = 16384;
/// Query rows of one step of attention, and keys seen at a time.
constexpr int64_t kQueryBlock = 64;
constexpr int64_t kKeyBlock = 64;

/// The size of the parallel dimension of `kernel`; an error when it has no
/// lowering.
mlir::FailureOr<int64_t> getKernelExtent(exec::KernelOp kernel);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_CPU_KERNELEXTENT_H

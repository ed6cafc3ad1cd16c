// How the body of a kernel walks its tensors.
#ifndef LLMC_CODEGEN_LINALG_KERNELSHAPE_H
#define LLMC_CODEGEN_LINALG_KERNELSHAPE_H

#include "dialects/Exec/Exec.h"
#include "dialects/Nn/Nn.h"

namespace llmc::codegen {

/// What kind of code a kernel becomes.
enum class KernelForm {
  /// Elementwise ops and row reductions: parallel over rows.
  Rows,
  /// Column reductions and elementwise ops: parallel over columns.
  Columns,
  /// No op but constants: memory is filled.
  Fill,
  /// One root op.
  Root,
};

struct KernelShape {
  KernelForm form = KernelForm::Root;
  /// Number of leading dimensions that count rows (Rows and Columns).
  int64_t rowRank = 0;
  /// The root op (Root).
  mlir::Operation *root = nullptr;
};

/// The shape of `kernel`; an error says which op does not fit in one kernel.
mlir::FailureOr<KernelShape> getKernelShape(exec::KernelOp kernel);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_LINALG_KERNELSHAPE_H

// A contraction as one matrix product with strides.
#ifndef LLMC_PASSES_EXEC_MATMULSHAPE_H
#define LLMC_PASSES_EXEC_MATMULSHAPE_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>

namespace llmc::exec {

/// out[m, n] = sum over k of lhs[m, k] * rhs[k, n]; strides in elements; `out`
/// is dense. With `swapped` the contraction's rhs is the product's lhs.
struct MatmulShape {
  int64_t m = 1, n = 1, k = 1;
  std::array<int64_t, 2> lhsStrides{}; // by (m, k)
  std::array<int64_t, 2> rhsStrides{}; // by (k, n)
  bool swapped = false;
};

/// Collapses the letters of `indices` ("tbc,fc->tbf") into m, n and k. Nothing
/// when a letter is in all three terms or a group does not collapse.
std::optional<MatmulShape> matmulShape(llvm::StringRef indices,
                                       mlir::RankedTensorType lhs,
                                       mlir::RankedTensorType rhs);

} // namespace llmc::exec

#endif // LLMC_PASSES_EXEC_MATMULSHAPE_H

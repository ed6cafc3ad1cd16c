// Products and copies of small blocks that lie in the frame or in the cache.
#ifndef LLMC_CODEGEN_CPU_BLOCK_H
#define LLMC_CODEGEN_CPU_BLOCK_H

#include "codegen/Cpu/Code.h"

namespace llmc::codegen {

/// Where the rows of a matrix begin in flat memory.
using RowOffset = llvm::function_ref<mlir::Value(mlir::Value row)>;

/// out[m][n] = initial + sum over k of left[m][k] * right[k][n].
struct BlockProduct {
  int64_t m, n, k;
  /// Scalars: element k of row m lies `leftStride` * k after its start.
  mlir::Value left;
  RowOffset leftRow;
  int64_t leftStride;
  /// Dense rows of n.
  mlir::Value right;
  /// The value that the sum starts from.
  llvm::function_ref<mlir::Value(mlir::Value m, mlir::Value n, int64_t length)>
      initial;
  llvm::function_ref<void(mlir::Value m, mlir::Value n, mlir::Value sum)> store;
};

void emitProduct(Code &code, const BlockProduct &product);

/// Copies `rows` rows of `width` to dense memory, times a factor.
void emitPack(Code &code, mlir::Value to, mlir::Value from, RowOffset fromRow,
              int64_t rows, int64_t width, double factor = 1.0);

/// Likewise, but column d of the source becomes row d: `to` is [width][rows].
void emitPackTransposed(Code &code, mlir::Value to, mlir::Value from,
                        RowOffset fromRow, int64_t rows, int64_t width,
                        double factor = 1.0);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_CPU_BLOCK_H

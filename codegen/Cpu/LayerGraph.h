// A function of linalg generics, seen as values per row and column.
#ifndef LLMC_CODEGEN_CPU_LAYERGRAPH_H
#define LLMC_CODEGEN_CPU_LAYERGRAPH_H

#include "codegen/Cpu/Frame.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace llmc::codegen {

/// The trailing dimensions of a kernel: one range of columns, or, when an
/// operand is read at another place of the last dimension, that dimension cut
/// into equal parts that are walked together.
struct Columns {
  llvm::SmallVector<int64_t> outer;
  int64_t count = 1;
  int64_t parts = 1;
};

/// A place in the trailing dimensions.
struct Point {
  Code::Values outer;
  mlir::Value column;
  int64_t shift = 0;
  int64_t length = 0;
};

/// Emits values of a function on tensors where they are read: a producer is
/// computed again by each of its readers, so nothing is stored in between.
class LayerGraph {
public:
  LayerGraph(mlir::func::FuncOp function, Code &code, const Frame &frame);

  /// Checks that every generic has a form that this class can emit.
  mlir::LogicalResult verify();

  int64_t rows() const { return rowCount; }
  const Columns &columns() const { return layout; }
  bool usesExponentials() const { return exponentials; }
  llvm::ArrayRef<mlir::linalg::GenericOp> generics() const { return order; }
  mlir::ValueRange returned() const;

  /// Reductions of one row or one column?
  static bool isReduction(mlir::linalg::GenericOp op);
  /// One value per row?
  bool isPerRow(mlir::Value tensor) const;
  /// How many row reductions a value waits for.
  int64_t levelOf(mlir::Value tensor) const { return levels.lookup(tensor); }

  /// Starts a row: loads the arguments that have one value per row.
  void beginRow(mlir::Value row);
  /// Gives a value of the row its number.
  void setRowValue(mlir::Value tensor, mlir::Value scalar) {
    rowValues[tensor] = scalar;
  }
  mlir::Value rowValue(mlir::Value tensor) const {
    return rowValues.lookup(tensor);
  }
  /// Starts a place: forgets what was computed for others.
  void beginPoints() { computed.clear(); }
  /// The elements of `tensor` at `point`.
  mlir::Value evaluate(mlir::Value tensor, const Point &point);
  /// The body of `op` at `point`; `accumulator` is what a reduction adds to.
  mlir::Value evaluateBody(mlir::linalg::GenericOp op, const Point &point,
                           mlir::Value accumulator);
  /// The offset of row and point in a tensor of all dimensions.
  mlir::Value offsetOf(mlir::Value row, const Point &point);

private:
  mlir::Value read(mlir::linalg::GenericOp op, unsigned input,
                   const Point &point);
  mlir::Value loadOperand(mlir::Value tensor, mlir::AffineMap map,
                          const Point &point);
  mlir::Value memoryOf(mlir::Value tensor);
  bool isPerRow(mlir::AffineMap map) const;
  int64_t shiftOf(mlir::AffineExpr expr, const Point &point) const;
  mlir::LogicalResult verifyMap(mlir::linalg::GenericOp op, mlir::Value tensor,
                                mlir::AffineMap map);
  void layOut();

  mlir::func::FuncOp function;
  Code &code;
  const Frame &frame;
  int64_t rowRank;
  int64_t rowCount = 1;
  llvm::SmallVector<int64_t> rowShape;
  Columns layout;
  bool exponentials = false;
  llvm::SmallVector<mlir::linalg::GenericOp> order;
  llvm::DenseMap<mlir::Value, int64_t> levels;
  mlir::Value currentRow;
  llvm::DenseMap<mlir::Value, mlir::Value> rowValues;
  llvm::DenseMap<std::pair<mlir::Value, mlir::AffineMap>, mlir::Value>
      rowArguments;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> computed;
  llvm::DenseMap<mlir::Value, mlir::Value> constants;
};

/// Emits the loops of a kernel over rows or over columns.
mlir::LogicalResult emitRowKernel(mlir::func::FuncOp function, Code &code,
                                  const Frame &frame);
mlir::LogicalResult emitColumnKernel(mlir::func::FuncOp function, Code &code,
                                     const Frame &frame);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_CPU_LAYERGRAPH_H

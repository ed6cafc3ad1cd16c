// The function that a kernel becomes, and its memory.
#ifndef LLMC_CODEGEN_CPU_FRAME_H
#define LLMC_CODEGEN_CPU_FRAME_H

#include "codegen/Cpu/Code.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace llmc::codegen {

/// A function on flat memory under construction.
struct Frame {
  mlir::func::FuncOp function;
  Code::Values arguments, results;
  mlir::Value begin, end;
  llvm::SmallVector<bool> accumulate;

  /// Writes `value` to result `number`, or adds it when that accumulates. A
  /// result that nobody reads has no memory: then nothing happens.
  void write(Code &code, unsigned number, mlir::Value value,
             mlir::Value offset) const;
};

/// What a frame is made for.
struct FrameSignature {
  llvm::StringRef name;
  mlir::FunctionType type;
  llvm::ArrayRef<bool> accumulate;
  llvm::ArrayRef<int64_t> aliases;
};

/// Makes `func.func @name(arguments, results, begin, end)` at the builder's
/// position, which moves into its body. Pointers that share no memory with
/// another are marked so.
Frame makeFrame(mlir::OpBuilder &builder, mlir::Location loc,
                const FrameSignature &signature);

/// The number of elements of a tensor; 1 for a scalar.
int64_t elementsOf(mlir::Type type);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_CPU_FRAME_H

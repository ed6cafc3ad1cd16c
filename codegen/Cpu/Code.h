// Short forms for emitting loops and vector arithmetic of a kernel.
#ifndef LLMC_CODEGEN_CPU_CODE_H
#define LLMC_CODEGEN_CPU_CODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

namespace llmc::codegen {

/// What the machine's vector unit is like.
struct VectorShape {
  /// float32 elements of one register.
  int64_t lanes = 16;
};

/// Emits code at a builder's position. A "length" of 0 means a scalar, another
/// length a vector; tails of arrays are vectors of odd lengths, which LLVM
/// splits. Memory is flat: a memref of rank 1 and an element offset. Floating
/// point may be contracted; nothing else is assumed about it, since infinities
/// and NaN must survive.
struct Code {
  mlir::OpBuilder &b;
  mlir::Location loc;
  VectorShape target;

  using Value = mlir::Value;
  using Values = llvm::SmallVector<mlir::Value>;
  using LoopBody = llvm::function_ref<void(Value iv)>;
  using ReduceBody =
      llvm::function_ref<Values(Value iv, mlir::ValueRange carried)>;

  // Types and constants.
  static int64_t lengthOf(Value v);
  mlir::Type withLength(mlir::Type element, int64_t length);
  Value index(int64_t value);
  Value integer(mlir::Type type, int64_t value);
  /// A float constant of the type of `like`.
  Value constant(Value like, double value);
  Value f32(double value, int64_t length = 0);
  Value f64(double value, int64_t length = 0);
  /// An i32 constant.
  Value i32(int64_t value, int64_t length = 0);
  Value broadcast(Value scalar, int64_t length);

  // Floating point.
  Value add(Value a, Value c);
  Value sub(Value a, Value c);
  Value mul(Value a, Value c);
  Value div(Value a, Value c);
  /// a c + d, in one instruction where the machine has one.
  Value fma(Value a, Value c, Value d);
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value c);
  /// The greater one; the second when either is NaN.
  Value max(Value a, Value c);
  Value min(Value a, Value c);
  Value select(Value condition, Value a, Value c);
  Value exp2(Value a);
  Value log(Value a);
  Value sqrt(Value a);
  /// The sum of the elements of a vector, in the order of a tree.
  Value sumElements(Value vector);
  Value maxElement(Value vector);
  Value extend(Value a);   // f32 to f64
  Value truncate(Value a); // f64 to f32

  // Index and integer arithmetic.
  Value addi(Value a, Value c);
  Value addi(Value a, int64_t c);
  Value subi(Value a, Value c);
  Value muli(Value a, int64_t c);
  Value muli(Value a, Value c);
  Value divi(Value a, int64_t c);
  Value remi(Value a, int64_t c);
  Value mini(Value a, Value c);
  Value maxi(Value a, Value c);
  Value comparei(mlir::arith::CmpIPredicate predicate, Value a, Value c);
  Value both(Value a, Value c);
  Value either(Value a, Value c);
  Value toIndex(Value integer);
  Value toI32(Value index);
  /// start, start + 1, ...: a vector of i32.
  Value steps(Value start, int64_t length);

  // Memory.
  Value load(Value memory, Value offset, int64_t length = 0);
  void store(Value value, Value memory, Value offset);
  /// Memory of the function's frame, allocated once a call.
  Value stack(int64_t elements, mlir::Type type = {});
  /// The only element of `memory`; a byte counts as a truth value.
  Value scalar(Value memory);

  // Control.
  void loop(Value from, Value to, int64_t step, LoopBody body);
  Values reduce(Value from, Value to, int64_t step, Values init,
                ReduceBody body);
  void when(Value condition, llvm::function_ref<void()> then,
            llvm::function_ref<void()> otherwise = nullptr);
  /// Calls `body` with vectors that cover `count` elements: a loop over whole
  /// vectors of `length`, then one shorter vector.
  void columns(int64_t count, int64_t length,
               llvm::function_ref<void(Value offset, int64_t length)> body);
  /// Calls `body` for blocks [begin, end) of `block` elements of an array of
  /// `count`: offset and length of each vector.
  void blocks(Value begin, Value end, int64_t count, int64_t block,
              int64_t length,
              llvm::function_ref<void(Value offset, int64_t length)> body);
  /// Register-wide unrolled vectors: `registers` of them, at most `count`.
  int64_t vectorLength(int64_t registers, int64_t count) const {
    return std::min(registers * target.lanes, count);
  }
};

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_CPU_CODE_H

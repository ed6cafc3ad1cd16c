// Softmax cross-entropy, one row at a time.
#include "codegen/Cpu/RootKernels.h"
#include "test/faults/Fault.h"
#include <cmath>

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

namespace {

/// A row's passes: its maximum; its exponentials, which go where the gradient
/// will be, and their sum; the gradient. The gradient may lie where the
/// logits do.
struct LossRow {
  Code &code;
  const Frame &frame;
  int64_t vocabulary;
  Value start;
  /// An evaluation wants the losses alone.
  bool hasGradient;

  Value logits(Value column, int64_t length) {
    return code.load(frame.arguments[0], code.addi(start, column), length);
  }
  /// Folds the row into one scalar; `combine` of vectors, `finish` to scalars.
  Value fold(int64_t registers, double initial,
             llvm::function_ref<Value(Value, int64_t, Value)> combine,
             llvm::function_ref<Value(Value)> finish,
             llvm::function_ref<Value(Value, Value)> join);
  Value maximum();
  Value sumExponentials(Value maximum);
  void emitCounted(Value row, Value label);
  void emitIgnored(Value row);
};

} // namespace

Value LossRow::fold(int64_t registers, double initial,
                    llvm::function_ref<Value(Value, int64_t, Value)> combine,
                    llvm::function_ref<Value(Value)> finish,
                    llvm::function_ref<Value(Value, Value)> join) {
  int64_t length = code.vectorLength(registers, vocabulary);
  int64_t whole = vocabulary / length * length;
  auto vectors = code.reduce(
      code.index(0), code.index(whole), length, {code.f32(initial, length)},
      [&](Value column, ValueRange carried) -> Code::Values {
        return {combine(column, length, carried[0])};
      });
  Value result = finish(vectors[0]);
  if (int64_t rest = vocabulary - whole) {
    Value tail = combine(code.index(whole), rest, code.f32(initial, rest));
    result = join(result, finish(tail));
  }
  return result;
}

Value LossRow::maximum() {
  return fold(
      8, -std::numeric_limits<double>::infinity(),
      [&](Value column, int64_t length, Value before) {
        return code.max(logits(column, length), before);
      },
      [&](Value v) { return code.maxElement(v); },
      [&](Value a, Value b) { return code.max(a, b); });
}

/// Of differences from the maximum, which lie in the gradient's row after.
Value LossRow::sumExponentials(Value maximum) {
  return fold(
      4, 0.0,
      [&](Value column, int64_t length, Value before) {
        Value x =
            code.sub(logits(column, length), code.broadcast(maximum, length));
        Value e =
            code.exp2(code.mul(x, code.f32(std::log2(std::exp(1.0)), length)));
        frame.write(code, 1, e, code.addi(start, column));
        return code.add(before, e);
      },
      [&](Value v) { return code.sumElements(v); },
      [&](Value a, Value b) { return code.add(a, b); });
}

void LossRow::emitCounted(Value row, Value label) {
  Value target = code.addi(start, code.toIndex(label));
  Value wanted = code.load(frame.arguments[0], target);
  Value highest = maximum();
  Value sum = sumExponentials(highest);
  Value loss = code.sub(code.add(highest, code.log(sum)), wanted);
  frame.write(code, 0, loss, row);
  if (!hasGradient)
    return;
  Value seed = code.scalar(frame.arguments[2]);
  Value scale = code.div(seed, sum);
  code.columns(vocabulary, code.vectorLength(4, vocabulary),
               [&](Value column, int64_t length) {
                 Value at = code.addi(start, column);
                 Value e = code.load(frame.results[1], at, length);
                 code.store(code.mul(e, code.broadcast(scale, length)),
                            frame.results[1], at);
               });
  Value probable = code.load(frame.results[1], target);
  code.store(code.sub(probable, seed), frame.results[1], target);
}

void LossRow::emitIgnored(Value row) {
  frame.write(code, 0, code.f32(0.0), row);
  code.columns(vocabulary, code.vectorLength(4, vocabulary),
               [&](Value column, int64_t length) {
                 frame.write(code, 1, code.f32(0.0, length),
                             code.addi(start, column));
               });
}

void codegen::emitKernel(nn::SoftmaxCrossEntropyOp op, Code &code,
                         const Frame &frame) {
  auto type = cast<RankedTensorType>(op.getLogits().getType());
  int64_t vocabulary = type.getShape().back();
  code.loop(frame.begin, frame.end, 1, [&](Value row) {
    LossRow emit{code, frame, vocabulary, code.muli(row, vocabulary),
                 frame.results[1] != nullptr};
    Value label = code.load(frame.arguments[1], row);
    if (LLMC_FAULT("loss-counts-ignored"))
      label = code.maxi(label, code.i32(0));
    Value counts = code.comparei(arith::CmpIPredicate::sge, label, code.i32(0));
    code.when(
        counts, [&] { emit.emitCounted(row, label); },
        [&] { emit.emitIgnored(row); });
  });
}

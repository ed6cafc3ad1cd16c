// Embedding tables, learned positions and document borders.
#include "codegen/Cpu/KernelExtent.h"
#include "codegen/Cpu/RootKernels.h"
#include "test/faults/Fault.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

void codegen::emitFill(exec::KernelOp kernel, Code &code, const Frame &frame) {
  Operation *ret = kernel.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(ret->getOperands())) {
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    double filling =
        splat ? splat.getSplatValue<APFloat>().convertToDouble()
              : cast<FloatAttr>(constant.getValue()).getValueAsDouble();
    int64_t count = elementsOf(value.getType());
    code.blocks(frame.begin, frame.end, count, kFillBlock,
                code.vectorLength(4, count), [&](Value offset, int64_t length) {
                  frame.write(code, i, code.f32(filling, length), offset);
                });
  }
}

void codegen::emitKernel(nn::EmbeddingOp op, Code &code, const Frame &frame) {
  int64_t width = shapeOf(op.getTable()).back();
  code.loop(frame.begin, frame.end, 1, [&](Value row) {
    Value token = code.toIndex(code.load(frame.arguments[0], row));
    Value from = code.muli(token, width), to = code.muli(row, width);
    code.columns(
        width, code.vectorLength(4, width), [&](Value column, int64_t length) {
          Value value =
              code.load(frame.arguments[1], code.addi(from, column), length);
          frame.write(code, 0, value, code.addi(to, column));
        });
  });
}

/// Each step owns a range of columns and walks all rows in order: no two
/// steps write one element, and the sums have one order.
void codegen::emitKernel(nn::EmbeddingGradOp op, Code &code,
                         const Frame &frame) {
  int64_t width = shapeOf(op.getResult()).back();
  int64_t rows = elementsOf(op.getTokens().getType());
  int64_t vocabulary = shapeOf(op.getResult()).front();
  auto emitChunk = [&](Value column, int64_t length) {
    if (!frame.accumulate[0])
      code.loop(code.index(0), code.index(vocabulary), 1, [&](Value row) {
        code.store(code.f32(0.0, length), frame.results[0],
                   code.addi(code.muli(row, width), column));
      });
    code.loop(code.index(0), code.index(rows), 1, [&](Value row) {
      Value token = code.toIndex(code.load(frame.arguments[0], row));
      Value to = code.addi(code.muli(token, width), column);
      Value added = code.load(frame.arguments[1],
                              code.addi(code.muli(row, width), column), length);
      Value before = code.load(frame.results[0], to, length);
      Value sum = LLMC_FAULT("embedding-grad-overwrites")
                      ? added
                      : code.add(before, added);
      code.store(sum, frame.results[0], to);
    });
  };
  code.blocks(frame.begin, frame.end, width, kScatterChunk, kScatterChunk,
              emitChunk);
}

void codegen::emitKernel(nn::PositionsGradOp op, Code &code,
                         const Frame &frame) {
  ArrayRef<int64_t> shape = shapeOf(op.getCotangent());
  int64_t positions = shape[0], batch = shape[1], width = shape[2];
  auto emitRow = [&](Value row, bool used) {
    code.columns(
        width, code.vectorLength(4, width), [&](Value column, int64_t length) {
          Value sum = code.f32(0.0, length);
          for (int64_t i = 0; used && i < batch; ++i) {
            Value from = code.addi(code.muli(row, batch), i);
            from = code.addi(code.muli(from, width), column);
            sum = code.add(sum, code.load(frame.arguments[0], from, length));
          }
          frame.write(code, 0, sum, code.addi(code.muli(row, width), column));
        });
  };
  Value used = code.mini(frame.end, code.index(positions));
  code.loop(frame.begin, used, 1, [&](Value row) { emitRow(row, true); });
  Value unused = code.maxi(frame.begin, code.index(positions));
  if (!frame.accumulate[0])
    code.loop(unused, frame.end, 1, [&](Value row) { emitRow(row, false); });
}

void codegen::emitKernel(nn::DocumentStartOp op, Code &code,
                         const Frame &frame) {
  ArrayRef<int64_t> shape = shapeOf(op.getTokens());
  int64_t batch = shape[1];
  Type i32 = code.b.getI32Type();
  int64_t border =
      op.getEnd() ? op.getEndAttr().getInt() : op.getStartAttr().getInt();
  // An end token sends the border to the position after it.
  int64_t back = op.getEnd() ? 1 : 0;
  code.loop(frame.begin, frame.end, 1, [&](Value column) {
    code.store(code.i32(0), frame.results[0], column);
    code.reduce(code.index(1), code.index(shape[0]), 1, {code.i32(0)},
                [&](Value t, ValueRange carried) -> Code::Values {
                  Value from = code.subi(t, code.index(back));
                  from = code.addi(code.muli(from, batch), column);
                  Value token = code.load(frame.arguments[0], from);
                  Value begins = code.comparei(arith::CmpIPredicate::eq, token,
                                               code.integer(i32, border));
                  Value start = code.select(begins, code.toI32(t), carried[0]);
                  code.store(start, frame.results[0],
                             code.addi(code.muli(t, batch), column));
                  return {start};
                });
  });
}

// What attention and its gradient share: shapes, masks and block loops.
#include "codegen/Cpu/AttentionBlocks.h"
#include "codegen/Cpu/KernelExtent.h"
#include "test/faults/Fault.h"
#include <numbers>

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

template <typename Op> AttentionShape AttentionShape::get(Op op) {
  auto q = cast<RankedTensorType>(op.getQ().getType()).getShape();
  auto k = cast<RankedTensorType>(op.getK().getType()).getShape();
  AttentionShape shape;
  shape.positions = q[0];
  shape.batch = q[1];
  shape.heads = q[2];
  shape.groups = k[2];
  shape.size = q[3];
  shape.queries = std::min(kQueryBlock, q[0]);
  shape.keys = std::min(kKeyBlock, q[0]);
  shape.scale = op.getScale().convertToDouble();
  if (IntegerAttr window = op.getWindowAttr())
    shape.window = window.getInt() + (LLMC_FAULT("attention-window") ? 1 : 0);
  shape.globals = op.getGlobalTokensAttr().getInt();
  return shape;
}

template AttentionShape AttentionShape::get(nn::AttentionOp);
template AttentionShape AttentionShape::get(nn::AttentionGradOp);

double AttentionShape::scoreScale() const {
  return scale * std::numbers::log2e;
}

QueryBlock::QueryBlock(Code &code, const AttentionShape &shape, Value documents)
    : code(code), shape(shape),
      documents(LLMC_FAULT("attention-documents") ? Value() : documents) {
  if (documents)
    documentStack = code.stack(shape.queries, code.b.getI32Type());
}

void QueryBlock::begin(Value head, Value first) {
  headNumber = head;
  firstQuery = first;
  Value batch = code.divi(head, shape.heads);
  Value group =
      code.divi(code.remi(head, shape.heads), shape.heads / shape.groups);
  keyBase =
      code.muli(code.addi(code.muli(batch, shape.groups), group), shape.size);
  numbers = code.steps(first, shape.queries);
  if (shape.window)
    nearest = code.addi(numbers, 1 - *shape.window);
  if (documents)
    loadDocuments();
}

/// The document starts of the block's queries, as a vector, and the lowest.
void QueryBlock::loadDocuments() {
  Value batch = code.divi(headNumber, shape.heads);
  lowestDocument = code.reduce(
      code.index(0), code.index(shape.queries), 1, {code.i32(shape.positions)},
      [&](Value i, ValueRange carried) -> Code::Values {
        Value at = code.addi(code.muli(position(i), shape.batch), batch);
        Value start = code.load(documents, at);
        code.store(start, documentStack, i);
        return {code.mini(carried[0], start)};
      })[0];
  documentStarts = code.load(documentStack, code.index(0), shape.queries);
}

Value QueryBlock::position(Value i) {
  Value position = code.addi(firstQuery, i);
  if (shape.positions % shape.queries == 0)
    return position;
  return code.mini(position, code.index(shape.positions - 1));
}

Value QueryBlock::queryRow(Value i) {
  return code.addi(code.muli(position(i), shape.queryStride()),
                   code.muli(headNumber, shape.size));
}

Value QueryBlock::keyRow(Value first, Value j) {
  Value key = code.addi(first, j);
  if (shape.positions % shape.keys)
    key = code.mini(key, code.index(shape.positions - 1));
  return code.addi(code.muli(key, shape.keyStride()), keyBase);
}

Value QueryBlock::statistic(Value i) {
  return code.addi(code.muli(position(i), shape.batch * shape.heads),
                   headNumber);
}

void QueryBlock::forRows(llvm::function_ref<void(Value i)> body) {
  Value left = code.subi(code.index(shape.positions), firstQuery);
  Value rows = code.mini(code.index(shape.queries), left);
  code.loop(code.index(0), rows, 1, body);
}

void QueryBlock::forKeyBlocks(llvm::function_ref<void(Value first)> body) {
  Value zero = code.index(0);
  Value end = code.mini(code.addi(firstQuery, shape.queries),
                        code.index(shape.positions));
  Value near = zero, begin = zero;
  if (shape.window)
    near = code.maxi(zero, code.addi(firstQuery, 1 - *shape.window));
  if (!shape.globals)
    begin = near;
  if (documents)
    begin = code.maxi(begin, code.toIndex(lowestDocument));
  begin = code.muli(code.divi(begin, shape.keys), shape.keys);
  code.loop(begin, end, shape.keys, [&](Value first) {
    if (!shape.globals || !shape.window)
      return body(first);
    Value global = code.comparei(arith::CmpIPredicate::slt, first,
                                 code.index(shape.globals));
    Value isNear = code.comparei(arith::CmpIPredicate::sgt,
                                 code.addi(first, shape.keys), near);
    code.when(code.either(global, isNear), [&] { body(first); });
  });
}

Value QueryBlock::mask(Value key, Value scores) {
  auto sge = arith::CmpIPredicate::sge;
  Value number = code.broadcast(code.toI32(key), shape.queries);
  Value seen = code.comparei(sge, numbers, number);
  if (shape.window) {
    Value near = code.comparei(sge, number, nearest);
    if (shape.globals)
      near = code.either(near,
                         code.comparei(arith::CmpIPredicate::slt, number,
                                       code.i32(shape.globals, shape.queries)));
    seen = code.both(seen, near);
  }
  if (documents)
    seen = code.both(seen, code.comparei(sge, number, documentStarts));
  double infinity = std::numeric_limits<double>::infinity();
  return code.select(seen, scores, code.f32(-infinity, shape.queries));
}

Value QueryBlock::whereBlind(Value vector, double value) {
  if (!documents)
    return vector;
  Value blind =
      code.comparei(arith::CmpIPredicate::sgt, documentStarts, numbers);
  return code.select(blind, code.f32(value, shape.queries), vector);
}

Value QueryBlock::whereMissing(Value vector, double value) {
  Value missing = code.comparei(arith::CmpIPredicate::sge, numbers,
                                code.i32(shape.positions, shape.queries));
  return code.select(missing, code.f32(value, shape.queries), vector);
}

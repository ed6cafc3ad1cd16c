// Short forms for emitting loops and vector arithmetic of a kernel.
#include "codegen/Cpu/Code.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace llmc::codegen;

//===-- Types and constants -----------------------------------------------===//

int64_t Code::lengthOf(Value v) {
  auto type = dyn_cast<VectorType>(v.getType());
  return type ? type.getNumElements() : 0;
}

Type Code::withLength(Type element, int64_t length) {
  return length ? Type(VectorType::get({length}, element)) : element;
}

static Value splat(Code &c, Type type, Attribute value) {
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, value);
  return arith::ConstantOp::create(c.b, c.loc, cast<TypedAttr>(value));
}

Value Code::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value Code::integer(Type type, int64_t value) {
  return splat(*this, type,
               b.getIntegerAttr(getElementTypeOrSelf(type), value));
}

Value Code::constant(Value like, double value) {
  Type type = like.getType();
  return splat(*this, type, b.getFloatAttr(getElementTypeOrSelf(type), value));
}

Value Code::f32(double value, int64_t length) {
  return splat(*this, withLength(b.getF32Type(), length),
               b.getF32FloatAttr(value));
}

Value Code::f64(double value, int64_t length) {
  return splat(*this, withLength(b.getF64Type(), length),
               b.getF64FloatAttr(value));
}

Value Code::i32(int64_t value, int64_t length) {
  return integer(withLength(b.getI32Type(), length), value);
}

Value Code::broadcast(Value scalar, int64_t length) {
  if (!length || lengthOf(scalar))
    return scalar;
  return vector::BroadcastOp::create(
      b, loc, cast<VectorType>(withLength(scalar.getType(), length)), scalar);
}

//===-- Floating point ----------------------------------------------------===//

template <typename Op> static Value contracted(Code &c, ValueRange operands) {
  auto flags = arith::FastMathFlagsAttr::get(c.b.getContext(),
                                             arith::FastMathFlags::contract);
  return Op::create(c.b, c.loc, operands[0], operands[1], flags);
}

Value Code::add(Value a, Value c) {
  return contracted<arith::AddFOp>(*this, {a, c});
}
Value Code::sub(Value a, Value c) {
  return contracted<arith::SubFOp>(*this, {a, c});
}
Value Code::mul(Value a, Value c) {
  return contracted<arith::MulFOp>(*this, {a, c});
}
Value Code::div(Value a, Value c) {
  return contracted<arith::DivFOp>(*this, {a, c});
}
Value Code::fma(Value a, Value c, Value d) { return add(mul(a, c), d); }
Value Code::compare(arith::CmpFPredicate predicate, Value a, Value c) {
  return arith::CmpFOp::create(b, loc, predicate, a, c);
}
Value Code::max(Value a, Value c) {
  return select(compare(arith::CmpFPredicate::OGT, a, c), a, c);
}
Value Code::min(Value a, Value c) {
  return select(compare(arith::CmpFPredicate::OLT, a, c), a, c);
}
Value Code::select(Value condition, Value a, Value c) {
  return arith::SelectOp::create(b, loc, condition, a, c);
}
Value Code::exp2(Value a) { return math::Exp2Op::create(b, loc, a); }
Value Code::log(Value a) { return math::LogOp::create(b, loc, a); }
Value Code::sqrt(Value a) { return math::SqrtOp::create(b, loc, a); }

Value Code::sumElements(Value vector) {
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD, vector,
                                     arith::FastMathFlags::reassoc);
}
Value Code::maxElement(Value vector) {
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXNUMF,
                                     vector);
}
Value Code::extend(Value a) {
  return arith::ExtFOp::create(b, loc, withLength(b.getF64Type(), lengthOf(a)),
                               a);
}
Value Code::truncate(Value a) {
  return arith::TruncFOp::create(b, loc,
                                 withLength(b.getF32Type(), lengthOf(a)), a);
}

//===-- Index and integer arithmetic --------------------------------------===//

Value Code::addi(Value a, Value c) {
  return arith::AddIOp::create(b, loc, a, c);
}
Value Code::addi(Value a, int64_t c) {
  return c ? addi(a, integer(a.getType(), c)) : a;
}
Value Code::subi(Value a, Value c) {
  return arith::SubIOp::create(b, loc, a, c);
}
Value Code::muli(Value a, int64_t c) {
  return c == 1 ? a : muli(a, integer(a.getType(), c));
}
Value Code::muli(Value a, Value c) {
  return arith::MulIOp::create(b, loc, a, c);
}
// Indices are never negative: unsigned division is the cheaper one.
Value Code::divi(Value a, int64_t c) {
  return c == 1 ? a : arith::DivUIOp::create(b, loc, a, index(c)).getResult();
}
Value Code::remi(Value a, int64_t c) {
  return c == 1 ? index(0)
                : arith::RemUIOp::create(b, loc, a, index(c)).getResult();
}
Value Code::mini(Value a, Value c) {
  return arith::MinSIOp::create(b, loc, a, c);
}
Value Code::maxi(Value a, Value c) {
  return arith::MaxSIOp::create(b, loc, a, c);
}
Value Code::comparei(arith::CmpIPredicate predicate, Value a, Value c) {
  return arith::CmpIOp::create(b, loc, predicate, a, c);
}
Value Code::both(Value a, Value c) {
  return arith::AndIOp::create(b, loc, a, c);
}
Value Code::either(Value a, Value c) {
  return arith::OrIOp::create(b, loc, a, c);
}
Value Code::toIndex(Value integer) {
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), integer);
}
Value Code::toI32(Value index) {
  return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
}
Value Code::steps(Value start, int64_t length) {
  auto type = cast<VectorType>(withLength(b.getI32Type(), length));
  SmallVector<int32_t> numbers;
  for (int64_t i = 0; i < length; ++i)
    numbers.push_back(i);
  Value first = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
  return addi(first, broadcast(toI32(start), length));
}

//===-- Memory ------------------------------------------------------------===//

Value Code::load(Value memory, Value offset, int64_t length) {
  if (!length)
    return memref::LoadOp::create(b, loc, memory, offset);
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  return vector::LoadOp::create(
      b, loc, cast<VectorType>(withLength(element, length)), memory, offset);
}

void Code::store(Value value, Value memory, Value offset) {
  if (lengthOf(value))
    vector::StoreOp::create(b, loc, value, memory, offset);
  else
    memref::StoreOp::create(b, loc, value, memory, offset);
}

Value Code::stack(int64_t elements, Type type) {
  OpBuilder::InsertionGuard guard(b);
  Operation *at = b.getInsertionBlock()->getParentOp();
  if (!isa<func::FuncOp>(at))
    at = at->getParentOfType<func::FuncOp>();
  b.setInsertionPointToStart(&cast<func::FuncOp>(at).getBody().front());
  auto memory = MemRefType::get({elements}, type ? type : b.getF32Type());
  return memref::AllocaOp::create(b, loc, memory, b.getI64IntegerAttr(64));
}

Value Code::scalar(Value memory) {
  Value value = load(memory, index(0));
  if (!value.getType().isInteger(8))
    return value;
  return comparei(arith::CmpIPredicate::ne, value, integer(value.getType(), 0));
}

//===-- Control -----------------------------------------------------------===//

void Code::loop(Value from, Value to, int64_t step, LoopBody body) {
  reduce(from, to, step, {}, [&](Value iv, ValueRange) -> Values {
    body(iv);
    return {};
  });
}

Code::Values Code::reduce(Value from, Value to, int64_t step, Values init,
                          ReduceBody body) {
  auto loop = scf::ForOp::create(b, loc, from, to, index(step), init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!init.empty())
    scf::YieldOp::create(b, loc, next);
  return Values(loop.getResults());
}

void Code::when(Value condition, llvm::function_ref<void()> then,
                llvm::function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(b, loc, condition, otherwise != nullptr);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  then();
  if (otherwise) {
    b.setInsertionPointToStart(branch.elseBlock());
    otherwise();
  }
}

void Code::columns(
    int64_t count, int64_t length,
    llvm::function_ref<void(Value offset, int64_t length)> body) {
  int64_t whole = count / length * length;
  if (whole == length)
    body(index(0), length);
  else if (whole)
    loop(index(0), index(whole), length, [&](Value iv) { body(iv, length); });
  if (whole < count)
    body(index(whole), count - whole);
}

void Code::blocks(Value begin, Value end, int64_t count, int64_t block,
                  int64_t length,
                  llvm::function_ref<void(Value offset, int64_t length)> body) {
  auto emit = [&](Value first, int64_t elements) {
    columns(
        elements, std::min(length, elements),
        [&](Value offset, int64_t part) { body(addi(first, offset), part); });
  };
  int64_t rest = count % block;
  loop(begin, end, 1, [&](Value number) {
    Value first = muli(number, block);
    if (!rest)
      return emit(first, block);
    if (count < block)
      return emit(first, rest);
    Value isWhole =
        comparei(arith::CmpIPredicate::slt, number, index(count / block));
    when(isWhole, [&] { emit(first, block); }, [&] { emit(first, rest); });
  });
}

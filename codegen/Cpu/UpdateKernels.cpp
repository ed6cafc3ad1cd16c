// Optimiser steps on flat ranges of elements.
#include "codegen/Cpu/KernelExtent.h"
#include "codegen/Cpu/RootKernels.h"
#include "test/faults/Fault.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

/// base^exponent by squaring, in float64.
static Value power(Code &code, double base, Value exponent) {
  Type type = exponent.getType();
  // 63 bits of an exponent that is not negative.
  auto result =
      code.reduce(code.index(0), code.index(63), 1,
                  {code.f64(1.0), code.f64(base), exponent},
                  [&](Value, ValueRange carried) -> Code::Values {
                    Value odd = arith::TruncIOp::create(
                        code.b, code.loc, code.b.getI1Type(), carried[2]);
                    Value product = code.mul(carried[0], carried[1]);
                    Value rest = arith::ShRUIOp::create(
                        code.b, code.loc, carried[2], code.integer(type, 1));
                    return {code.select(odd, product, carried[0]),
                            code.mul(carried[1], carried[1]), rest};
                  });
  return result[0];
}

/// `decay` for elements below `limit`, 0 for the others.
static Value decayAt(Code &code, double decay, int64_t limit, int64_t count,
                     Value offset, int64_t length) {
  if (limit >= count || decay == 0.0 || LLMC_FAULT("update-decays-all"))
    return code.f32(decay, length);
  if (limit <= 0)
    return code.f32(0.0, length);
  Value decays =
      code.comparei(arith::CmpIPredicate::slt, code.steps(offset, length),
                    code.i32(limit, length));
  return code.select(decays, code.f32(decay, length), code.f32(0.0, length));
}

/// Runs `update` over the blocks when the step counts; else the arguments
/// `from` are copied to the results, where they do not lie there already.
static void
emitUpdate(Code &code, const Frame &frame, int64_t count, Value ok,
           ArrayRef<unsigned> from,
           llvm::function_ref<void(Value offset, int64_t length)> update) {
  int64_t length = code.vectorLength(2, count);
  code.when(
      ok,
      [&] {
        code.blocks(frame.begin, frame.end, count, kUpdateBlock, length,
                    update);
      },
      [&] {
        code.blocks(frame.begin, frame.end, count, kUpdateBlock, length,
                    [&](Value offset, int64_t part) {
                      for (auto [i, argument] : llvm::enumerate(from))
                        frame.write(
                            code, i,
                            code.load(frame.arguments[argument], offset, part),
                            offset);
                    });
      });
}

void codegen::emitKernel(nn::AdamwApplyOp op, Code &code, const Frame &frame) {
  int64_t count = elementsOf(op.getParameter().getType());
  double beta1 = op.getBeta1().convertToDouble();
  double beta2 = op.getBeta2().convertToDouble();
  Value factor = code.scalar(frame.arguments[4]);
  Value ok = code.scalar(frame.arguments[5]);
  Value rate = code.scalar(frame.arguments[6]);
  Value t = code.scalar(frame.arguments[7]);
  if (LLMC_FAULT("adamw-step-before"))
    t = code.maxi(code.addi(t, -1), code.integer(t.getType(), 1));
  // p -= (rate / correction1) m / (sqrt(v / correction2) + eps) + rate wd p
  auto inverse = [&](double beta) {
    return code.div(code.f64(1.0),
                    code.sub(code.f64(1.0), power(code, beta, t)));
  };
  Value step = code.truncate(code.mul(code.extend(rate), inverse(beta1)));
  Value scale = code.truncate(inverse(beta2));
  emitUpdate(code, frame, count, ok, {0, 2, 3}, [&](Value at, int64_t length) {
    auto read = [&](unsigned i) {
      return code.load(frame.arguments[i], at, length);
    };
    auto wide = [&](Value v) { return code.broadcast(v, length); };
    auto mix = [&](double beta, Value state, Value fresh) {
      return code.add(code.mul(code.f32(beta, length), state),
                      code.mul(code.f32(1.0 - beta, length), fresh));
    };
    Value p = read(0), g = code.mul(wide(factor), read(1));
    Value m = mix(beta1, read(2), g);
    Value v = mix(beta2, read(3), code.mul(g, g));
    Value root = code.sqrt(code.mul(v, wide(scale)));
    Value eps = code.f32(op.getEps().convertToDouble(), length);
    Value move = code.div(code.mul(wide(step), m), code.add(root, eps));
    Value decay = decayAt(code, op.getWeightDecay().convertToDouble(),
                          op.getDecayBelowAttr().getInt(), count, at, length);
    Value shrink = code.mul(code.mul(wide(rate), decay), p);
    frame.write(code, 0, code.sub(p, code.add(move, shrink)), at);
    frame.write(code, 1, m, at);
    frame.write(code, 2, v, at);
  });
}

void codegen::emitKernel(nn::SgdApplyOp op, Code &code, const Frame &frame) {
  int64_t count = elementsOf(op.getParameter().getType());
  bool hasState = op.getMomentumState() != nullptr;
  Value factor = code.scalar(frame.arguments[2]);
  Value ok = code.scalar(frame.arguments[3]);
  Value rate = code.scalar(frame.arguments[4]);
  SmallVector<unsigned> from = {0};
  if (hasState)
    from.push_back(5);
  emitUpdate(code, frame, count, ok, from, [&](Value at, int64_t length) {
    auto wide = [&](Value v) { return code.broadcast(v, length); };
    Value p = code.load(frame.arguments[0], at, length);
    Value m = code.mul(wide(factor), code.load(frame.arguments[1], at, length));
    if (hasState)
      m = code.add(
          code.mul(code.f32(op.getMomentum().convertToDouble(), length),
                   code.load(frame.arguments[5], at, length)),
          m);
    Value decay = decayAt(code, op.getWeightDecay().convertToDouble(),
                          op.getDecayBelowAttr().getInt(), count, at, length);
    Value move = code.mul(wide(rate), code.add(m, code.mul(decay, p)));
    frame.write(code, 0, code.sub(p, move), at);
    if (hasState && !LLMC_FAULT("sgd-forgets-momentum"))
      frame.write(code, 1, m, at);
  });
}

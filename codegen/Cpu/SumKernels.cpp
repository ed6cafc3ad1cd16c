// Sums over whole tensors, and the clip factor made of one.
#include "codegen/Cpu/RootKernels.h"
#include "test/faults/Fault.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

/// The float64 sum of `term` over elements [from, to) of the first argument.
static Value sumRange(Code &code, const Frame &frame, Value from, Value to,
                      llvm::function_ref<Value(Value)> term) {
  int64_t length = 2 * code.target.lanes;
  Value width = code.subi(to, from);
  Value whole = code.addi(from, code.muli(code.divi(width, length), length));
  auto step = [&](int64_t length) {
    return [&, length](Value i, ValueRange carried) -> Code::Values {
      Value x = code.extend(code.load(frame.arguments[0], i, length));
      return {code.add(carried[0], term(x))};
    };
  };
  auto vectors =
      code.reduce(from, whole, length, {code.f64(0.0, length)}, step(length));
  Value sum = code.sumElements(vectors[0]);
  return code.reduce(whole, to, 1, {sum}, step(0))[0];
}

void codegen::emitKernel(nn::SumOp op, Code &code, const Frame &frame) {
  int64_t count = elementsOf(op.getInput().getType());
  code.loop(frame.begin, frame.end, 1, [&](Value first) {
    Value sum = sumRange(code, frame, first, code.index(count),
                         [](Value x) { return x; });
    frame.write(code, 0, code.truncate(sum), first);
  });
}

void codegen::emitKernel(nn::NormPartialsOp op, Code &code,
                         const Frame &frame) {
  int64_t count = elementsOf(op.getInput().getType());
  int64_t partials = elementsOf(op.getPartials().getType());
  code.loop(frame.begin, frame.end, 1, [&](Value number) {
    Value from = code.divi(code.muli(number, count), partials);
    Value to = code.divi(code.muli(code.addi(number, 1), count), partials);
    Value sum = sumRange(code, frame, from, to,
                         [&](Value x) { return code.mul(x, x); });
    frame.write(code, 0, code.truncate(sum), number);
  });
}

/// In float64, so that the square of a large norm does not overflow here.
void codegen::emitKernel(nn::ClipFactorOp, Code &code, const Frame &frame) {
  code.loop(frame.begin, frame.end, 1, [&](Value first) {
    Value squared = code.extend(code.scalar(frame.arguments[0]));
    Value clip = code.extend(code.scalar(frame.arguments[1]));
    Value inverse = code.extend(code.scalar(frame.arguments[2]));
    Value norm = code.mul(code.sqrt(squared), inverse);
    Value shrink = code.min(code.f64(1.0), code.div(clip, norm));
    if (LLMC_FAULT("clip-ignored"))
      shrink = code.f64(1.0);
    Value infinity = code.f64(std::numeric_limits<double>::infinity());
    // False for NaN too.
    Value ok = code.compare(arith::CmpFPredicate::OLT, norm, infinity);
    code.store(code.truncate(code.mul(inverse, shrink)), frame.results[0],
               first);
    Value byte =
        arith::ExtUIOp::create(code.b, code.loc, code.b.getI8Type(), ok);
    code.store(byte, frame.results[1], first);
  });
}

/// Used by tests of the compiler: one step, no care for speed.
void codegen::emitKernel(nn::SquaredErrorOp op, Code &code,
                         const Frame &frame) {
  int64_t rows = elementsOf(op.getKeep().getType());
  int64_t width = elementsOf(op.getInput().getType()) / rows;
  code.loop(frame.begin, frame.end, 1, [&](Value first) {
    Value seed = code.scalar(frame.arguments[3]);
    auto total = code.reduce(
        code.index(0), code.index(rows), 1, {code.f64(0.0)},
        [&](Value row, ValueRange outer) -> Code::Values {
          Value byte = code.load(frame.arguments[2], row);
          Value keep = code.comparei(arith::CmpIPredicate::ne, byte,
                                     code.integer(byte.getType(), 0));
          return code.reduce(
              code.index(0), code.index(width), 1, {outer[0]},
              [&](Value column, ValueRange inner) -> Code::Values {
                Value at = code.addi(code.muli(row, width), column);
                Value difference =
                    code.select(keep,
                                code.sub(code.load(frame.arguments[0], at),
                                         code.load(frame.arguments[1], at)),
                                code.f32(0.0));
                Value slope =
                    code.mul(code.mul(code.f32(2.0), seed), difference);
                frame.write(code, 1, slope, at);
                Value wide = code.extend(difference);
                return {code.fma(wide, wide, inner[0])};
              });
        });
    frame.write(code, 0, code.truncate(total[0]), first);
  });
}

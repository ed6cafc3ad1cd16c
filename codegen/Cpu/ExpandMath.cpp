// cpu-expand-math: exponentials and the like as arithmetic that vectorises.
#include "codegen/Cpu/Code.h"
#include "codegen/Cpu/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace llmc::codegen {
#define GEN_PASS_DEF_CPUEXPANDMATH
#include "codegen/Cpu/Passes.h.inc"
} // namespace llmc::codegen

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

/// exp(r) for |r| <= ln(2) / 2, within 0.6 ulp: a least-maximum fit.
static Value expNearZero(Code &c, Value r) {
  Value p = c.constant(r, 0.0013814466074109077);
  for (double coefficient : {0.008368780836462975, 0.04166839271783829,
                             0.1666651964187622, 0.4999999403953552, 1.0, 1.0})
    p = c.fma(p, r, c.constant(r, coefficient));
  return p;
}

/// The integer nearest to x, for |x| < 2^22: at that size float32 has no digits
/// after the point. Elsewhere any number; the limits below decide.
static Value roundToInteger(Code &c, Value x) {
  Value magic = c.constant(x, 12582912.0);
  return c.sub(c.add(x, magic), magic);
}

/// p * 2^n for an integral n in [-126, 128]; x is what the result is the
/// exponential of, with limits between which n is in range. Below, the result
/// is 0; above, infinity; NaN stays NaN.
static Value scaleByPower(Code &c, Value p, Value n, Value x, double low,
                          double high) {
  int64_t length = Code::lengthOf(x);
  Type integer = c.withLength(c.b.getI32Type(), length);
  // Out of range, conversion to integers would be undefined.
  Value bounded = c.min(c.max(n, c.constant(n, -126.0)), c.constant(n, 128.0));
  Value power = arith::FPToSIOp::create(c.b, c.loc, integer, bounded);
  Value shifted =
      arith::ShLIOp::create(c.b, c.loc, power, c.integer(integer, 23));
  Value bits = arith::BitcastOp::create(c.b, c.loc, integer, p);
  Value scaled =
      arith::BitcastOp::create(c.b, c.loc, p.getType(), c.addi(bits, shifted));
  double infinity = std::numeric_limits<double>::infinity();
  Value above = c.add(x, c.constant(x, infinity));
  Value bounds =
      c.select(c.compare(arith::CmpFPredicate::OLT, x, c.constant(x, high)),
               scaled, above);
  return c.select(c.compare(arith::CmpFPredicate::OLT, x, c.constant(x, low)),
                  c.constant(x, 0.0), bounds);
}

static bool isFloat32(Value v) { return getElementTypeOrSelf(v).isF32(); }

namespace {

struct ExpandExp2 : OpRewritePattern<math::Exp2Op> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::Exp2Op op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    if (!isFloat32(x))
      return failure();
    Code c{rewriter, op.getLoc(), {}};
    Value n = roundToInteger(c, x);
    Value r = c.mul(c.sub(x, n), c.constant(x, 0.6931471805599453));
    rewriter.replaceOp(op,
                       scaleByPower(c, expNearZero(c, r), n, x, -126.0, 128.0));
    return success();
  }
};

struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    if (!isFloat32(x))
      return failure();
    Code c{rewriter, op.getLoc(), {}};
    Value n = roundToInteger(c, c.mul(x, c.constant(x, 1.4426950408889634)));
    // ln 2 in two parts, the first with so few digits that n times it is exact.
    Value r = c.fma(n, c.constant(x, -0.693145751953125), x);
    r = c.fma(n, c.constant(x, -1.428606765330187e-06), r);
    rewriter.replaceOp(op, scaleByPower(c, expNearZero(c, r), n, x,
                                        -87.33654022216797, 88.72283935546875));
    return success();
  }
};

/// A processor without the instruction would call a library; where there is
/// one, contraction brings it back.
struct ExpandFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    Code c{rewriter, op.getLoc(), {}};
    rewriter.replaceOp(op, c.fma(op.getA(), op.getB(), op.getC()));
    return success();
  }
};

struct CpuExpandMath : codegen::impl::CpuExpandMathBase<CpuExpandMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExp2, ExpandExp, ExpandFma>(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return name == math::LogOp::getOperationName() ||
             name == math::ErfOp::getOperationName();
    });
    GreedyRewriteConfig config;
    config.enableFolding(false);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace

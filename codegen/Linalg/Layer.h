// The pieces that the conversion of a layer op is made of.
#ifndef LLMC_CODEGEN_LINALG_LAYER_H
#define LLMC_CODEGEN_LINALG_LAYER_H

#include "dialects/Nn/Nn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

namespace llmc::codegen {

/// Scalar arithmetic. Multiply-add may be fused; infinities and NaN must
/// survive, since the step decides by them.
struct Scalars {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  mlir::Value constant(double value) {
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getF32FloatAttr(value));
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return make<mlir::arith::AddFOp>(a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return make<mlir::arith::SubFOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return make<mlir::arith::MulFOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, double b) { return mul(a, constant(b)); }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return make<mlir::arith::DivFOp>(a, b);
  }
  mlir::Value exp(mlir::Value a) {
    return mlir::math::ExpOp::create(builder, loc, a);
  }
  mlir::Value erf(mlir::Value a) {
    return mlir::math::ErfOp::create(builder, loc, a);
  }
  mlir::Value sqrt(mlir::Value a) {
    return mlir::math::SqrtOp::create(builder, loc, a);
  }

  /// `value` where x > 0 or x is NaN, else 0.
  mlir::Value whereNotNegative(mlir::Value x, mlir::Value value) {
    mlir::Value positive = mlir::arith::CmpFOp::create(
        builder, loc, mlir::arith::CmpFPredicate::UGT, x, constant(0.0));
    return mlir::arith::SelectOp::create(builder, loc, positive, value,
                                         constant(0.0));
  }
  /// 1 / (1 + exp(-a)): exact at both ends, where 1 + tanh would cancel.
  mlir::Value sigmoid(mlir::Value a) {
    return div(constant(1.0), add(constant(1.0), exp(mul(a, -1.0))));
  }

private:
  template <typename Op> mlir::Value make(mlir::Value a, mlir::Value b) {
    return Op::create(
        builder, loc, a, b,
        mlir::arith::FastMathFlagsAttr::get(
            builder.getContext(), mlir::arith::FastMathFlags::contract));
  }
};

using Payload = llvm::function_ref<mlir::Value(Scalars, mlir::ValueRange)>;

/// Emits the generics of one op. Every map is over the dimensions of the op's
/// widest tensor, of rank `rank`.
class Layer {
public:
  Layer(mlir::OpBuilder &builder, mlir::Operation *op, mlir::IRMapping &mapping)
      : builder(builder), loc(op->getLoc()), mapping(mapping) {}

  llvm::LogicalResult convert(mlir::Operation *op);

private:
  struct Input {
    mlir::Value value;
    mlir::AffineMap map;
  };

  static mlir::RankedTensorType typeOf(mlir::Value v) {
    return llvm::cast<mlir::RankedTensorType>(v.getType());
  }
  mlir::Value lookup(mlir::Value v) { return mapping.lookup(v); }
  /// `v` read at all dimensions.
  Input whole(mlir::Value v) {
    return {lookup(v), builder.getMultiDimIdentityMap(rank)};
  }
  /// `v` read at the leading dimensions.
  Input rows(mlir::Value v) { return dims(lookup(v), 0); }
  /// `v` read at the trailing dimensions.
  Input trailing(mlir::Value v) {
    mlir::Value mapped = lookup(v);
    return dims(mapped, rank - typeOf(mapped).getRank());
  }
  Input dims(mlir::Value mapped, int64_t first) {
    llvm::SmallVector<mlir::AffineExpr> exprs;
    for (int64_t i = 0; i < typeOf(mapped).getRank(); ++i)
      exprs.push_back(builder.getAffineDimExpr(first + i));
    return {mapped, mlir::AffineMap::get(rank, 0, exprs, builder.getContext())};
  }

  mlir::Value
  generic(mlir::RankedTensorType type, mlir::Value init, mlir::AffineMap outMap,
          llvm::ArrayRef<mlir::utils::IteratorType> iterators,
          llvm::ArrayRef<Input> inputs,
          llvm::function_ref<mlir::Value(Scalars, mlir::ValueRange)> payload);
  mlir::Value empty(mlir::RankedTensorType type);
  mlir::Value map(mlir::Value like, llvm::ArrayRef<Input> inputs,
                  Payload payload);
  mlir::Value sum(mlir::RankedTensorType type, bool leading,
                  llvm::ArrayRef<Input> inputs, Payload payload);
  mlir::Value rowMean(mlir::Value like, llvm::ArrayRef<Input> inputs,
                      Payload payload);
  mlir::Value mapRows(mlir::Value like, llvm::ArrayRef<mlir::Value> inputs,
                      Payload payload);

  void result(mlir::Operation *op, mlir::Value value) {
    mapping.map(op->getResult(0), value);
  }
  llvm::LogicalResult convertElementwise(mlir::Operation *op);
  llvm::LogicalResult convertActivation(mlir::Operation *op);
  llvm::LogicalResult convertNorm(mlir::Operation *op);
  llvm::LogicalResult convertColumns(mlir::Operation *op);
  Input positions(nn::AddPositionsOp op);
  void convertRope(nn::RopeOp op);
  void convertRmsInputGrad(nn::RmsInputGradOp op);
  void convertLayerNormStat(nn::LayerNormStatOp op);
  void convertLayerNormInputGrad(nn::LayerNormInputGradOp op);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::IRMapping &mapping;
  int64_t rank = 0;
};

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_LINALG_LAYER_H

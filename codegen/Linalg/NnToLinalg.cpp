// One nn layer op as linalg ops on tensors. The formulas are those of the op
// descriptions, arranged so that float32 keeps its digits.
#include "codegen/Linalg/NnToLinalg.h"
#include "codegen/Linalg/RopeTable.h"
#include "dialects/Nn/Nn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "test/faults/Fault.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

namespace {

/// Scalar arithmetic. Multiply-add may be fused; infinities and NaN must
/// survive, since the step decides by them.
struct Scalars {
  OpBuilder &builder;
  Location loc;

  Value constant(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(value));
  }
  Value add(Value a, Value b) { return make<arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return make<arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return make<arith::MulFOp>(a, b); }
  Value mul(Value a, double b) { return mul(a, constant(b)); }
  Value div(Value a, Value b) { return make<arith::DivFOp>(a, b); }
  Value exp(Value a) { return math::ExpOp::create(builder, loc, a); }
  Value erf(Value a) { return math::ErfOp::create(builder, loc, a); }
  Value sqrt(Value a) { return math::SqrtOp::create(builder, loc, a); }

  /// `value` where x > 0 or x is NaN, else 0.
  Value whereNotNegative(Value x, Value value) {
    Value positive = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::UGT, x, constant(0.0));
    return arith::SelectOp::create(builder, loc, positive, value,
                                   constant(0.0));
  }
  /// 1 / (1 + exp(-a)): exact at both ends, where 1 + tanh would cancel.
  Value sigmoid(Value a) {
    return div(constant(1.0), add(constant(1.0), exp(mul(a, -1.0))));
  }
  /// The normal distribution function.
  Value normalCdf(Value x) {
    return mul(add(constant(1.0), erf(mul(x, 1.0 / std::numbers::sqrt2))), 0.5);
  }
  /// The normal density.
  Value normalDensity(Value x) {
    double norm = 1.0 / std::sqrt(2.0 * std::numbers::pi);
    return mul(exp(mul(mul(x, x), -0.5)), norm);
  }

private:
  template <typename Op> Value make(Value a, Value b) {
    return Op::create(
        builder, loc, a, b,
        arith::FastMathFlagsAttr::get(builder.getContext(),
                                      arith::FastMathFlags::contract));
  }
};

using Payload = llvm::function_ref<Value(Scalars, ValueRange)>;

/// 0.5 x (1 + tanh(a (x + b x^3))) is x times the sigmoid of twice that
/// argument.
constexpr double kGeluCubic = 0.044715;
const double kGeluScale = 2.0 * std::sqrt(2.0 / std::numbers::pi);

Value geluSigmoid(Scalars s, Value x) {
  Value cubic = s.add(s.constant(1.0), s.mul(s.mul(x, x), kGeluCubic));
  return s.sigmoid(s.mul(s.mul(x, kGeluScale), cubic));
}

/// Emits the generics of one op. Every map is over the dimensions of the op's
/// widest tensor, of rank `rank`.
class Layer {
public:
  Layer(OpBuilder &builder, Operation *op, IRMapping &mapping)
      : builder(builder), loc(op->getLoc()), mapping(mapping) {}

  LogicalResult convert(Operation *op);

private:
  struct Input {
    Value value;
    AffineMap map;
  };

  static RankedTensorType typeOf(Value v) {
    return cast<RankedTensorType>(v.getType());
  }
  Value lookup(Value v) { return mapping.lookup(v); }
  /// `v` read at all dimensions.
  Input whole(Value v) {
    return {lookup(v), builder.getMultiDimIdentityMap(rank)};
  }
  /// `v` read at the leading dimensions.
  Input rows(Value v) { return dims(lookup(v), 0); }
  /// `v` read at the trailing dimensions.
  Input trailing(Value v) {
    Value mapped = lookup(v);
    return dims(mapped, rank - typeOf(mapped).getRank());
  }
  Input dims(Value mapped, int64_t first) {
    SmallVector<AffineExpr> exprs;
    for (int64_t i = 0; i < typeOf(mapped).getRank(); ++i)
      exprs.push_back(builder.getAffineDimExpr(first + i));
    return {mapped, AffineMap::get(rank, 0, exprs, builder.getContext())};
  }

  Value generic(RankedTensorType type, Value init, AffineMap outMap,
                ArrayRef<utils::IteratorType> iterators, ArrayRef<Input> inputs,
                llvm::function_ref<Value(Scalars, ValueRange)> payload);
  Value empty(RankedTensorType type) {
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  }
  Value map(Value like, ArrayRef<Input> inputs, Payload payload);
  Value sum(RankedTensorType type, bool leading, ArrayRef<Input> inputs,
            Payload payload);
  Value rowMean(Value like, ArrayRef<Input> inputs, Payload payload);
  Value mapRows(Value like, ArrayRef<Value> inputs, Payload payload);

  void result(Operation *op, Value value) {
    mapping.map(op->getResult(0), value);
  }
  LogicalResult convertElementwise(Operation *op);
  LogicalResult convertActivation(Operation *op);
  LogicalResult convertNorm(Operation *op);
  LogicalResult convertColumns(Operation *op);
  Input positions(nn::AddPositionsOp op);
  void convertRope(nn::RopeOp op);
  void convertRmsInputGrad(nn::RmsInputGradOp op);
  void convertLayerNormStat(nn::LayerNormStatOp op);
  void convertLayerNormInputGrad(nn::LayerNormInputGradOp op);

  OpBuilder &builder;
  Location loc;
  IRMapping &mapping;
  int64_t rank = 0;
};

} // namespace

Value Layer::generic(RankedTensorType type, Value init, AffineMap outMap,
                     ArrayRef<utils::IteratorType> iterators,
                     ArrayRef<Input> inputs,
                     llvm::function_ref<Value(Scalars, ValueRange)> payload) {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs) {
    operands.push_back(input.value);
    maps.push_back(input.map);
  }
  maps.push_back(outMap);
  return linalg::GenericOp::create(
             builder, loc, type, operands, init, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               linalg::YieldOp::create(nested, loc,
                                       payload(Scalars{nested, loc}, args));
             })
      .getResult(0);
}

/// A value per element of `like`, which has all dimensions.
Value Layer::map(Value like, ArrayRef<Input> inputs, Payload payload) {
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return generic(typeOf(like), empty(typeOf(like)),
                 builder.getMultiDimIdentityMap(rank), iterators, inputs,
                 payload);
}

/// Sums over the leading dimensions that `type` lacks, or the trailing ones.
Value Layer::sum(RankedTensorType type, bool leading, ArrayRef<Input> inputs,
                 Payload payload) {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0));
  Value init =
      linalg::FillOp::create(builder, loc, zero, empty(type)).getResult(0);
  int64_t first = leading ? rank - type.getRank() : 0;
  AffineMap outMap = dims(init, first).map;
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  for (int64_t i = 0; i < type.getRank(); ++i)
    iterators[first + i] = utils::IteratorType::parallel;
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  return generic(
      type, init, outMap, iterators, inputs,
      [&](Scalars s, ValueRange args) -> Value {
        Value term = payload(s, args.drop_back());
        return arith::AddFOp::create(
            s.builder, s.loc, args.back(), term,
            arith::FastMathFlagsAttr::get(builder.getContext(), flags));
      });
}

/// The mean along the last dimension of a value per element of `like`.
Value Layer::rowMean(Value like, ArrayRef<Input> inputs, Payload payload) {
  RankedTensorType type = typeOf(like);
  Value total = sum(
      RankedTensorType::get(type.getShape().drop_back(), type.getElementType()),
      /*leading=*/false, inputs, payload);
  double scale = 1.0 / type.getShape().back();
  return mapRows(total, {total}, [&](Scalars s, ValueRange args) {
    return s.mul(args[0], scale);
  });
}

/// A value per row.
Value Layer::mapRows(Value like, ArrayRef<Value> values, Payload payload) {
  int64_t saved = std::exchange(rank, typeOf(like).getRank());
  SmallVector<Input> inputs;
  for (Value value : values)
    inputs.push_back({value, builder.getMultiDimIdentityMap(rank)});
  Value mapped = map(like, inputs, payload);
  rank = saved;
  return mapped;
}

LogicalResult Layer::convert(Operation *op) {
  rank = typeOf(op->getOperand(0)).getRank();
  for (Value operand : op->getOperands())
    if (!typeOf(operand).getElementType().isF32())
      return failure();
  if (succeeded(convertElementwise(op)) || succeeded(convertActivation(op)) ||
      succeeded(convertNorm(op)) || succeeded(convertColumns(op)))
    return success();
  return failure();
}

LogicalResult Layer::convertElementwise(Operation *op) {
  Value x = op->getOperand(0);
  auto binary = [&](Input a, Input b, Payload payload) {
    result(op, map(x, {a, b}, payload));
  };
  auto add = [](Scalars s, ValueRange v) { return s.add(v[0], v[1]); };
  auto mul = [](Scalars s, ValueRange v) { return s.mul(v[0], v[1]); };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<nn::AddOp>([&](nn::AddOp op) {
        binary(whole(op.getLhs()), whole(op.getRhs()), add);
        return success();
      })
      .Case<nn::MultiplyOp>([&](nn::MultiplyOp op) {
        binary(whole(op.getLhs()), whole(op.getRhs()), mul);
        return success();
      })
      .Case<nn::AddBiasOp>([&](nn::AddBiasOp op) {
        binary(whole(x), trailing(op.getBias()), add);
        return success();
      })
      .Case<nn::AddPositionsOp>([&](nn::AddPositionsOp op) {
        binary(whole(x), positions(op), add);
        return success();
      })
      .Case<nn::ScaleOp>([&](nn::ScaleOp op) {
        double factor = op.getFactor().convertToDouble();
        result(op, map(x, {whole(x)}, [&](Scalars s, ValueRange v) {
                 return s.mul(v[0], factor);
               }));
        return success();
      })
      .Case<nn::RopeOp>([&](nn::RopeOp op) {
        convertRope(op);
        return success();
      })
      .Default([](Operation *) { return failure(); });
}

/// The rows of the table that positions use.
Layer::Input Layer::positions(nn::AddPositionsOp op) {
  Value table = lookup(op.getTable());
  RankedTensorType type = typeOf(table);
  int64_t used = typeOf(op.getInput()).getShape().front();
  auto at = [&](int64_t value) { return builder.getIndexAttr(value); };
  if (used < type.getShape().front())
    table = tensor::ExtractSliceOp::create(
        builder, loc, table, ArrayRef<OpFoldResult>{at(0), at(0)},
        ArrayRef<OpFoldResult>{at(used), at(type.getShape().back())},
        ArrayRef<OpFoldResult>{at(1), at(1)});
  return {table, AffineMap::get(rank, 0,
                                {builder.getAffineDimExpr(0),
                                 builder.getAffineDimExpr(rank - 1)},
                                builder.getContext())};
}

/// Element d becomes x[d] cos + x[partner] (sign sin), where the partner is
/// half a head away.
void Layer::convertRope(nn::RopeOp op) {
  RopeTable table = makeRopeTable(op);
  int64_t size = typeOf(op.getInput()).getShape().back();
  AffineExpr t = builder.getAffineDimExpr(0);
  AffineExpr d = builder.getAffineDimExpr(rank - 1);
  auto at = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(rank, 0, exprs, builder.getContext());
  };
  SmallVector<AffineExpr> partner;
  for (int64_t i = 0; i < rank - 1; ++i)
    partner.push_back(builder.getAffineDimExpr(i));
  partner.push_back((d + size / 2) % size);
  auto constant = [&](DenseElementsAttr values) {
    return arith::ConstantOp::create(builder, loc, values).getResult();
  };
  Value x = lookup(op.getInput());
  AffineMap half = at({t, d % (size / 2)});
  result(op, map(op.getInput(),
                 {whole(op.getInput()),
                  {x, at(partner)},
                  {constant(table.cosine), half},
                  {constant(table.sine), half},
                  {constant(table.sign), at({d})}},
                 [](Scalars s, ValueRange v) {
                   return s.add(s.mul(v[0], v[2]),
                                s.mul(v[1], s.mul(v[3], v[4])));
                 }));
}

LogicalResult Layer::convertActivation(Operation *op) {
  Value x = op->getOperand(0);
  auto unary = [&](Payload payload) {
    result(op, map(x, {whole(x)}, payload));
    return success();
  };
  auto grad = [&](Payload payload) {
    result(op, map(x, {whole(x), whole(op->getOperand(1))}, payload));
    return success();
  };
  if (auto gelu = dyn_cast<nn::GeluOp>(op))
    return unary([&](Scalars s, ValueRange v) {
      return s.mul(v[0], gelu.getTanhForm() ? geluSigmoid(s, v[0])
                                            : s.normalCdf(v[0]));
    });
  if (isa<nn::SiluOp>(op))
    return unary(
        [](Scalars s, ValueRange v) { return s.mul(v[0], s.sigmoid(v[0])); });
  if (isa<nn::ReluOp>(op))
    return unary(
        [](Scalars s, ValueRange v) { return s.whereNotNegative(v[0], v[0]); });
  if (auto gelu = dyn_cast<nn::GeluInputGradOp>(op); gelu && gelu.getTanhForm())
    return grad([](Scalars s, ValueRange v) {
      Value g = geluSigmoid(s, v[0]);
      Value slope = s.mul(
          s.add(s.constant(1.0), s.mul(s.mul(v[0], v[0]), 3.0 * kGeluCubic)),
          kGeluScale);
      Value tail =
          s.mul(s.mul(s.mul(v[0], g), s.sub(s.constant(1.0), g)), slope);
      return s.mul(v[1], s.add(g, tail));
    });
  if (isa<nn::GeluInputGradOp>(op))
    return grad([](Scalars s, ValueRange v) {
      return s.mul(
          v[1], s.add(s.normalCdf(v[0]), s.mul(v[0], s.normalDensity(v[0]))));
    });
  if (isa<nn::SiluInputGradOp>(op))
    return grad([](Scalars s, ValueRange v) {
      Value g = s.sigmoid(v[0]);
      Value tail = s.mul(v[0], s.sub(s.constant(1.0), g));
      return s.mul(v[1], s.mul(g, s.add(s.constant(1.0), tail)));
    });
  if (isa<nn::ReluInputGradOp>(op))
    return grad(
        [](Scalars s, ValueRange v) { return s.whereNotNegative(v[0], v[1]); });
  return failure();
}

LogicalResult Layer::convertNorm(Operation *op) {
  if (auto stat = dyn_cast<nn::RmsStatOp>(op)) {
    double eps =
        LLMC_FAULT("rms-norm-eps") ? 0.0 : stat.getEps().convertToDouble();
    Value x = stat.getInput();
    Value mean = rowMean(x, {whole(x)}, [](Scalars s, ValueRange v) {
      return s.mul(v[0], v[0]);
    });
    result(op, mapRows(mean, {mean}, [&](Scalars s, ValueRange v) {
             return s.div(s.constant(1.0),
                          s.sqrt(s.add(v[0], s.constant(eps))));
           }));
    return success();
  }
  if (auto apply = dyn_cast<nn::RmsApplyOp>(op)) {
    bool plusOne = apply.getPlusOne();
    Value x = apply.getInput();
    result(op,
           map(x, {whole(x), rows(apply.getRstd()), trailing(apply.getGain())},
               [&](Scalars s, ValueRange v) {
                 Value gain = plusOne ? s.add(v[2], s.constant(1.0)) : v[2];
                 return s.mul(s.mul(v[0], v[1]), gain);
               }));
    return success();
  }
  if (auto apply = dyn_cast<nn::LayerNormApplyOp>(op)) {
    Value x = apply.getInput();
    SmallVector<Input> inputs = {whole(x), rows(apply.getMean()),
                                 rows(apply.getRstd()),
                                 trailing(apply.getGain())};
    if (apply.getBias())
      inputs.push_back(trailing(apply.getBias()));
    bool biased = bool(apply.getBias()); // the last value is the output's
    result(op, map(x, inputs, [&](Scalars s, ValueRange v) {
             Value y = s.mul(s.mul(s.sub(v[0], v[1]), v[2]), v[3]);
             return biased ? s.add(y, v[4]) : y;
           }));
    return success();
  }
  if (auto stat = dyn_cast<nn::LayerNormStatOp>(op))
    return convertLayerNormStat(stat), success();
  if (auto grad = dyn_cast<nn::RmsInputGradOp>(op))
    return convertRmsInputGrad(grad), success();
  if (auto grad = dyn_cast<nn::LayerNormInputGradOp>(op))
    return convertLayerNormInputGrad(grad), success();
  return failure();
}

/// Two passes: the variance of differences from the mean does not cancel.
void Layer::convertLayerNormStat(nn::LayerNormStatOp op) {
  double eps =
      LLMC_FAULT("layer-norm-eps") ? 0.0 : op.getEps().convertToDouble();
  Value x = op.getInput();
  Value mean =
      rowMean(x, {whole(x)}, [](Scalars, ValueRange v) { return v[0]; });
  Value variance =
      rowMean(x, {whole(x), dims(mean, 0)}, [](Scalars s, ValueRange v) {
        Value centred = s.sub(v[0], v[1]);
        return s.mul(centred, centred);
      });
  Value rstd = mapRows(variance, {variance}, [&](Scalars s, ValueRange v) {
    return s.div(s.constant(1.0), s.sqrt(s.add(v[0], s.constant(eps))));
  });
  mapping.map(op.getMean(), mean);
  mapping.map(op.getRstd(), rstd);
}

void Layer::convertRmsInputGrad(nn::RmsInputGradOp op) {
  bool plusOne = op.getPlusOne();
  Value x = op.getInput();
  SmallVector<Input> inputs = {whole(x), rows(op.getRstd()),
                               trailing(op.getGain()),
                               whole(op.getCotangent())};
  auto scaled = [plusOne](Scalars s, ValueRange v) {
    return s.mul(v[3], plusOne ? s.add(v[2], s.constant(1.0)) : v[2]);
  };
  Value mean = rowMean(x, inputs, [&](Scalars s, ValueRange v) {
    return s.mul(scaled(s, v), s.mul(v[0], v[1]));
  });
  inputs.push_back(dims(mean, 0));
  result(op, map(x, inputs, [&](Scalars s, ValueRange v) {
           Value normal = s.mul(v[0], v[1]);
           return s.mul(v[1], s.sub(scaled(s, v), s.mul(normal, v[4])));
         }));
}

void Layer::convertLayerNormInputGrad(nn::LayerNormInputGradOp op) {
  Value x = op.getInput();
  SmallVector<Input> inputs = {whole(x), rows(op.getMean()), rows(op.getRstd()),
                               trailing(op.getGain()),
                               whole(op.getCotangent())};
  auto normal = [](Scalars s, ValueRange v) {
    return s.mul(s.sub(v[0], v[1]), v[2]);
  };
  auto scaled = [](Scalars s, ValueRange v) { return s.mul(v[3], v[4]); };
  Value mean =
      rowMean(x, inputs, [&](Scalars s, ValueRange v) { return scaled(s, v); });
  Value along = rowMean(x, inputs, [&](Scalars s, ValueRange v) {
    return s.mul(scaled(s, v), normal(s, v));
  });
  inputs.push_back(dims(mean, 0));
  inputs.push_back(dims(along, 0));
  result(op, map(x, inputs, [&](Scalars s, ValueRange v) {
           Value rest = s.sub(scaled(s, v), v[5]);
           return s.mul(v[2], s.sub(rest, s.mul(normal(s, v), v[6])));
         }));
}

LogicalResult Layer::convertColumns(Operation *op) {
  auto columns = [&](ArrayRef<Input> inputs, Payload payload) {
    result(op,
           sum(typeOf(op->getResult(0)), /*leading=*/true, inputs, payload));
    return success();
  };
  if (auto sum = dyn_cast<nn::SumLeadingOp>(op))
    return columns({whole(sum.getInput())},
                   [](Scalars, ValueRange v) { return v[0]; });
  if (auto grad = dyn_cast<nn::RmsWeightGradOp>(op))
    return columns(
        {whole(grad.getInput()), rows(grad.getRstd()),
         whole(grad.getCotangent())},
        [](Scalars s, ValueRange v) { return s.mul(v[2], s.mul(v[0], v[1])); });
  if (auto grad = dyn_cast<nn::LayerNormWeightGradOp>(op))
    return columns({whole(grad.getInput()), rows(grad.getMean()),
                    rows(grad.getRstd()), whole(grad.getCotangent())},
                   [](Scalars s, ValueRange v) {
                     return s.mul(v[3], s.mul(s.sub(v[0], v[1]), v[2]));
                   });
  return failure();
}

LogicalResult codegen::convertToLinalg(OpBuilder &builder, Operation *op,
                                       IRMapping &mapping) {
  return Layer(builder, op, mapping).convert(op);
}

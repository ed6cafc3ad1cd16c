// One nn layer op as linalg ops on tensors: the choice, elementwise ops,
// rotary positions and column sums.
#include "codegen/Linalg/NnToLinalg.h"
#include "codegen/Linalg/Layer.h"
#include "codegen/Linalg/RopeTable.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

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

// The pieces that the conversion of a layer op is made of.
#include "codegen/Linalg/Layer.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

Value Layer::empty(RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType());
}

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

// Emits the forward pass of an architecture as nn ops.
#include "frontend/builder/ForwardBuilder.h"

using namespace mlir;

namespace llmc::frontend {

/// The shape of x with its last dimension replaced by `features`.
static RankedTensorType withFeatures(mlir::Value x,
                                     ArrayRef<int64_t> features) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> shape(type.getShape().take_front(2));
  llvm::append_range(shape, features);
  return RankedTensorType::get(shape, type.getElementType());
}

Location ForwardBuilder::at(const SourceMark &mark, StringRef what) {
  std::string path = what.str();
  if (layer)
    path = "layers." + std::to_string(layer->index) + "." + path;
  return locate(builder.getContext(), mark, path);
}

mlir::Value ForwardBuilder::parameter(const TensorRef &tensor,
                                      ArrayRef<int64_t> shape, int64_t offset,
                                      StringRef suffix) {
  Slice slice{&tensor, SmallVector<int64_t, 4>(shape), offset, suffix};
  return parameters.get(builder, slice, group);
}

mlir::Value ForwardBuilder::build(mlir::Value tokens) {
  mlir::Value x = embed(tokens);
  for (const Layer &each : arch.layers) {
    layer = &each;
    x = items(each.items, x);
  }
  layer = nullptr;
  group = "final_norm";
  for (const Norm &norm : arch.head.norms)
    x = item(norm, x);
  return x;
}

mlir::Value ForwardBuilder::outputWeight() {
  group = arch.head.tied ? "embedding" : "head";
  return parameter(arch.head.tied ? arch.embedding.tokens
                                  : arch.head.output.weight,
                   {arch.vocabSize, arch.hiddenSize});
}

mlir::Value ForwardBuilder::embed(mlir::Value tokens) {
  const Embedding &embedding = arch.embedding;
  group = "embedding";
  Location loc = at(embedding.tokens.mark, "embedding");
  if (spec.model.documentMask) {
    auto number = [&](std::optional<int64_t> token) {
      return token ? builder.getI64IntegerAttr(*token) : IntegerAttr();
    };
    documentStarts = nn::DocumentStartOp::create(
        builder, loc, tokens.getType(), tokens, number(spec.data.endOfDocument),
        number(spec.data.startOfDocument));
  }
  mlir::Value table =
      parameter(embedding.tokens, {arch.vocabSize, arch.hiddenSize});
  auto shape = cast<RankedTensorType>(tokens.getType()).getShape();
  auto type = RankedTensorType::get({shape[0], shape[1], arch.hiddenSize},
                                    builder.getF32Type());
  mlir::Value x = nn::EmbeddingOp::create(builder, loc, type, tokens, table);
  if (embedding.multiply)
    x = nn::ScaleOp::create(builder, loc, type, x,
                            builder.getF64FloatAttr(*embedding.multiply));
  if (embedding.positions) {
    const PositionEmbedding &positions = *embedding.positions;
    group = "positions";
    mlir::Value rows =
        parameter(positions.weight, {positions.count, arch.hiddenSize});
    x = nn::AddPositionsOp::create(
        builder, at(positions.weight.mark, "positions"), type, x, rows);
  }
  return x;
}

mlir::Value ForwardBuilder::items(const std::vector<BlockItem> &list,
                                  mlir::Value x) {
  for (const BlockItem &each : list) {
    lastOfLayer = layer && &list == &layer->items && &each == &list.back();
    x = std::visit([&](const auto &one) { return item(one, x); }, each);
  }
  return x;
}

mlir::Value ForwardBuilder::item(const Residual &residual, mlir::Value x) {
  bool last = lastOfLayer; // the list inside overwrites it
  mlir::Value branch = items(residual.items, x);
  auto sum = mark(nn::AddOp::create(
      builder, at(residual.mark, "residual"), x.getType(), x, branch,
      builder.getStringAttr("residual"),
      last ? builder.getI64IntegerAttr(layer->index) : IntegerAttr()));
  return sum;
}

mlir::Value ForwardBuilder::item(const Norm &norm, mlir::Value x) {
  auto type = cast<RankedTensorType>(x.getType());
  auto rows =
      RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  Location loc = at(norm.mark, "norm");
  mlir::Value gain = parameter(norm.weight, type.getShape().back());
  FloatAttr eps = builder.getF64FloatAttr(norm.eps);
  if (norm.kind == NormKind::Rms) {
    mlir::Value rstd = mark(nn::RmsStatOp::create(builder, loc, rows, x, eps));
    return mark(nn::RmsApplyOp::create(builder, loc, type, x, rstd, gain,
                                       norm.plusOne ? builder.getUnitAttr()
                                                    : UnitAttr()));
  }
  mlir::Value bias;
  if (norm.bias)
    bias = parameter(*norm.bias, type.getShape().back());
  auto stat = mark(
      nn::LayerNormStatOp::create(builder, loc, TypeRange{rows, rows}, x, eps));
  return mark(nn::LayerNormApplyOp::create(
      builder, loc, type, x, stat.getMean(), stat.getRstd(), gain, bias));
}

mlir::Value ForwardBuilder::linear(const Linear &linear, mlir::Value x,
                                   ArrayRef<int64_t> weightShape,
                                   ArrayRef<int64_t> features,
                                   StringRef indices, int64_t offset,
                                   StringRef suffix) {
  StringRef name = linear.weight.name;
  if (layer)
    name.consume_front(layer->prefix); // the path says the layer
  Location loc = at(linear.weight.mark, name);
  RankedTensorType type = withFeatures(x, features);
  mlir::Value weight = parameter(linear.weight, weightShape, offset, suffix);
  mlir::Value y = mark(nn::ContractOp::create(
      builder, loc, type, x, weight, builder.getStringAttr(indices),
      TypeAttr::get(builder.getF32Type()), UnitAttr()));
  if (!linear.bias)
    return y;
  mlir::Value bias = parameter(*linear.bias, features, offset, suffix);
  return mark(nn::AddBiasOp::create(builder, loc, type, y, bias));
}

/// Query (0), key (1) or value (2) of every head.
mlir::Value ForwardBuilder::heads(const Attention &attention, mlir::Value x,
                                  int which) {
  int64_t count = which == 0 ? attention.heads : attention.kvHeads;
  int64_t dim = attention.headDim, hidden = arch.hiddenSize;
  SmallVector<int64_t> weightShape{count, dim, hidden};
  SmallVector<int64_t> features{count, dim};
  StringRef indices = "tbc,hdc->tbhd";
  if (!attention.qkv) {
    const Linear &own = *(which == 0   ? attention.q
                          : which == 1 ? attention.k
                                       : attention.v);
    return linear(own, x, weightShape, features, indices);
  }
  static constexpr StringRef names[] = {"q", "k", "v"};
  int64_t offset = 0;
  if (which > 0)
    offset = (attention.heads + (which - 1) * attention.kvHeads) * dim;
  return linear(*attention.qkv, x, weightShape, features, indices, offset,
                names[which]);
}

static nn::RopeScalingAttr scalingOf(MLIRContext *context,
                                     const RopeScaling &scaling) {
  if (scaling.kind == RopeScalingKind::None)
    return {};
  StringRef kind =
      scaling.kind == RopeScalingKind::Linear ? "linear" : "llama3";
  return nn::RopeScalingAttr::get(context, kind, scaling.factor,
                                  scaling.lowFreqFactor, scaling.highFreqFactor,
                                  scaling.originalMaxPositions);
}

mlir::Value ForwardBuilder::item(const Attention &attention, mlir::Value x) {
  Location loc = at(attention.mark, "attention");
  mlir::Value q = heads(attention, x, 0), k = heads(attention, x, 1),
              v = heads(attention, x, 2);
  if (const auto &rope = attention.rope) {
    FloatAttr theta = builder.getF64FloatAttr(rope->theta);
    nn::RopeScalingAttr scaling =
        scalingOf(builder.getContext(), rope->scaling);
    for (mlir::Value *each : {&q, &k})
      *each = mark(nn::RopeOp::create(builder, loc, each->getType(), *each,
                                      theta, scaling, UnitAttr()));
  }
  auto type = cast<RankedTensorType>(q.getType());
  auto lse =
      RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  IntegerAttr window;
  if (attention.window)
    window = builder.getI64IntegerAttr(*attention.window);
  // Without a window every earlier position is seen anyway.
  int64_t globals = attention.window ? spec.model.globalTokens : 0;
  auto core = mark(nn::AttentionOp::create(
      builder, loc, TypeRange{type, lse}, q, k, v, documentStarts,
      builder.getF64FloatAttr(attention.scale), window,
      builder.getI64IntegerAttr(globals)));
  return linear(attention.out, core.getResult(),
                {arch.hiddenSize, attention.heads, attention.headDim},
                {arch.hiddenSize}, "tbhd,chd->tbc");
}

mlir::Value ForwardBuilder::activate(Activation kind, mlir::Value x,
                                     Location loc) {
  Type type = x.getType();
  switch (kind) {
  case Activation::GeluTanh:
    return mark(
        nn::GeluOp::create(builder, loc, type, x, builder.getUnitAttr()));
  case Activation::Gelu:
    return mark(nn::GeluOp::create(builder, loc, type, x, UnitAttr()));
  case Activation::Silu:
    return mark(nn::SiluOp::create(builder, loc, type, x));
  case Activation::Relu:
    return mark(nn::ReluOp::create(builder, loc, type, x));
  }
  llvm_unreachable("every activation is handled");
}

mlir::Value ForwardBuilder::item(const Mlp &mlp, mlir::Value x) {
  int64_t width = mlp.width, hidden = arch.hiddenSize;
  Location loc = at(mlp.mark, "mlp");
  StringRef in = "tbc,fc->tbf", out = "tbf,cf->tbc";
  mlir::Value h;
  if (mlp.gate) {
    mlir::Value gate = linear(*mlp.gate, x, {width, hidden}, {width}, in);
    mlir::Value up = linear(mlp.up, x, {width, hidden}, {width}, in);
    gate = activate(mlp.activation, gate, loc);
    h = mark(nn::MultiplyOp::create(builder, loc, gate.getType(), gate, up));
  } else {
    h = activate(mlp.activation,
                 linear(mlp.up, x, {width, hidden}, {width}, in), loc);
  }
  return linear(mlp.down, h, {hidden, width}, {hidden}, out);
}

} // namespace llmc::frontend

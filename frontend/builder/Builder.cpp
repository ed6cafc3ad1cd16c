// From checked specs to the nn level.
#include "frontend/builder/Builder.h"

#include "frontend/builder/ForwardBuilder.h"

using namespace mlir;

namespace llmc::frontend {

namespace {
/// An argument of a program and what it is for.
struct Argument {
  StringRef role;
  Type type;
};

/// Builds the programs of one module.
class StepBuilder {
public:
  StepBuilder(ModuleOp module, const LoadedSpec &loaded)
      : loaded(loaded), builder(module.getContext()), module(module),
        parameters(module, loaded.arch) {}

  void buildLoss(StringRef name);
  void buildLogits();
  void buildUpdate();

private:
  template <typename OpT>
  OpT function(StringRef name, ArrayRef<Argument> arguments, TypeRange results);
  Location line(StringRef key, StringRef path) {
    return locate(builder.getContext(), loaded.spec.markOf(key.str()), path);
  }
  RankedTensorType tokenType(int64_t batch) {
    return RankedTensorType::get({loaded.spec.train.sequenceLength, batch},
                                 builder.getI32Type());
  }

  const LoadedSpec &loaded;
  OpBuilder builder;
  ModuleOp module;
  ParameterTable parameters;
};
} // namespace

template <typename OpT>
OpT StepBuilder::function(StringRef name, ArrayRef<Argument> arguments,
                          TypeRange results) {
  Location loc = line("model.use", name);
  SmallVector<Type> types;
  SmallVector<Attribute> roles;
  for (const Argument &argument : arguments) {
    types.push_back(argument.type);
    roles.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr("nn.role", builder.getStringAttr(argument.role))));
  }
  builder.setInsertionPointToEnd(module.getBody());
  OperationState state(loc, OpT::getOperationName());
  state.addAttribute(SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttribute("function_type",
                     TypeAttr::get(builder.getFunctionType(types, results)));
  state.addAttribute("arg_attrs", builder.getArrayAttr(roles));
  Block *body = new Block();
  state.addRegion()->push_back(body);
  for (Type type : types)
    body->addArgument(type, loc);
  auto op = cast<OpT>(builder.create(state));
  builder.setInsertionPointToStart(body);
  return op;
}

void StepBuilder::buildLoss(StringRef name) {
  const Spec &spec = loaded.spec;
  RankedTensorType tokens =
      tokenType(spec.parallel.dp * spec.train.microBatchSize);
  Type f32 = builder.getF32Type();
  auto op = function<nn::MicrobatchOp>(
      name, {{"tokens", tokens}, {"labels", tokens}, {"seed", f32}}, f32);
  ForwardBuilder forward(builder, parameters, loaded);
  mlir::Value x = forward.build(op.getBody().getArgument(0));
  mlir::Value weight = forward.outputWeight();
  auto loss = nn::CrossEntropyOp::create(
      builder, locate(builder.getContext(), loaded.arch.head.mark, "head"),
      TypeRange{f32, x.getType(), weight.getType()}, x, weight,
      op.getBody().getArgument(1), op.getBody().getArgument(2),
      builder.getI64IntegerAttr(spec.memory.logitsLimit));
  nn::YieldOp::create(builder, op.getLoc(), loss.getLoss());
}

void StepBuilder::buildLogits() {
  RankedTensorType tokens = tokenType(1);
  auto type = RankedTensorType::get(
      {tokens.getDimSize(0), 1, loaded.arch.vocabSize}, builder.getF32Type());
  auto op = function<nn::MicrobatchOp>("logits", {{"tokens", tokens}},
                                       TypeRange{type});
  ForwardBuilder forward(builder, parameters, loaded);
  mlir::Value x = forward.build(op.getBody().getArgument(0));
  mlir::Value logits = nn::ContractOp::create(
      builder, locate(builder.getContext(), loaded.arch.head.mark, "head"),
      type, x, forward.outputWeight(), builder.getStringAttr("tbc,vc->tbv"),
      TypeAttr::get(builder.getF32Type()), UnitAttr());
  nn::YieldOp::create(builder, op.getLoc(), logits);
}

void StepBuilder::buildUpdate() {
  const OptimizerSection &optimizer = loaded.spec.train.optimizer;
  Type f32 = builder.getF32Type(), i64 = builder.getI64Type();
  auto op = function<nn::UpdateOp>(
      "step", {{"lr", f32}, {"t", i64}, {"clip", f32}, {"inv_scale", f32}}, {});
  mlir::Value lr = op.getBody().getArgument(0), t = op.getBody().getArgument(1);
  Location loc = line("train.optimizer.name", "optimizer");
  mlir::Value norm = nn::GradNormSquaredOp::create(builder, loc, f32);
  auto clip = nn::ClipFactorOp::create(
      builder, loc, TypeRange{f32, builder.getI1Type()}, norm,
      op.getBody().getArgument(2), op.getBody().getArgument(3));
  auto real = [&](double value) { return builder.getF64FloatAttr(value); };
  for (nn::ParameterOp parameter : module.getOps<nn::ParameterOp>()) {
    auto symbol = FlatSymbolRefAttr::get(parameter.getSymNameAttr());
    double decay = parameter.getDecay() ? optimizer.weightDecay.value_or(0) : 0;
    if (optimizer.name == "adamw")
      nn::AdamwOp::create(builder, loc, symbol, clip.getFactor(), clip.getOk(),
                          lr, t, real(optimizer.betas[0]),
                          real(optimizer.betas[1]), real(optimizer.eps),
                          real(decay));
    else
      nn::SgdOp::create(builder, loc, symbol, clip.getFactor(), clip.getOk(),
                        lr, real(optimizer.momentum), real(decay));
  }
  nn::YieldOp::create(builder, loc);
}

OwningOpRef<ModuleOp> buildModule(MLIRContext &context,
                                  const LoadedSpec &loaded,
                                  const BuildOptions &options) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(
      locate(&context, loaded.spec.markOf("model.use"), loaded.spec.name));
  StepBuilder step(*module, loaded);
  if (options.train)
    step.buildLoss("train");
  if (options.evaluate)
    step.buildLoss("evaluate");
  if (options.logits)
    step.buildLogits();
  if (options.train)
    step.buildUpdate();
  return module;
}

} // namespace llmc::frontend

// Declares nn.parameter ops for the tensors that a model names.
#include "frontend/builder/ParameterTable.h"

using namespace mlir;

namespace llmc::frontend {

Location locate(MLIRContext *context, const SourceMark &mark, StringRef path) {
  Location line = UnknownLoc::get(context);
  if (mark.valid())
    line = FileLineColLoc::get(context, mark.file, mark.line, mark.column);
  return NameLoc::get(StringAttr::get(context, path), line);
}

static nn::InitAttr initOf(MLIRContext *context, const Init &init) {
  switch (init.kind) {
  case Init::Kind::Zeros:
    return nn::InitAttr::get(context, "zeros", 0.0);
  case Init::Kind::Ones:
    return nn::InitAttr::get(context, "ones", 0.0);
  case Init::Kind::Normal:
    return nn::InitAttr::get(context, "normal", init.std);
  }
  llvm_unreachable("every kind of initialisation is handled");
}

nn::ParameterOp ParameterTable::declare(const Slice &slice,
                                        const std::string &name,
                                        StringRef group) {
  MLIRContext *context = module.getContext();
  const TensorInfo *info = arch.findTensor(slice.tensor->name);
  // Parameters stand before the programs, in the order of their first use.
  OpBuilder builder(context);
  auto declared = module.getOps<nn::ParameterOp>();
  if (declared.empty()) {
    builder.setInsertionPointToStart(module.getBody());
  } else {
    nn::ParameterOp last;
    for (nn::ParameterOp parameter : declared)
      last = parameter;
    builder.setInsertionPointAfter(last);
  }
  auto type = RankedTensorType::get(slice.shape, builder.getF32Type());
  IntegerAttr layer;
  if (info->layer >= 0)
    layer = builder.getI64IntegerAttr(info->layer);
  return nn::ParameterOp::create(
      builder, locate(context, slice.tensor->mark, name),
      builder.getStringAttr(name), TypeAttr::get(type), layer,
      layer ? StringAttr() : builder.getStringAttr(group),
      info->decay ? builder.getUnitAttr() : UnitAttr(),
      initOf(context, info->init),
      nn::StorageAttr::get(context, info->name, info->shape, slice.offset,
                           slice.tensor->transposed));
}

mlir::Value ParameterTable::get(OpBuilder &builder, const Slice &slice,
                                StringRef group) {
  std::string name = slice.tensor->name;
  if (!slice.suffix.empty())
    name += "." + slice.suffix.str();
  auto parameter = module.lookupSymbol<nn::ParameterOp>(name);
  if (!parameter)
    parameter = declare(slice, name, group);
  return nn::GetOp::create(builder, parameter.getLoc(),
                           parameter.getTensorType(),
                           FlatSymbolRefAttr::get(parameter.getSymNameAttr()));
}

} // namespace llmc::frontend

// Parameters, micro-batches, updates as functions, and the ops that name
// parameters: text form and verifiers.
#include "dialects/Nn/NnVerify.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::nn;
using namespace llmc::nn::detail;

ParameterOp nn::lookupParameter(SymbolTableCollection &tables, Operation *op,
                                FlatSymbolRefAttr name) {
  // Inner levels bring symbol tables of their own; parameters stay outside.
  for (Operation *table = op->getParentOp(); table;
       table = table->getParentOp()) {
    if (!table->hasTrait<OpTrait::SymbolTable>())
      continue;
    if (Operation *found = tables.lookupSymbolIn(table, name.getAttr()))
      return dyn_cast<ParameterOp>(found);
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// ParameterOp
//===----------------------------------------------------------------------===//

/// The parameter as an (out, in) matrix must be a slice of the file's tensor.
static LogicalResult verifyStorage(ParameterOp op, StorageAttr storage) {
  ArrayRef<int64_t> shape = storage.getShape();
  int64_t out = shape.front(), in = shape.size() == 2 ? shape.back() : 1;
  if (storage.getTransposed())
    std::swap(out, in);
  int64_t elements = op.getTensorType().getNumElements();
  if (elements % in != 0)
    return op.emitOpError() << "found " << elements
                            << " elements, expected a multiple of the stored "
                               "rows' size "
                            << in;
  if (elements / in > out - storage.getOffset())
    return op.emitOpError()
           << "found rows " << storage.getOffset() << " to "
           << storage.getOffset() + elements / in << " of '"
           << storage.getFile() << "', expected at most " << out;
  return success();
}

LogicalResult ParameterOp::verify() {
  RankedTensorType type = getTensorType();
  for (int64_t size : type.getShape())
    if (size < 1)
      return emitOpError() << "found " << type
                           << ", expected static sizes of at least 1";
  if (failed(expectAtLeast(*this, "layer", getLayer(), 0)))
    return failure();
  if (getLayer() && getGroup())
    return emitOpError() << "found both layer " << *getLayer() << " and group '"
                         << *getGroup() << "', expected one of them";
  if (getStorage())
    return verifyStorage(*this, *getStorage());
  return success();
}

//===----------------------------------------------------------------------===//
// MicrobatchOp and UpdateOp
//===----------------------------------------------------------------------===//

namespace {

/// One role that an argument may have, and its type.
struct Role {
  StringRef name;
  bool (*accepts)(Type);
  StringRef type;
};

} // namespace

static bool isTokenType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 2 && tensor.hasStaticShape() &&
         tensor.getElementType().isInteger(32);
}

static const Role microbatchRoles[] = {
    {"tokens", isTokenType, "a tensor of i32 of rank 2"},
    {"labels", isTokenType, "a tensor of i32 of rank 2"},
    {"seed", [](Type type) { return type.isF32(); }, "f32"},
    {"data", [](Type) { return true; }, ""},
};

static const Role updateRoles[] = {
    {"lr", [](Type type) { return type.isF32(); }, "f32"},
    {"t", [](Type type) { return type.isInteger(64); }, "i64"},
    {"clip", [](Type type) { return type.isF32(); }, "f32"},
    {"inv_scale", [](Type type) { return type.isF32(); }, "f32"},
};

static LogicalResult verifyRoles(FunctionOpInterface op,
                                 ArrayRef<Role> allowed) {
  llvm::SmallVector<StringRef> seen;
  for (unsigned i = 0, e = op.getNumArguments(); i != e; ++i) {
    auto role = op.getArgAttrOfType<StringAttr>(i, "nn.role");
    const Role *match = nullptr;
    for (const Role &candidate : allowed)
      if (role && role.getValue() == candidate.name)
        match = &candidate;
    if (!match) {
      InFlightDiagnostic error = op->emitOpError();
      error << "found argument " << i << " with ";
      if (role)
        error << "role '" << role.getValue() << "'";
      else
        error << "no 'nn.role'";
      error << ", expected one of ";
      llvm::interleaveComma(allowed, error, [&](const Role &candidate) {
        error << "'" << candidate.name << "'";
      });
      return error;
    }
    Type type = op.getArgumentTypes()[i];
    if (!match->accepts(type))
      return op->emitOpError() << "found " << type << " with role '"
                               << match->name << "', expected " << match->type;
    if (match->name != "data" && llvm::is_contained(seen, match->name))
      return op->emitOpError() << "found role '" << match->name
                               << "' twice, expected it at most once";
    seen.push_back(match->name);
  }
  return success();
}

static LogicalResult verifyYield(FunctionOpInterface op) {
  Block &block = op.getFunctionBody().front();
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError()
           << "found a body without terminator, expected 'nn.yield'";
  if (TypeRange(yield.getOperandTypes()) == TypeRange(op.getResultTypes()))
    return success();
  return yield.emitOpError()
         << "found types (" << yield.getOperandTypes()
         << "), expected the results (" << op.getResultTypes() << ")";
}

static ParseResult parseFunction(OpAsmParser &parser, OperationState &result,
                                 StringAttr typeName, StringAttr argAttrsName,
                                 StringAttr resAttrsName) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, typeName, buildType,
      argAttrsName, resAttrsName);
}

ParseResult MicrobatchOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction(parser, result, getFunctionTypeAttrName(result.name),
                       getArgAttrsAttrName(result.name),
                       getResAttrsAttrName(result.name));
}

void MicrobatchOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult MicrobatchOp::verify() {
  if (failed(verifyRoles(*this, microbatchRoles)))
    return failure();
  return verifyYield(*this);
}

ParseResult UpdateOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction(parser, result, getFunctionTypeAttrName(result.name),
                       getArgAttrsAttrName(result.name),
                       getResAttrsAttrName(result.name));
}

void UpdateOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult UpdateOp::verify() {
  if (failed(verifyRoles(*this, updateRoles)))
    return failure();
  return verifyYield(*this);
}

void YieldOp::build(OpBuilder &, OperationState &) {}

//===----------------------------------------------------------------------===//
// Uses of parameters
//===----------------------------------------------------------------------===//

static FailureOr<ParameterOp> findParameter(Operation *op,
                                            FlatSymbolRefAttr name,
                                            SymbolTableCollection &tables) {
  if (ParameterOp parameter = lookupParameter(tables, op, name))
    return parameter;
  return op->emitOpError() << "found " << name
                           << ", expected the name of an 'nn.parameter'";
}

static LogicalResult verifyUse(Operation *op, FlatSymbolRefAttr name, Type type,
                               SymbolTableCollection &tables) {
  FailureOr<ParameterOp> parameter = findParameter(op, name, tables);
  if (failed(parameter))
    return failure();
  if (parameter->getTensorType() == type)
    return success();
  return op->emitOpError() << "found type " << type << ", expected "
                           << parameter->getTensorType() << ", the type of "
                           << name;
}

LogicalResult GetOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyUse(*this, getParameterAttr(), getResult().getType(), tables);
}

LogicalResult AccumulateOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyUse(*this, getParameterAttr(), getValue().getType(), tables);
}

static LogicalResult verifyDecay(Operation *op, FlatSymbolRefAttr name,
                                 double weightDecay,
                                 SymbolTableCollection &tables) {
  FailureOr<ParameterOp> parameter = findParameter(op, name, tables);
  if (failed(parameter))
    return failure();
  if (parameter->getDecay() || weightDecay == 0)
    return success();
  return op->emitOpError() << "found weight decay " << weightDecay << " for "
                           << name << " outside the decay class, expected 0";
}

LogicalResult AdamwOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyDecay(*this, getParameterAttr(),
                     getWeightDecay().convertToDouble(), tables);
}

LogicalResult SgdOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyDecay(*this, getParameterAttr(),
                     getWeightDecay().convertToDouble(), tables);
}

// Mesh, buckets and functions of the dist dialect: text form and verifiers.
#include "dialects/Dist/Dist.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::dist;

//===----------------------------------------------------------------------===//
// Custom directives of the assembly formats
//===----------------------------------------------------------------------===//

static ParseResult parseAxes(OpAsmParser &parser, ArrayAttr &axes) {
  SmallVector<Attribute> names;
  auto parseAxis = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    names.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis))
    return failure();
  axes = parser.getBuilder().getArrayAttr(names);
  return success();
}

static void printAxes(OpAsmPrinter &printer, Operation *, ArrayAttr axes) {
  printer << '[';
  llvm::interleaveComma(
      axes.getAsRange<StringAttr>(), printer,
      [&](StringAttr axis) { printer.printKeywordOrString(axis.getValue()); });
  printer << ']';
}

static ParseResult parseMeshAxes(OpAsmParser &parser, ArrayAttr &axes,
                                 DenseI64ArrayAttr &sizes) {
  SmallVector<Attribute> names;
  SmallVector<int64_t> numbers;
  auto parseAxis = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name) || parser.parseEqual() ||
        parser.parseInteger(numbers.emplace_back()))
      return failure();
    names.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis))
    return failure();
  axes = parser.getBuilder().getArrayAttr(names);
  sizes = parser.getBuilder().getDenseI64ArrayAttr(numbers);
  return success();
}

static void printMeshAxes(OpAsmPrinter &printer, MeshOp, ArrayAttr axes,
                          DenseI64ArrayAttr sizes) {
  printer << '[';
  auto pairs = llvm::zip(axes.getAsRange<StringAttr>(), sizes.asArrayRef());
  llvm::interleaveComma(pairs, printer, [&](auto pair) {
    printer.printKeywordOrString(std::get<0>(pair).getValue());
    printer << " = " << std::get<1>(pair);
  });
  printer << ']';
}

static ParseResult parseEntries(OpAsmParser &parser, ArrayAttr &entries) {
  SmallVector<Attribute> found;
  if (parser.parseLBrace())
    return failure();
  while (failed(parser.parseOptionalRBrace())) {
    FlatSymbolRefAttr name;
    RankedTensorType type;
    int64_t offset = 0;
    if (parser.parseAttribute(name) || parser.parseColonType(type) ||
        parser.parseKeyword("at") || parser.parseInteger(offset))
      return failure();
    found.push_back(EntryAttr::get(parser.getContext(), name, type, offset));
  }
  entries = parser.getBuilder().getArrayAttr(found);
  return success();
}

static void printEntries(OpAsmPrinter &printer, BucketOp op, ArrayAttr) {
  printer << '{';
  printer.increaseIndent();
  for (EntryAttr entry : op.entries()) {
    printer.printNewline();
    printer << entry.getParameter() << " : " << entry.getType() << " at "
            << entry.getOffset();
  }
  printer.decreaseIndent();
  printer.printNewline();
  printer << '}';
}

#define GET_OP_CLASSES
#include "dialects/Dist/DistOps.cpp.inc"

//===----------------------------------------------------------------------===//
// MeshOp
//===----------------------------------------------------------------------===//

LogicalResult MeshOp::verify() {
  if (getAxes().size() != getSizes().size())
    return emitOpError() << "found " << getSizes().size() << " sizes for "
                         << getAxes().size() << " axes, expected one each";
  llvm::StringSet<> seen;
  for (auto axis : getAxes().getAsRange<StringAttr>())
    if (!seen.insert(axis.getValue()).second)
      return emitOpError() << "found axis '" << axis.getValue()
                           << "' twice, expected it once";
  int64_t ranks = 1;
  for (int64_t size : getSizes()) {
    if (size < 1)
      return emitOpError() << "found size " << size << ", expected at least 1";
    if (llvm::MulOverflow(ranks, size, ranks))
      return emitOpError()
             << "found more than 2^63 ranks, expected a smaller mesh";
  }
  return success();
}

std::optional<int64_t> MeshOp::getAxisSize(StringRef axis) {
  for (auto [name, size] :
       llvm::zip(getAxes().getAsRange<StringAttr>(), getSizes()))
    if (name.getValue() == axis)
      return size;
  return std::nullopt;
}

int64_t MeshOp::getNumRanks() {
  int64_t ranks = 1;
  for (int64_t size : getSizes())
    ranks *= size;
  return ranks;
}

//===----------------------------------------------------------------------===//
// BucketOp
//===----------------------------------------------------------------------===//

/// Entries in ascending order, aligned, disjoint, each parameter once, all of
/// one element type. Gives the end of the last.
static FailureOr<int64_t> verifyEntries(BucketOp op) {
  llvm::StringSet<> seen;
  Type elementType;
  int64_t end = 0;
  for (EntryAttr entry : op.entries()) {
    FlatSymbolRefAttr name = entry.getParameter();
    if (!seen.insert(name.getValue()).second)
      return op.emitOpError() << "found " << name << " twice, expected it once";
    std::optional<int64_t> size = countElements(entry.getType());
    if (!size)
      return op.emitOpError() << "found " << entry.getType() << " for " << name
                              << ", expected a static type";
    if (elementType && elementType != entry.getType().getElementType())
      return op.emitOpError()
             << "found element type " << entry.getType().getElementType()
             << " for " << name << ", expected " << elementType;
    elementType = entry.getType().getElementType();
    if (entry.getOffset() % BucketOp::kAlignment != 0)
      return op.emitOpError()
             << "found " << name << " at " << entry.getOffset()
             << ", expected a multiple of " << BucketOp::kAlignment;
    if (entry.getOffset() < end)
      return op.emitOpError()
             << "found " << name << " at " << entry.getOffset()
             << ", expected at least " << end << ", where the last one ends";
    if (llvm::AddOverflow(entry.getOffset(), *size, end))
      return op.emitOpError() << "found " << name << " at " << entry.getOffset()
                              << ", expected a smaller number";
  }
  return end;
}

/// A border between classes lies at the start of an entry or at the end.
static LogicalResult verifyBorder(BucketOp op, StringRef name, int64_t border) {
  if (border < 0 || border > static_cast<int64_t>(op.getElements()))
    return op.emitOpError() << "found " << name << " " << border
                            << ", expected 0 to " << op.getElements();
  for (EntryAttr entry : op.entries())
    if (border > entry.getOffset() && border < entry.getEnd())
      return op.emitOpError()
             << "found " << name << " " << border << " inside "
             << entry.getParameter() << ", expected a border of tensors";
  return success();
}

LogicalResult BucketOp::verify() {
  if (getLayout() == "by_tensor")
    return emitOpError() << "found layout 'by_tensor', which is not "
                            "implemented yet, expected 'flat'";
  if (getLayout() != "flat")
    return emitOpError() << "found layout '" << getLayout()
                         << "', expected 'flat'";
  if (getEntries().empty())
    return emitOpError() << "found no entry, expected at least one";
  FailureOr<int64_t> end = verifyEntries(*this);
  if (failed(end))
    return failure();
  int64_t elements = getElements(), padded = getPadded(),
          shard = getShardElements();
  if (elements != *end)
    return emitOpError() << "found elements " << elements << ", expected "
                         << *end << ", where the last tensor ends";
  if (padded < elements || padded % kAlignment != 0)
    return emitOpError() << "found padded " << padded
                         << ", expected a multiple of " << kAlignment
                         << " of at least " << elements;
  if (shard < 1 || padded % shard != 0 || shard % kAlignment != 0)
    return emitOpError() << "found shard_elements " << shard
                         << ", expected a divisor of " << padded
                         << " and multiple of " << kAlignment;
  if (failed(verifyBorder(*this, "decay_below", getDecayBelow())))
    return failure();
  return verifyBorder(*this, "replicated_over_tp_from",
                      getReplicatedOverTpFrom());
}

EntryAttr BucketOp::lookup(StringRef parameter) {
  for (EntryAttr entry : entries())
    if (entry.getParameter().getValue() == parameter)
      return entry;
  return {};
}

//===----------------------------------------------------------------------===//
// FuncOp and ReturnOp
//===----------------------------------------------------------------------===//

ParseResult dist::parseStagedFunction(OpAsmParser &parser,
                                      OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<FragmentKind> kind = symbolizeFragmentKind(keyword);
  if (!kind)
    return parser.emitError(loc)
           << "found '" << keyword
           << "', expected forward, backward, update, evaluate or logits";
  StringAttr name;
  int64_t stage = 0;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> results;
  SmallVector<DictionaryAttr> resultAttrs;
  bool isVariadic = false;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes) ||
      parser.parseKeyword("stage") || parser.parseInteger(stage) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, results,
          resultAttrs) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SmallVector<Type> types;
  for (const OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  result.addAttribute("function_type",
                      TypeAttr::get(builder.getFunctionType(types, results)));
  result.addAttribute("kind",
                      FragmentKindAttr::get(result.getContext(), *kind));
  result.addAttribute("stage", builder.getI64IntegerAttr(stage));
  call_interface_impl::addArgAndResultAttrs(
      builder, result, arguments, resultAttrs,
      builder.getStringAttr("arg_attrs"), builder.getStringAttr("res_attrs"));
  return parser.parseRegion(*result.addRegion(), arguments);
}

void dist::printStagedFunction(OpAsmPrinter &printer, FunctionOpInterface op,
                               FragmentKind kind, uint64_t stage) {
  printer << ' ' << stringifyFragmentKind(kind) << ' ';
  printer.printSymbolName(SymbolTable::getSymbolName(op).getValue());
  printer << " stage " << stage;
  function_interface_impl::printFunctionSignature(
      printer, op, op.getArgumentTypes(), /*isVariadic=*/false,
      op.getResultTypes());
  function_interface_impl::printFunctionAttributes(
      printer, op,
      {"function_type", "arg_attrs", "res_attrs", "kind", "stage"});
  printer << ' ';
  printer.printRegion(op.getFunctionBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult dist::verifyReturn(Operation *terminator) {
  auto function = cast<FunctionOpInterface>(terminator->getParentOp());
  if (TypeRange(terminator->getOperandTypes()) ==
      TypeRange(function.getResultTypes()))
    return success();
  return terminator->emitOpError()
         << "found types (" << terminator->getOperandTypes()
         << "), expected the results (" << function.getResultTypes() << ")";
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseStagedFunction(parser, result);
}

void FuncOp::print(OpAsmPrinter &printer) {
  printStagedFunction(printer, *this, getKind(), getStage());
}

LogicalResult FuncOp::verify() {
  if (static_cast<int64_t>(getStage()) < 0)
    return emitOpError() << "found stage " << static_cast<int64_t>(getStage())
                         << ", expected at least 0";
  return success();
}

void ReturnOp::build(OpBuilder &, OperationState &) {}

LogicalResult ReturnOp::verify() { return verifyReturn(*this); }

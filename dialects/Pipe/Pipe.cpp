// The pipe dialect's registration, its version in bytecode, its attributes.
#include "dialects/Pipe/Pipe.h"
#include "dialects/Interfaces/Bytecode.h"

using namespace mlir;
using namespace llmc::pipe;

#include "dialects/Pipe/PipeDialect.cpp.inc"

#include "dialects/Pipe/PipeEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Pipe/PipeAttrs.cpp.inc"

void PipeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Pipe/PipeOps.cpp.inc"
      >();
  registerAttributes();
  addInterface<llmc::VersionedBytecode>(kVersion);
}

void PipeDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Pipe/PipeAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// SourceAttr
//===----------------------------------------------------------------------===//

static bool isSymbolic(SourceKind kind) {
  return kind != SourceKind::input && kind != SourceKind::scalar;
}

static bool isIndexed(SourceKind kind) {
  return kind == SourceKind::input || kind == SourceKind::saved;
}

Attribute SourceAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<SourceKind> kind = FieldParser<SourceKind>::parse(parser);
  if (failed(kind))
    return {};
  StringAttr name;
  if (isSymbolic(*kind)) {
    if (parser.parseSymbolName(name))
      return {};
  } else {
    std::string text;
    if (parser.parseString(&text))
      return {};
    name = parser.getBuilder().getStringAttr(text);
  }
  int64_t index = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (isIndexed(*kind) && parser.parseInteger(index))
    return {};
  if (index < 0) {
    parser.emitError(loc) << "found index " << index << ", expected at least 0";
    return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), *kind, name, index);
}

void SourceAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifySourceKind(getKind()) << ' ';
  if (isSymbolic(getKind()))
    printer.printSymbolName(getName().getValue());
  else
    printer.printString(getName().getValue());
  if (isIndexed(getKind()))
    printer << ' ' << getIndex();
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Attributes of arguments and results
//===----------------------------------------------------------------------===//

LogicalResult PipeDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                    unsigned,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == kSource && isa<SourceAttr>(attribute.getValue()))
    return success();
  return op->emitError() << "found argument attribute "
                         << attribute.getName().getValue() << " = "
                         << attribute.getValue() << ", expected " << kSource
                         << " = #pipe.source<...>";
}

LogicalResult
PipeDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                         NamedAttribute attribute) {
  if (attribute.getName() == kResult && isa<ResultAttr>(attribute.getValue()))
    return success();
  return op->emitError() << "found result attribute "
                         << attribute.getName().getValue() << " = "
                         << attribute.getValue() << ", expected " << kResult
                         << " = #pipe.result<...>";
}

SourceAttr llmc::pipe::getSource(FunctionOpInterface function,
                                 unsigned argument) {
  return function.getArgAttrOfType<SourceAttr>(argument, PipeDialect::kSource);
}

ResultAttr llmc::pipe::getResult(FunctionOpInterface function,
                                 unsigned result) {
  return function.getResultAttrOfType<ResultAttr>(result, PipeDialect::kResult);
}

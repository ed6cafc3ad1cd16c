// Attributes and types of the dist dialect: text form and verifiers.
#include "dialects/Dist/Dist.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::dist;

#include "dialects/Dist/DistEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Dist/DistAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Dist/DistTypes.cpp.inc"

void DistDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Dist/DistAttrs.cpp.inc"
      >();
}

void DistDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Dist/DistTypes.cpp.inc"
      >();
}

/// A set of axes, `{dp, tp}`.
static FailureOr<ArrayAttr> parseAxisSet(AsmParser &parser) {
  SmallVector<Attribute> axes;
  auto parseAxis = [&]() -> ParseResult {
    std::string axis;
    if (parser.parseKeywordOrString(&axis))
      return failure();
    axes.push_back(parser.getBuilder().getStringAttr(axis));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseAxis))
    return failure();
  return parser.getBuilder().getArrayAttr(axes);
}

static void printAxisSet(AsmPrinter &printer, ArrayAttr axes) {
  printer << '{';
  llvm::interleaveComma(
      axes.getAsRange<StringAttr>(), printer,
      [&](StringAttr axis) { printer.printKeywordOrString(axis.getValue()); });
  printer << '}';
}

//===----------------------------------------------------------------------===//
// ShardingAttr
//===----------------------------------------------------------------------===//

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  SmallVector<Attribute> dimensions;
  auto parseDimension = [&]() -> ParseResult {
    FailureOr<ArrayAttr> axes = parseAxisSet(parser);
    if (failed(axes))
      return failure();
    dimensions.push_back(*axes);
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseCommaSeparatedList(
                                AsmParser::Delimiter::Square, parseDimension))
    return {};
  ArrayAttr unreduced = parser.getBuilder().getArrayAttr({});
  bool isMax = false;
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("unreduced"))
      return {};
    isMax = succeeded(parser.parseOptionalKeyword("max"));
    FailureOr<ArrayAttr> axes = parseAxisSet(parser);
    if (failed(axes))
      return {};
    unreduced = *axes;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ShardingAttr>(
      loc, parser.getContext(), parser.getBuilder().getArrayAttr(dimensions),
      unreduced, isMax);
}

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getDimensions().getAsRange<ArrayAttr>(), printer,
                        [&](ArrayAttr axes) { printAxisSet(printer, axes); });
  printer << ']';
  if (!getUnreduced().empty()) {
    printer << ", unreduced " << (getIsMax() ? "max " : "");
    printAxisSet(printer, getUnreduced());
  }
  printer << '>';
}

LogicalResult
ShardingAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     ArrayAttr dimensions, ArrayAttr unreduced, bool isMax) {
  llvm::StringSet<> seen;
  auto verifyAxes = [&](ArrayAttr axes) -> LogicalResult {
    for (auto axis : axes.getAsRange<StringAttr>())
      if (!seen.insert(axis.getValue()).second)
        return emitError() << "found axis '" << axis.getValue()
                           << "' twice, expected it at most once";
    return success();
  };
  for (auto axes : dimensions.getAsRange<ArrayAttr>())
    if (failed(verifyAxes(axes)))
      return failure();
  if (isMax && unreduced.empty())
    return emitError()
           << "found 'unreduced max' without axes, expected at least one";
  return verifyAxes(unreduced);
}

bool ShardingAttr::isReplicated() {
  return getUnreduced().empty() &&
         llvm::all_of(getDimensions().getAsRange<ArrayAttr>(),
                      [](ArrayAttr axes) { return axes.empty(); });
}

//===----------------------------------------------------------------------===//
// RangeAttr
//===----------------------------------------------------------------------===//

Attribute RangeAttr::parse(AsmParser &parser, Type) {
  std::string axis;
  int64_t stride = 0, size = 0;
  if (parser.parseLess() || parser.parseKeywordOrString(&axis) ||
      parser.parseStar() || parser.parseInteger(stride) ||
      parser.parseComma() || parser.parseInteger(size) || parser.parseGreater())
    return {};
  return get(parser.getContext(), parser.getBuilder().getStringAttr(axis),
             stride, size);
}

void RangeAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printKeywordOrString(getAxis().getValue());
  printer << " * " << getStride() << ", " << getSize() << '>';
}

//===----------------------------------------------------------------------===//
// BucketType
//===----------------------------------------------------------------------===//

Type BucketType::parse(AsmParser &parser) {
  FlatSymbolRefAttr bucket;
  Type elementType;
  if (parser.parseLess() || parser.parseAttribute(bucket) ||
      parser.parseComma())
    return {};
  FailureOr<Role> role = FieldParser<Role>::parse(parser);
  if (failed(role) || parser.parseComma() || parser.parseType(elementType))
    return {};
  ArrayAttr partial = parser.getBuilder().getArrayAttr({});
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("partial"))
      return {};
    FailureOr<ArrayAttr> axes = parseAxisSet(parser);
    if (failed(axes))
      return {};
    partial = *axes;
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), bucket, *role, elementType, partial);
}

void BucketType::print(AsmPrinter &printer) const {
  printer << '<' << getBucket() << ", " << stringifyRole(getRole()) << ", "
          << getElementType();
  if (!getPartial().empty()) {
    printer << ", partial ";
    printAxisSet(printer, getPartial());
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

FlatSymbolRefAttr dist::getBucketName(Type type) {
  if (auto bucket = dyn_cast<BucketType>(type))
    return bucket.getBucket();
  if (auto shard = dyn_cast<ShardType>(type))
    return shard.getBucket();
  return {};
}

Role dist::getRole(Type type) {
  if (auto bucket = dyn_cast<BucketType>(type))
    return bucket.getRole();
  return cast<ShardType>(type).getRole();
}

std::optional<int64_t> dist::countElements(RankedTensorType type) {
  int64_t elements = 1;
  for (int64_t size : type.getShape())
    if (size < 1 || llvm::MulOverflow(elements, size, elements))
      return std::nullopt;
  return elements;
}

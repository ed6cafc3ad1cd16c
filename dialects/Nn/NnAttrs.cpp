// Attributes of the nn dialect: text form and verifiers.
#include "dialects/Nn/Nn.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace llmc::nn;

#define GET_ATTRDEF_CLASSES
#include "dialects/Nn/NnAttrs.cpp.inc"

void NnDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Nn/NnAttrs.cpp.inc"
      >();
}

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static bool isPositive(double value) {
  return std::isfinite(value) && value > 0;
}

static void printReal(AsmPrinter &printer, double value) {
  printer.printFloat(APFloat(value));
}

//===----------------------------------------------------------------------===//
// RopeScalingAttr
//===----------------------------------------------------------------------===//

LogicalResult RopeScalingAttr::verify(EmitError emitError, StringRef kind,
                                      Real factor, Real lowFreqFactor,
                                      Real highFreqFactor,
                                      int64_t originalMaxPositions) {
  if (kind != "linear" && kind != "llama3")
    return emitError() << "found rope scaling kind '" << kind
                       << "', expected 'linear' or 'llama3'";
  if (!isPositive(factor))
    return emitError() << "found rope scaling factor " << double(factor)
                       << ", expected a positive number";
  if (kind == "linear")
    return success();
  if (!isPositive(lowFreqFactor) || !isPositive(highFreqFactor) ||
      double(lowFreqFactor) >= double(highFreqFactor))
    return emitError() << "found frequency factors " << double(lowFreqFactor)
                       << " and " << double(highFreqFactor)
                       << ", expected 0 < low < high";
  if (originalMaxPositions < 1)
    return emitError() << "found " << originalMaxPositions
                       << " original positions, expected at least 1";
  return success();
}

Attribute RopeScalingAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::string kind;
  double factor = 0, low = 0, high = 0;
  int64_t original = 0;
  if (parser.parseLess() || parser.parseString(&kind) || parser.parseComma() ||
      parser.parseFloat(factor))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseFloat(low) || parser.parseComma() ||
       parser.parseFloat(high) || parser.parseComma() ||
       parser.parseInteger(original)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<RopeScalingAttr>(loc, parser.getContext(), kind,
                                            Real(factor), Real(low), Real(high),
                                            original);
}

void RopeScalingAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getKind());
  printer << ", ";
  printReal(printer, getFactor());
  if (getKind() != "linear" || getLowFreqFactor() != 0 ||
      getHighFreqFactor() != 0 || getOriginalMaxPositions() != 0) {
    printer << ", ";
    printReal(printer, getLowFreqFactor());
    printer << ", ";
    printReal(printer, getHighFreqFactor());
    printer << ", " << getOriginalMaxPositions();
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// StorageAttr
//===----------------------------------------------------------------------===//

LogicalResult StorageAttr::verify(EmitError emitError, StringRef file,
                                  ArrayRef<int64_t> shape, int64_t offset,
                                  bool transposed) {
  if (file.empty())
    return emitError() << "found an empty tensor name, expected a name";
  if (shape.empty() || shape.size() > 2)
    return emitError() << "found a stored shape of rank " << shape.size()
                       << ", expected 1 or 2";
  for (int64_t size : shape)
    if (size < 1 || size > (int64_t(1) << 40))
      return emitError() << "found stored size " << size
                         << ", expected 1 to 2^40";
  if (transposed && shape.size() != 2)
    return emitError() << "found a transposed vector, expected a matrix";
  if (offset < 0)
    return emitError() << "found offset " << offset << ", expected at least 0";
  return success();
}

Attribute StorageAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::string file;
  SmallVector<int64_t> shape;
  int64_t offset = 0;
  bool transposed = false;
  auto parseSize = [&] { return parser.parseInteger(shape.emplace_back()); };
  if (parser.parseLess() || parser.parseString(&file) || parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseSize) ||
      parser.parseComma() || parser.parseInteger(offset))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("transposed"))
      return {};
    transposed = true;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<StorageAttr>(loc, parser.getContext(), file, shape,
                                        offset, transposed);
}

void StorageAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getFile());
  printer << ", [";
  llvm::interleaveComma(getShape(), printer);
  printer << "], " << getOffset();
  if (getTransposed())
    printer << ", transposed";
  printer << ">";
}

//===----------------------------------------------------------------------===//
// InitAttr
//===----------------------------------------------------------------------===//

LogicalResult InitAttr::verify(EmitError emitError, StringRef kind, Real std) {
  if (kind != "zeros" && kind != "ones" && kind != "normal")
    return emitError() << "found initial value '" << kind
                       << "', expected 'zeros', 'ones' or 'normal'";
  if (kind == "normal" ? !isPositive(std) : double(std) != 0)
    return emitError() << "found standard deviation " << double(std) << " of '"
                       << kind << "', expected "
                       << (kind == "normal" ? "a positive number" : "0");
  return success();
}

Attribute InitAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::string kind;
  double std = 0;
  if (parser.parseLess() || parser.parseString(&kind))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseFloat(std))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<InitAttr>(loc, parser.getContext(), kind, Real(std));
}

void InitAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getKind());
  if (getStd() != 0) {
    printer << ", ";
    printReal(printer, getStd());
  }
  printer << ">";
}

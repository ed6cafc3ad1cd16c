// What the verifiers of the nn ops share: one check, one diagnostic.
#include "dialects/Nn/NnVerify.h"
#include <cmath>

using namespace mlir;

namespace llmc::nn::detail {

static std::string text(ArrayRef<int64_t> shape) {
  std::string result = "[";
  llvm::raw_string_ostream stream(result);
  llvm::interleaveComma(shape, stream);
  return result + "]";
}

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

ArrayRef<int64_t> rowsOf(Value value) { return shapeOf(value).drop_back(); }

LogicalResult verifyStaticShapes(Operation *op) {
  auto check = [&](Type type) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor ||
        llvm::all_of(tensor.getShape(), [](int64_t size) { return size >= 1; }))
      return success();
    return op->emitOpError()
           << "found " << tensor << ", expected static sizes of at least 1";
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  return success();
}

LogicalResult expectRank(Operation *op, StringRef name, Value value,
                         int64_t rank) {
  int64_t found = shapeOf(value).size();
  if (found == rank)
    return success();
  return op->emitOpError() << "found '" << name << "' of rank " << found
                           << ", expected " << rank;
}

LogicalResult expectRankAtLeast(Operation *op, StringRef name, Value value,
                                int64_t rank) {
  int64_t found = shapeOf(value).size();
  if (found >= rank)
    return success();
  return op->emitOpError() << "found '" << name << "' of rank " << found
                           << ", expected at least " << rank;
}

LogicalResult expectShape(Operation *op, StringRef name, Value value,
                          ArrayRef<int64_t> expected) {
  if (shapeOf(value) == expected)
    return success();
  return op->emitOpError() << "found '" << name << "' of shape "
                           << text(shapeOf(value)) << ", expected "
                           << text(expected);
}

LogicalResult expectType(Operation *op, StringRef name, Value value,
                         Type expected) {
  if (value.getType() == expected)
    return success();
  return op->emitOpError() << "found '" << name << "' of type "
                           << value.getType() << ", expected " << expected;
}

LogicalResult expectAtLeast(Operation *op, StringRef name,
                            std::optional<int64_t> value, int64_t minimum) {
  if (!value || *value >= minimum)
    return success();
  return op->emitOpError() << "found '" << name << "' = " << *value
                           << ", expected at least " << minimum;
}

LogicalResult expectInRange(Operation *op, StringRef name, double value,
                            double low, double high) {
  if (value >= low && value < high)
    return success();
  return op->emitOpError() << "found '" << name << "' = " << value
                           << ", expected a number in [" << low << ", " << high
                           << ")";
}

LogicalResult expectPositive(Operation *op, StringRef name, double value) {
  if (std::isfinite(value) && value > 0)
    return success();
  return op->emitOpError() << "found '" << name << "' = " << value
                           << ", expected a positive number";
}

} // namespace llmc::nn::detail

// Construction of interpreter values.
#include "codegen/Reference/Value.h"

namespace llmc::reference {

int64_t elementsOf(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

llvm::ArrayRef<int64_t> shapeOf(mlir::Type type) {
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
    return tensor.getShape();
  return {};
}

Value Value::zeros(llvm::ArrayRef<int64_t> shape) {
  return {shape.vec(), std::vector<double>(elementsOf(shape), 0.0)};
}

Value Value::zeros(mlir::Type type) { return zeros(shapeOf(type)); }

void addInto(Value &sum, const Value &addend) {
  for (int64_t i = 0; i < sum.size(); ++i)
    sum[i] += addend[i];
}

} // namespace llmc::reference

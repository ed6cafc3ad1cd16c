// Folds of the nn ops: only those that leave fewer ops behind.
#include "dialects/Nn/Nn.h"

using namespace mlir;
using namespace llmc::nn;

OpFoldResult ScaleOp::fold(FoldAdaptor) {
  if (getFactor().isExactlyValue(1.0))
    return getInput();
  // A scale of a scale is one scale, unless the product leaves float64.
  auto inner = getInput().getDefiningOp<ScaleOp>();
  if (!inner)
    return {};
  double product =
      getFactor().convertToDouble() * inner.getFactor().convertToDouble();
  if (!APFloat(product).isFinite())
    return {};
  setFactor(APFloat(product));
  getInputMutable().assign(inner.getInput());
  return getResult();
}

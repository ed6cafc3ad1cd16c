// Cosines and sines of rotary position embeddings, known at compile time.
#include "codegen/Linalg/RopeTable.h"
#include <cmath>

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

RopeTable codegen::makeRopeTable(nn::RopeOp op) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  int64_t positions = type.getShape().front(), size = type.getShape().back();
  SmallVector<double> frequencies = nn::ropeFrequencies(
      size, op.getTheta().convertToDouble(), op.getScalingAttr());
  std::vector<float> cosines, sines;
  for (int64_t t = 0; t < positions; ++t)
    for (double frequency : frequencies) {
      cosines.push_back(std::cos(t * frequency));
      sines.push_back(std::sin(t * frequency));
    }
  std::vector<float> signs(size, op.getInverse() ? -1.0f : 1.0f);
  for (int64_t d = 0; d < size / 2; ++d)
    signs[d] = -signs[d];
  Type f32 = Float32Type::get(op.getContext());
  auto table = RankedTensorType::get({positions, size / 2}, f32);
  auto row = RankedTensorType::get({size}, f32);
  return {DenseElementsAttr::get(table, ArrayRef<float>(cosines)),
          DenseElementsAttr::get(table, ArrayRef<float>(sines)),
          DenseElementsAttr::get(row, ArrayRef<float>(signs))};
}

// Kernel of rotary position embeddings.
#include "codegen/Reference/Kernels.h"
#include "dialects/Nn/Nn.h"

#include <cmath>

namespace llmc::reference {
namespace {

mlir::FailureOr<Results> rope(nn::RopeOp op, Operands in) {
  const Value &x = *in[0];
  Value result = x;
  int64_t length = x.dim(0), width = x.shape.back(), half = width / 2;
  int64_t rowsPerPosition = x.rows() / length;
  llvm::SmallVector<double> speed = nn::ropeFrequencies(
      width, op.getTheta().convertToDouble(), op.getScalingAttr());
  double direction = op.getInverse() ? -1 : 1;
  for (int64_t row = 0; row < x.rows(); ++row) {
    double position = static_cast<double>(row / rowsPerPosition);
    for (int64_t d = 0; d < half; ++d) {
      int64_t first = row * width + d, second = first + half;
      double angle = direction * position * speed[d];
      double cosine = std::cos(angle), sine = std::sin(angle);
      result[first] = x[first] * cosine - x[second] * sine;
      result[second] = x[second] * cosine + x[first] * sine;
    }
  }
  return Results{std::move(result)};
}

} // namespace

void registerRopeKernels(KernelTable &table) { table.add<nn::RopeOp, rope>(); }

} // namespace llmc::reference

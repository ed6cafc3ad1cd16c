// Kernels of causal attention and its gradient, one score at a time.
#include "codegen/Reference/Kernels.h"
#include "dialects/Nn/Nn.h"

#include <cmath>
#include <limits>

namespace llmc::reference {
namespace {

using mlir::FailureOr;

/// The sizes and the mask, which both ops share.
struct AttentionShape {
  int64_t length, batch, heads, groups, headSize, valueSize;
  /// Without a window all earlier keys are near.
  int64_t window = std::numeric_limits<int64_t>::max();
  int64_t globalTokens;
  const Value *starts;

  template <typename OpTy>
  AttentionShape(OpTy op, Operands in, const Value *starts)
      : length(in[0]->dim(0)), batch(in[0]->dim(1)), heads(in[0]->dim(2)),
        groups(in[1]->dim(2)), headSize(in[0]->dim(3)),
        valueSize(in[2]->dim(3)), globalTokens(op.getGlobalTokens()),
        starts(starts) {
    if (op.getWindow())
      window = *op.getWindow();
  }

  /// Whether the query at position i sees the key at position j.
  bool sees(int64_t b, int64_t i, int64_t j) const {
    if (j > i)
      return false;
    if (j < i - window + 1 && j >= globalTokens)
      return false;
    return !starts || static_cast<double>(j) >= (*starts)[i * batch + b];
  }

  int64_t query(int64_t t, int64_t b, int64_t h) const {
    return ((t * batch + b) * heads + h) * headSize;
  }
  int64_t key(int64_t t, int64_t b, int64_t h) const {
    return ((t * batch + b) * groups + h / (heads / groups)) * headSize;
  }
  int64_t value(int64_t t, int64_t b, int64_t h) const {
    return ((t * batch + b) * groups + h / (heads / groups)) * valueSize;
  }
  int64_t output(int64_t t, int64_t b, int64_t h) const {
    return ((t * batch + b) * heads + h) * valueSize;
  }
  int64_t row(int64_t t, int64_t b, int64_t h) const {
    return (t * batch + b) * heads + h;
  }

  /// Calls `visit(b, h, i)` for each row of scores.
  template <typename Visit> void forEachRow(Visit visit) const {
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t i = 0; i < length; ++i)
          visit(b, h, i);
  }
};

double dot(const Value &lhs, int64_t lhsAt, const Value &rhs, int64_t rhsAt,
           int64_t size) {
  double sum = 0;
  for (int64_t d = 0; d < size; ++d)
    sum += lhs[lhsAt + d] * rhs[rhsAt + d];
  return sum;
}

/// to[at...] += factor * from[fromAt...].
void addScaled(Value &to, int64_t at, double factor, const Value &from,
               int64_t fromAt, int64_t size) {
  for (int64_t d = 0; d < size; ++d)
    to[at + d] += factor * from[fromAt + d];
}

FailureOr<Results> attention(nn::AttentionOp op, Operands in) {
  const Value &q = *in[0], &k = *in[1], &v = *in[2];
  AttentionShape s(op, in, in.size() > 3 ? in[3] : nullptr);
  double scale = op.getScale().convertToDouble();
  Value result = Value::zeros(op.getResult().getType());
  Value lse = Value::zeros(op.getLse().getType());
  std::vector<double> scores(s.length);
  s.forEachRow([&](int64_t b, int64_t h, int64_t i) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t j = 0; j <= i; ++j)
      if (s.sees(b, i, j)) {
        scores[j] =
            scale * dot(q, s.query(i, b, h), k, s.key(j, b, h), s.headSize);
        largest = std::max(largest, scores[j]);
      }
    for (int64_t j = 0; j <= i; ++j)
      if (s.sees(b, i, j))
        sum += std::exp(scores[j] - largest);
    for (int64_t j = 0; j <= i; ++j)
      if (s.sees(b, i, j))
        addScaled(result, s.output(i, b, h),
                  std::exp(scores[j] - largest) / sum, v, s.value(j, b, h),
                  s.valueSize);
    // A row that sees nothing keeps largest = -inf.
    lse[s.row(i, b, h)] = largest + (sum > 0 ? std::log(sum) : 0);
  });
  return Results{std::move(result), std::move(lse)};
}

FailureOr<Results> attentionGrad(nn::AttentionGradOp op, Operands in) {
  const Value &q = *in[0], &k = *in[1], &v = *in[2], &output = *in[3],
              &lse = *in[4], &cotangent = *in[5];
  AttentionShape s(op, in, in.size() > 6 ? in[6] : nullptr);
  double scale = op.getScale().convertToDouble();
  Value dq = Value::zeros(q.shape), dk = Value::zeros(k.shape),
        dv = Value::zeros(v.shape);
  s.forEachRow([&](int64_t b, int64_t h, int64_t i) {
    int64_t queryAt = s.query(i, b, h), outputAt = s.output(i, b, h);
    double inner = dot(cotangent, outputAt, output, outputAt, s.valueSize);
    for (int64_t j = 0; j <= i; ++j) {
      if (!s.sees(b, i, j))
        continue;
      int64_t keyAt = s.key(j, b, h), valueAt = s.value(j, b, h);
      double score = scale * dot(q, queryAt, k, keyAt, s.headSize);
      double p = std::exp(score - lse[s.row(i, b, h)]);
      double dp = dot(cotangent, outputAt, v, valueAt, s.valueSize);
      double ds = p * (dp - inner) * scale;
      addScaled(dq, queryAt, ds, k, keyAt, s.headSize);
      addScaled(dk, keyAt, ds, q, queryAt, s.headSize);
      addScaled(dv, valueAt, p, cotangent, outputAt, s.valueSize);
    }
  });
  return Results{std::move(dq), std::move(dk), std::move(dv)};
}

} // namespace

void registerAttentionKernels(KernelTable &table) {
  table.add<nn::AttentionOp, attention>();
  table.add<nn::AttentionGradOp, attentionGrad>();
}

} // namespace llmc::reference

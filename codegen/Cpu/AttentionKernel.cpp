// Attention: blocks of queries against blocks of keys, with the softmax
// carried along; Dao et al. 2022 (arXiv 2205.14135).
#include "codegen/Cpu/AttentionBlocks.h"
#include "codegen/Cpu/RootKernels.h"
#include <numbers>

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

namespace {

class Attention {
public:
  Attention(nn::AttentionOp op, Code &code, const Frame &frame)
      : code(code), frame(frame), shape(AttentionShape::get(op)),
        block(code, shape,
              op.getDocumentStarts() ? frame.arguments[3] : Value()),
        queries(code.stack(shape.size * shape.queries)),
        values(code.stack(shape.keys * shape.size)),
        scores(code.stack(shape.keys * shape.queries)),
        output(code.stack(shape.queries * shape.size)),
        highest(code.stack(shape.queries)), sum(code.stack(shape.queries)),
        factor(code.stack(shape.queries)) {}

  void emit();

private:
  void emitScores(Value first);
  void emitSoftmax();
  void emitOutput();
  void emitFinish();
  /// A number per query, as one vector.
  Value perQuery(Value memory) {
    return code.load(memory, code.index(0), shape.queries);
  }
  void setPerQuery(Value memory, Value vector) {
    code.store(vector, memory, code.index(0));
  }
  Value isValue(Value vector, double value) {
    return code.compare(arith::CmpFPredicate::OEQ, vector,
                        code.f32(value, shape.queries));
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Code &code;
  const Frame &frame;
  AttentionShape shape;
  QueryBlock block;
  /// Blocks in the frame: [size][queries], [keys][size], [keys][queries],
  /// [queries][size]; then one number per query.
  Value queries, values, scores, output, highest, sum, factor;
};

} // namespace

void Attention::emit() {
  code.loop(frame.begin, frame.end, 1, [&](Value number) {
    Value first =
        code.muli(code.remi(number, shape.queryBlocks()), shape.queries);
    block.begin(code.divi(number, shape.queryBlocks()), first);
    emitPackTransposed(
        code, queries, frame.arguments[0],
        [&](Value i) { return block.queryRow(i); }, shape.queries, shape.size,
        shape.scoreScale());
    setPerQuery(highest, code.f32(-kInfinity, shape.queries));
    setPerQuery(sum, code.f32(0.0, shape.queries));
    int64_t elements = shape.queries * shape.size;
    code.columns(elements, code.vectorLength(4, elements),
                 [&](Value at, int64_t length) {
                   code.store(code.f32(0.0, length), output, at);
                 });
    block.forKeyBlocks([&](Value first) {
      emitScores(first);
      emitSoftmax();
      emitPack(
          code, values, frame.arguments[2],
          [&](Value j) { return block.keyRow(first, j); }, shape.keys,
          shape.size);
      emitOutput();
    });
    emitFinish();
  });
}

/// scores[j][i] = q[i] . k[j], masked.
void Attention::emitScores(Value first) {
  emitProduct(
      code,
      {shape.keys, shape.queries, shape.size, frame.arguments[1],
       [&](Value j) { return block.keyRow(first, j); }, 1, queries,
       [&](Value, Value, int64_t length) { return code.f32(0.0, length); },
       [&](Value j, Value i, Value sums) {
         code.store(sums, scores, code.addi(code.muli(j, shape.queries), i));
       }});
  code.loop(code.index(0), code.index(shape.keys), 1, [&](Value j) {
    Value at = code.muli(j, shape.queries);
    Value row = code.load(scores, at, shape.queries);
    code.store(block.mask(code.addi(first, j), row), scores, at);
  });
}

/// scores becomes 2^(score - highest); the sum follows a new maximum. A row
/// that has seen nothing yet has the maximum -infinity.
void Attention::emitSoftmax() {
  Value before = perQuery(highest);
  Value now = code.reduce(code.index(0), code.index(shape.keys), 1, {before},
                          [&](Value j, ValueRange carried) -> Code::Values {
                            Value row =
                                code.load(scores, code.muli(j, shape.queries),
                                          shape.queries);
                            return {code.max(row, carried[0])};
                          })[0];
  Value base =
      code.select(isValue(now, -kInfinity), code.f32(0.0, shape.queries), now);
  Value shrink = code.exp2(code.sub(before, base));
  Value total = code.reduce(code.index(0), code.index(shape.keys), 1,
                            {code.mul(perQuery(sum), shrink)},
                            [&](Value j, ValueRange carried) -> Code::Values {
                              Value at = code.muli(j, shape.queries);
                              Value row = code.load(scores, at, shape.queries);
                              Value weight = code.exp2(code.sub(row, base));
                              code.store(weight, scores, at);
                              return {code.add(carried[0], weight)};
                            })[0];
  setPerQuery(highest, now);
  setPerQuery(sum, total);
  setPerQuery(factor, shrink);
}

/// output[i] = output[i] * factor[i] + sum over j of weight[j][i] v[j].
void Attention::emitOutput() {
  auto at = [&](Value i, Value d) {
    return code.addi(code.muli(i, shape.size), d);
  };
  emitProduct(code, {shape.queries, shape.size, shape.keys, scores,
                     [&](Value i) { return i; }, shape.queries, values,
                     [&](Value i, Value d, int64_t length) {
                       Value shrink = code.load(factor, i);
                       return code.mul(code.load(output, at(i, d), length),
                                       code.broadcast(shrink, length));
                     },
                     [&](Value i, Value d, Value sums) {
                       code.store(sums, output, at(i, d));
                     }});
}

/// The sum is 0 for queries that see nothing, and for those whose scores are
/// all -infinity; of the latter, NaN must come.
void Attention::emitFinish() {
  Value total = perQuery(sum);
  Value inverse = code.div(code.f32(1.0, shape.queries), total);
  setPerQuery(factor, block.whereBlind(inverse, 0.0));
  Value logSum =
      code.fma(perQuery(highest), code.f32(std::numbers::ln2, shape.queries),
               code.log(total));
  setPerQuery(sum, block.whereBlind(logSum, -kInfinity));
  block.forRows([&](Value i) {
    Value scale = code.load(factor, i), to = block.queryRow(i);
    Value from = code.muli(i, shape.size);
    code.columns(shape.size, code.vectorLength(4, shape.size),
                 [&](Value d, int64_t length) {
                   Value row = code.load(output, code.addi(from, d), length);
                   frame.write(code, 0,
                               code.mul(row, code.broadcast(scale, length)),
                               code.addi(to, d));
                 });
    frame.write(code, 1, code.load(sum, i), block.statistic(i));
  });
}

void codegen::emitKernel(nn::AttentionOp op, Code &code, const Frame &frame) {
  Attention(op, code, frame).emit();
}

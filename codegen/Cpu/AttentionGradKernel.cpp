// Gradients of attention: probabilities are recomputed from the saved
// log-sum-exp, block by block; Dao et al. 2022 (arXiv 2205.14135).
#include "codegen/Cpu/AttentionBlocks.h"
#include "codegen/Cpu/RootKernels.h"
#include <numbers>

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

namespace {

/// One step owns one batch row and key-value head: its query heads and their
/// blocks add to dk and dv in a fixed order.
class AttentionGrad {
public:
  AttentionGrad(nn::AttentionGradOp op, Code &code, const Frame &frame)
      : code(code), frame(frame), shape(AttentionShape::get(op)),
        block(code, shape,
              op.getDocumentStarts() ? frame.arguments[6] : Value()),
        queryBlock(code.stack(shape.queries * shape.size)),
        queryColumns(code.stack(shape.size * shape.queries)),
        cotangentBlock(code.stack(shape.queries * shape.size)),
        cotangentColumns(code.stack(shape.size * shape.queries)),
        keyBlock(code.stack(shape.keys * shape.size)),
        weights(code.stack(shape.keys * shape.queries)),
        slopes(code.stack(shape.keys * shape.queries)),
        queryGrad(code.stack(shape.queries * shape.size)),
        logSum(code.stack(shape.queries)), delta(code.stack(shape.queries)) {}

  void emit();

private:
  enum Argument { kQ, kK, kV, kOutput, kLogSum, kCotangent };
  enum Result { kDq, kDk, kDv };

  void emitZero(Value pair);
  void emitQueryBlock(Value head, Value first);
  void emitStatistics();
  void emitWeights(Value first);
  void emitSlopes(Value first);
  void emitKeyGrad(Value first, Value left, Value right, Result result);
  void emitQueryGrad();
  void emitStore();
  Value perQuery(Value memory) {
    return code.load(memory, code.index(0), shape.queries);
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Code &code;
  const Frame &frame;
  AttentionShape shape;
  QueryBlock block;
  Value queryBlock, queryColumns, cotangentBlock, cotangentColumns, keyBlock;
  Value weights, slopes, queryGrad, logSum, delta;
};

} // namespace

void AttentionGrad::emit() {
  int64_t share = shape.heads / shape.groups;
  code.loop(frame.begin, frame.end, 1, [&](Value pair) {
    emitZero(pair);
    // pair = batch * groups + group; its heads follow one another.
    Value firstHead = code.muli(pair, share);
    code.loop(code.index(0), code.index(share), 1, [&](Value h) {
      code.loop(
          code.index(0), code.index(shape.positions), shape.queries,
          [&](Value first) { emitQueryBlock(code.addi(firstHead, h), first); });
    });
  });
}

void AttentionGrad::emitZero(Value pair) {
  code.loop(code.index(0), code.index(shape.positions), 1, [&](Value key) {
    Value row = code.addi(code.muli(key, shape.keyStride()),
                          code.muli(pair, shape.size));
    code.columns(shape.size, code.vectorLength(4, shape.size),
                 [&](Value d, int64_t length) {
                   for (Result result : {kDk, kDv})
                     code.store(code.f32(0.0, length), frame.results[result],
                                code.addi(row, d));
                 });
  });
}

void AttentionGrad::emitQueryBlock(Value head, Value first) {
  block.begin(head, first);
  auto row = [&](Value i) { return block.queryRow(i); };
  int64_t rows = shape.queries, size = shape.size;
  emitPack(code, queryBlock, frame.arguments[kQ], row, rows, size, shape.scale);
  emitPackTransposed(code, queryColumns, frame.arguments[kQ], row, rows, size,
                     shape.scoreScale());
  emitPack(code, cotangentBlock, frame.arguments[kCotangent], row, rows, size);
  emitPackTransposed(code, cotangentColumns, frame.arguments[kCotangent], row,
                     rows, size);
  emitStatistics();
  code.columns(rows * size, code.vectorLength(4, rows * size),
               [&](Value at, int64_t length) {
                 code.store(code.f32(0.0, length), queryGrad, at);
               });
  block.forKeyBlocks([&](Value first) {
    emitPack(
        code, keyBlock, frame.arguments[kK],
        [&](Value j) { return block.keyRow(first, j); }, shape.keys, size);
    emitWeights(first);
    emitSlopes(first);
    emitKeyGrad(first, weights, cotangentBlock, kDv);
    emitKeyGrad(first, slopes, queryBlock, kDk);
    emitQueryGrad();
  });
  emitStore();
}

/// delta[i] = output[i] . cotangent[i]. The log-sum-exp of rows that do not
/// exist or see nothing becomes infinity, which makes their weights zero.
void AttentionGrad::emitStatistics() {
  code.loop(code.index(0), code.index(shape.queries), 1, [&](Value i) {
    Value row = block.queryRow(i), dense = code.muli(i, shape.size);
    Value total;
    int64_t length = code.vectorLength(4, shape.size);
    for (int64_t d = 0; d < shape.size; d += length) {
      int64_t part = std::min(length, shape.size - d);
      Value product =
          code.mul(code.load(frame.arguments[kOutput], code.addi(row, d), part),
                   code.load(cotangentBlock, code.addi(dense, d), part));
      Value sum = code.sumElements(product);
      total = total ? code.add(total, sum) : sum;
    }
    code.store(total, delta, i);
    code.store(code.load(frame.arguments[kLogSum], block.statistic(i)), logSum,
               i);
  });
  Value scaled =
      code.mul(perQuery(logSum), code.f32(std::numbers::log2e, shape.queries));
  code.store(block.whereMissing(block.whereBlind(scaled, kInfinity), kInfinity),
             logSum, code.index(0));
}

/// weights[j][i] = the probability of key j for query i.
void AttentionGrad::emitWeights(Value first) {
  emitProduct(
      code,
      {shape.keys, shape.queries, shape.size, keyBlock,
       [&](Value j) { return code.muli(j, shape.size); }, 1, queryColumns,
       [&](Value, Value, int64_t length) { return code.f32(0.0, length); },
       [&](Value j, Value i, Value sums) {
         code.store(sums, weights, code.addi(code.muli(j, shape.queries), i));
       }});
  code.loop(code.index(0), code.index(shape.keys), 1, [&](Value j) {
    Value at = code.muli(j, shape.queries);
    Value row = code.load(weights, at, shape.queries);
    Value masked = block.mask(code.addi(first, j), row);
    code.store(code.exp2(code.sub(masked, perQuery(logSum))), weights, at);
  });
}

/// slopes[j][i] = weight * (v[j] . cotangent[i] - delta[i]).
void AttentionGrad::emitSlopes(Value first) {
  emitProduct(
      code,
      {shape.keys, shape.queries, shape.size, frame.arguments[kV],
       [&](Value j) { return block.keyRow(first, j); }, 1, cotangentColumns,
       [&](Value, Value, int64_t length) { return code.f32(0.0, length); },
       [&](Value j, Value i, Value sums) {
         int64_t length = Code::lengthOf(sums);
         Value at = code.addi(code.muli(j, shape.queries), i);
         Value off = code.sub(sums, code.load(delta, i, length));
         code.store(code.mul(code.load(weights, at, length), off), slopes, at);
       }});
}

/// result[j] += sum over i of left[j][i] right[i].
void AttentionGrad::emitKeyGrad(Value first, Value left, Value right,
                                Result result) {
  Value memory = frame.results[result];
  emitProduct(
      code, {shape.keys, shape.size, shape.queries, left,
             [&](Value j) { return code.muli(j, shape.queries); }, 1, right,
             [&](Value j, Value d, int64_t length) {
               return code.load(memory, code.addi(block.keyRow(first, j), d),
                                length);
             },
             [&](Value j, Value d, Value sums) {
               auto store = [&] {
                 code.store(sums, memory, code.addi(block.keyRow(first, j), d));
               };
               if (shape.positions % shape.keys == 0)
                 return store();
               Value exists =
                   code.comparei(arith::CmpIPredicate::slt, code.addi(first, j),
                                 code.index(shape.positions));
               code.when(exists, store);
             }});
}

/// queryGrad[i] += sum over j of slopes[j][i] k[j].
void AttentionGrad::emitQueryGrad() {
  auto at = [&](Value i, Value d) {
    return code.addi(code.muli(i, shape.size), d);
  };
  emitProduct(code, {shape.queries, shape.size, shape.keys, slopes,
                     [&](Value i) { return i; }, shape.queries, keyBlock,
                     [&](Value i, Value d, int64_t length) {
                       return code.load(queryGrad, at(i, d), length);
                     },
                     [&](Value i, Value d, Value sums) {
                       code.store(sums, queryGrad, at(i, d));
                     }});
}

void AttentionGrad::emitStore() {
  block.forRows([&](Value i) {
    Value from = code.muli(i, shape.size), to = block.queryRow(i);
    code.columns(shape.size, code.vectorLength(4, shape.size),
                 [&](Value d, int64_t length) {
                   Value row = code.load(queryGrad, code.addi(from, d), length);
                   frame.write(code, kDq,
                               code.mul(row, code.f32(shape.scale, length)),
                               code.addi(to, d));
                 });
  });
}

void codegen::emitKernel(nn::AttentionGradOp op, Code &code,
                         const Frame &frame) {
  AttentionGrad(op, code, frame).emit();
}

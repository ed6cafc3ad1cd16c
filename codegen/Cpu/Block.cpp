// Products and copies of small blocks that lie in the frame or in the cache.
#include "codegen/Cpu/Block.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

/// Rows of a register tile: with four (or two) registers each they fill most
/// of the register file and hide the latency of multiply-add.
static constexpr int64_t kTileRows = 4;

static int64_t tileColumns(Code &code) {
  return (code.target.lanes >= 16 ? 4 : 2) * code.target.lanes;
}

/// `rows` rows from `m` on, `length` columns from `n` on.
static void emitTile(Code &code, const BlockProduct &p, Value m, int64_t rows,
                     Value n, int64_t length) {
  Code::Values sums, rowStarts;
  for (int64_t r = 0; r < rows; ++r) {
    Value row = code.addi(m, r);
    sums.push_back(p.initial(row, n, length));
    rowStarts.push_back(p.leftRow(row));
  }
  sums = code.reduce(
      code.index(0), code.index(p.k), 1, sums,
      [&](Value k, ValueRange carried) -> Code::Values {
        Value right =
            code.load(p.right, code.addi(code.muli(k, p.n), n), length);
        Code::Values next;
        for (int64_t r = 0; r < rows; ++r) {
          Value at = code.addi(rowStarts[r], code.muli(k, p.leftStride));
          Value left = code.broadcast(code.load(p.left, at), length);
          next.push_back(code.fma(left, right, carried[r]));
        }
        return next;
      });
  for (int64_t r = 0; r < rows; ++r)
    p.store(code.addi(m, r), n, sums[r]);
}

void codegen::emitProduct(Code &code, const BlockProduct &p) {
  auto tileRow = [&](Value m, int64_t rows) {
    code.columns(p.n, std::min(tileColumns(code), p.n),
                 [&](Value n, int64_t length) {
                   emitTile(code, p, m, rows, n, length);
                 });
  };
  int64_t whole = p.m / kTileRows * kTileRows;
  if (whole)
    code.loop(code.index(0), code.index(whole), kTileRows,
              [&](Value m) { tileRow(m, kTileRows); });
  if (whole < p.m)
    tileRow(code.index(whole), p.m - whole);
}

static Value times(Code &code, Value value, double factor) {
  return factor == 1.0 ? value : code.mul(value, code.constant(value, factor));
}

void codegen::emitPack(Code &code, Value to, Value from, RowOffset fromRow,
                       int64_t rows, int64_t width, double factor) {
  code.loop(code.index(0), code.index(rows), 1, [&](Value row) {
    Value source = fromRow(row), target = code.muli(row, width);
    code.columns(
        width, code.vectorLength(4, width), [&](Value column, int64_t length) {
          Value value = code.load(from, code.addi(source, column), length);
          code.store(times(code, value, factor), to, code.addi(target, column));
        });
  });
}

/// Transposes a square of registers: step s swaps the off-diagonal squares of
/// size s.
static void transposeSquare(Code &code, Code::Values &rows) {
  int64_t n = rows.size();
  for (int64_t step = 1; step < n; step *= 2) {
    SmallVector<int64_t> upper, lower;
    for (int64_t x = 0; x < n; ++x) {
      upper.push_back(x & step ? n + x - step : x);
      lower.push_back(x & step ? n + x : x + step);
    }
    for (int64_t i = 0; i < n; ++i) {
      if (i & step)
        continue;
      Value a = rows[i], c = rows[i + step];
      rows[i] = vector::ShuffleOp::create(code.b, code.loc, a, c, upper);
      rows[i + step] = vector::ShuffleOp::create(code.b, code.loc, a, c, lower);
    }
  }
}

void codegen::emitPackTransposed(Code &code, Value to, Value from,
                                 RowOffset fromRow, int64_t rows, int64_t width,
                                 double factor) {
  int64_t n = code.target.lanes;
  if (rows % n || width % n) {
    code.loop(code.index(0), code.index(rows), 1, [&](Value row) {
      Value source = fromRow(row);
      code.loop(code.index(0), code.index(width), 1, [&](Value column) {
        Value value = code.load(from, code.addi(source, column));
        code.store(times(code, value, factor), to,
                   code.addi(code.muli(column, rows), row));
      });
    });
    return;
  }
  code.loop(code.index(0), code.index(rows), n, [&](Value row) {
    Code::Values sources;
    for (int64_t i = 0; i < n; ++i)
      sources.push_back(fromRow(code.addi(row, i)));
    code.loop(code.index(0), code.index(width), n, [&](Value column) {
      Code::Values square;
      for (Value source : sources)
        square.push_back(
            times(code, code.load(from, code.addi(source, column), n), factor));
      transposeSquare(code, square);
      for (int64_t i = 0; i < n; ++i)
        code.store(square[i], to,
                   code.addi(code.muli(code.addi(column, i), rows), row));
    });
  });
}

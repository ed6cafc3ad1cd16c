// Loops of layer kernels: over rows, or over columns.
#include "codegen/Cpu/KernelExtent.h"
#include "codegen/Cpu/LayerGraph.h"
#include "test/faults/Fault.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

namespace {

/// One row kernel: for each row, reductions level by level, then one pass
/// that writes every elementwise result, so that a result may lie where the
/// argument it is computed from lies.
class RowKernel {
public:
  RowKernel(func::FuncOp function, Code &code, const Frame &frame)
      : code(code), frame(frame), graph(function, code, frame) {}

  LogicalResult emit() {
    if (failed(graph.verify()))
      return failure();
    code.loop(frame.begin, frame.end, 1, [&](Value row) { emitRow(row); });
    return success();
  }

private:
  using Generics = SmallVector<linalg::GenericOp>;

  void emitRow(Value row);
  void emitPerRow(int64_t level);
  void emitReductions(int64_t level);
  void emitResults(Value row);
  void forPoints(llvm::function_ref<void(ArrayRef<Point>)> body);
  int64_t length() const;

  Code &code;
  const Frame &frame;
  LayerGraph graph;
};

} // namespace

/// Exponentials need many registers; the rest is bound by memory.
int64_t RowKernel::length() const {
  return code.vectorLength(graph.usesExponentials() ? 2 : 4,
                           graph.columns().count);
}

/// Calls `body` with the places that are walked together.
void RowKernel::forPoints(llvm::function_ref<void(ArrayRef<Point>)> body) {
  const Columns &columns = graph.columns();
  Code::Values outer;
  std::function<void()> nest = [&] {
    if (outer.size() < columns.outer.size())
      return code.loop(code.index(0), code.index(columns.outer[outer.size()]),
                       1, [&](Value iv) {
                         outer.push_back(iv);
                         nest();
                         outer.pop_back();
                       });
    code.columns(columns.count, length(), [&](Value column, int64_t length) {
      SmallVector<Point> points;
      for (int64_t part = 0; part < columns.parts; ++part)
        points.push_back({outer, column, part * columns.count, length});
      graph.beginPoints();
      body(points);
    });
  };
  nest();
}

/// Computes the values per row that wait for `level` reductions.
void RowKernel::emitPerRow(int64_t level) {
  for (linalg::GenericOp op : graph.generics())
    if (!LayerGraph::isReduction(op) && graph.isPerRow(op.getResult(0)) &&
        graph.levelOf(op.getResult(0)) == level) {
      graph.beginPoints();
      graph.setRowValue(op.getResult(0),
                        graph.evaluateBody(op, Point(), Value()));
    }
}

/// Sums along the row, all reductions of one level together. The sums lie in
/// the frame until the row ends; LLVM keeps them in registers.
void RowKernel::emitReductions(int64_t level) {
  Generics reductions;
  for (linalg::GenericOp op : graph.generics())
    if (LayerGraph::isReduction(op) && graph.levelOf(op.getResult(0)) == level)
      reductions.push_back(op);
  if (reductions.empty())
    return;
  std::map<int64_t, Code::Values> sums;
  int64_t count = graph.columns().count;
  SmallVector<int64_t> lengths;
  if (count >= length())
    lengths.push_back(length());
  if (count % length())
    lengths.push_back(count % length());
  Value first = code.index(0);
  for (int64_t length : lengths)
    for (size_t i = 0; i < reductions.size(); ++i) {
      sums[length].push_back(code.stack(length));
      code.store(code.f32(0.0, length), sums[length].back(), first);
    }
  forPoints([&](ArrayRef<Point> points) {
    for (const Point &point : points)
      for (auto [op, sum] : llvm::zip(reductions, sums[point.length])) {
        Value before = code.load(sum, first, point.length);
        code.store(graph.evaluateBody(op, point, before), sum, first);
      }
  });
  for (auto [i, op] : llvm::enumerate(reductions)) {
    Value total;
    for (int64_t length : lengths) {
      Value part = code.sumElements(code.load(sums[length][i], first, length));
      total = total ? code.add(total, part) : part;
    }
    graph.setRowValue(op.getResult(0), total);
  }
}

void RowKernel::emitResults(Value row) {
  SmallVector<std::pair<unsigned, Value>> wide, perRow;
  for (auto [i, value] : llvm::enumerate(graph.returned()))
    (graph.rowValue(value) ? perRow : wide).push_back({i, value});
  if (!wide.empty())
    forPoints([&](ArrayRef<Point> points) {
      SmallVector<std::tuple<unsigned, Value, Value>> stores;
      for (const Point &point : points)
        for (auto [i, value] : wide)
          stores.push_back(
              {i, graph.evaluate(value, point), graph.offsetOf(row, point)});
      for (auto [i, value, offset] : stores)
        frame.write(code, i, value, offset);
    });
  for (auto [i, value] : perRow)
    frame.write(code, i, graph.rowValue(value), row);
}

void RowKernel::emitRow(Value row) {
  graph.beginRow(row);
  int64_t deepest = 0;
  for (linalg::GenericOp op : graph.generics())
    deepest = std::max(deepest, graph.levelOf(op.getResult(0)));
  for (int64_t level = 0; level <= deepest; ++level) {
    if (level)
      emitReductions(level);
    emitPerRow(level);
  }
  emitResults(row);
}

LogicalResult codegen::emitRowKernel(func::FuncOp function, Code &code,
                                     const Frame &frame) {
  return RowKernel(function, code, frame).emit();
}

/// Sums a chunk of columns over all rows, in the order of the rows: the
/// result does not depend on who computes which chunk.
static void emitChunk(LayerGraph &graph, Code &code, const Frame &frame,
                      Value column, int64_t length) {
  SmallVector<linalg::GenericOp> sums;
  Code::Values zeros;
  for (linalg::GenericOp op : graph.generics())
    if (LayerGraph::isReduction(op)) {
      sums.push_back(op);
      zeros.push_back(code.f32(0.0, length));
    }
  auto isSum = [&](Value value) {
    auto op = value.getDefiningOp<linalg::GenericOp>();
    return op && LayerGraph::isReduction(op);
  };
  Point point{{}, column, 0, length};
  int64_t rows = graph.rows() - (LLMC_FAULT("column-sum-last-row") ? 1 : 0);
  Code::Values totals =
      code.reduce(code.index(0), code.index(rows), 1, zeros,
                  [&](Value row, ValueRange carried) {
                    graph.beginRow(row);
                    graph.beginPoints();
                    Code::Values next;
                    for (auto [op, before] : llvm::zip(sums, carried))
                      next.push_back(graph.evaluateBody(op, point, before));
                    for (auto [i, value] : llvm::enumerate(graph.returned()))
                      if (!isSum(value))
                        frame.write(code, i, graph.evaluate(value, point),
                                    graph.offsetOf(row, point));
                    return next;
                  });
  for (auto [i, value] : llvm::enumerate(graph.returned()))
    for (auto [op, total] : llvm::zip(sums, totals))
      if (op.getResult(0) == value)
        frame.write(code, i, total, column);
}

LogicalResult codegen::emitColumnKernel(func::FuncOp function, Code &code,
                                        const Frame &frame) {
  LayerGraph graph(function, code, frame);
  if (failed(graph.verify()))
    return failure();
  if (graph.columns().parts > 1 || !graph.columns().outer.empty())
    return function.emitError("internal: a column reduction shares its kernel "
                              "with an op that moves columns");
  int64_t count = graph.columns().count;
  code.blocks(frame.begin, frame.end, count, kColumnChunk, kColumnChunk,
              [&](Value column, int64_t length) {
                emitChunk(graph, code, frame, column, length);
              });
  return success();
}

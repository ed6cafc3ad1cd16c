// A function of linalg generics, seen as values per row and column.
#include "codegen/Cpu/LayerGraph.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <numeric>

using namespace mlir;
using namespace llmc::codegen;

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

static AffineMap mapOf(linalg::GenericOp op, unsigned operand) {
  return op.getIndexingMapsArray()[operand];
}

/// The divisor when `expr` takes a remainder, else 0.
static int64_t modulusOf(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() != AffineExprKind::Mod)
    return 0;
  return cast<AffineConstantExpr>(binary.getRHS()).getValue();
}

/// What a remainder adds to its dimension first.
static int64_t addedIn(AffineExpr expr) {
  auto sum =
      dyn_cast<AffineBinaryOpExpr>(cast<AffineBinaryOpExpr>(expr).getLHS());
  return sum ? cast<AffineConstantExpr>(sum.getRHS()).getValue() : 0;
}

/// A remainder by one folds to it: the place in a dimension of size one.
static bool isZero(AffineExpr expr) {
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  return constant && constant.getValue() == 0;
}

LayerGraph::LayerGraph(func::FuncOp function, Code &code, const Frame &frame)
    : function(function), code(code), frame(frame),
      rowRank(function->getAttrOfType<IntegerAttr>("exec.row_rank").getInt()) {
  for (auto op : function.getOps<linalg::GenericOp>()) {
    order.push_back(op);
    int64_t level = 0;
    for (Value input : op.getInputs())
      level = std::max(level, levels.lookup(input));
    levels[op.getResult(0)] = level + isReduction(op);
    op.getBody()->walk([&](Operation *inner) {
      exponentials |= isa<math::ExpOp, math::ErfOp>(inner);
    });
  }
  layOut();
}

/// Finds the rows and columns from the widest generic.
void LayerGraph::layOut() {
  linalg::GenericOp widest;
  bool split = false;
  int64_t part = 0;
  for (linalg::GenericOp op : order) {
    if (!widest || op.getNumLoops() > widest.getNumLoops())
      widest = op;
    for (AffineMap map : op.getIndexingMapsArray()) {
      int64_t trailing = 0, wanted = op.getNumLoops() - rowRank;
      for (AffineExpr expr : map.getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        trailing += !dim || dim.getPosition() >= rowRank;
        if (int64_t modulus = modulusOf(expr)) {
          split = true;
          part = std::gcd(part, std::gcd(modulus, addedIn(expr)));
        }
      }
      split |= trailing && trailing != wanted;
    }
  }
  if (!widest)
    return;
  SmallVector<int64_t> sizes = widest.getStaticLoopRanges();
  rowShape.assign(sizes.begin(), sizes.begin() + rowRank);
  for (int64_t size : rowShape)
    rowCount *= size;
  ArrayRef<int64_t> trailing = ArrayRef<int64_t>(sizes).drop_front(rowRank);
  if (split) {
    layout.outer.assign(trailing.drop_back().begin(),
                        trailing.drop_back().end());
    layout.count = part ? part : trailing.back();
    layout.parts = trailing.back() / layout.count;
    return;
  }
  for (int64_t size : trailing)
    layout.count *= size;
}

ValueRange LayerGraph::returned() const {
  return const_cast<func::FuncOp &>(function)
      .getBody()
      .front()
      .getTerminator()
      ->getOperands();
}

bool LayerGraph::isReduction(linalg::GenericOp op) {
  return op.getNumReductionLoops() > 0;
}

bool LayerGraph::isPerRow(Value tensor) const {
  return static_cast<int64_t>(shapeOf(tensor).size()) == rowRank &&
         shapeOf(tensor) == ArrayRef<int64_t>(rowShape);
}

bool LayerGraph::isPerRow(AffineMap map) const {
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && dim.getPosition() < rowRank;
  });
}

LogicalResult LayerGraph::verifyMap(linalg::GenericOp op, Value tensor,
                                    AffineMap map) {
  auto refuse = [&](const char *why) {
    return op.emitError("internal: the loop emitter cannot read an operand: ")
           << why;
  };
  bool produced = tensor.getDefiningOp<linalg::GenericOp>() != nullptr;
  if (produced && !isPerRow(map) &&
      map.getNumResults() != static_cast<unsigned>(op.getNumLoops()))
    return refuse("a computed value is broadcast along rows");
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (isa<AffineDimExpr>(expr) || isZero(expr))
      continue;
    bool last = i + 1 == map.getNumResults();
    if (!modulusOf(expr) || !last)
      return refuse("its index is neither a dimension nor a remainder");
  }
  return success();
}

LogicalResult LayerGraph::verify() {
  for (linalg::GenericOp op : order) {
    if (op.getNumResults() != 1)
      return op.emitError("internal: the loop emitter takes one result per op");
    for (auto [i, input] : llvm::enumerate(op.getInputs()))
      if (failed(verifyMap(op, input, mapOf(op, i))))
        return failure();
  }
  return success();
}

//===-- Emission ----------------------------------------------------------===//

void LayerGraph::beginRow(Value row) {
  currentRow = row;
  rowValues.clear();
  rowArguments.clear();
  for (linalg::GenericOp op : order)
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      AffineMap map = mapOf(op, i);
      if (!isPerRow(map) || input.getDefiningOp<linalg::GenericOp>())
        continue;
      Value &slot = rowArguments[{input, map}];
      if (!slot)
        slot = loadOperand(input, map, Point());
    }
}

/// The memory behind an argument, its leading rows or a constant.
Value LayerGraph::memoryOf(Value tensor) {
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = slice.getSource();
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return frame.arguments[argument.getArgNumber()];
  Value &slot = constants[tensor];
  if (slot)
    return slot;
  auto values = cast<DenseElementsAttr>(
      tensor.getDefiningOp<arith::ConstantOp>().getValue());
  auto flat =
      RankedTensorType::get({values.getNumElements()}, values.getElementType());
  auto type = MemRefType::get(flat.getShape(), flat.getElementType());
  Attribute initial = values.reshape(flat);
  auto module = frame.function->getParentOfType<ModuleOp>();
  memref::GlobalOp global;
  for (auto other : module.getOps<memref::GlobalOp>())
    if (other.getInitialValue() == initial)
      global = other;
  OpBuilder::InsertionGuard guard(code.b);
  if (!global) {
    int64_t number = llvm::range_size(module.getOps<memref::GlobalOp>());
    code.b.setInsertionPointToStart(module.getBody());
    global = memref::GlobalOp::create(
        code.b, code.loc, "constant_" + std::to_string(number),
        code.b.getStringAttr("private"), type, initial, /*constant=*/true,
        code.b.getI64IntegerAttr(64));
  }
  Block &entry = const_cast<func::FuncOp &>(frame.function).getBody().front();
  code.b.setInsertionPointToStart(&entry);
  slot =
      memref::GetGlobalOp::create(code.b, code.loc, type, global.getSymName());
  return slot;
}

/// How far from the point's column a remainder of it lies.
int64_t LayerGraph::shiftOf(AffineExpr expr, const Point &point) const {
  int64_t modulus = modulusOf(expr);
  return modulus ? (point.shift + addedIn(expr)) % modulus : point.shift;
}

Value LayerGraph::loadOperand(Value tensor, AffineMap map, const Point &point) {
  ArrayRef<int64_t> shape = shapeOf(tensor);
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  Value offset = code.index(0);
  auto add = [&](Value index, int64_t stride) {
    offset = code.addi(offset, code.muli(index, stride));
  };
  unsigned first = 0;
  bool allRows = map.getNumResults() >= rowRank;
  for (int64_t i = 0; allRows && i < rowRank; ++i)
    allRows = map.getResult(i) == getAffineDimExpr(i, map.getContext());
  if (allRows) {
    add(currentRow, strides[rowRank - 1]);
    first = rowRank;
  }
  bool columns = false;
  int64_t shift = 0;
  for (unsigned i = first; i < map.getNumResults(); ++i) {
    if (isZero(map.getResult(i)))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(i));
    int64_t position = dim ? dim.getPosition() : map.getNumDims() - 1;
    if (position < rowRank) {
      int64_t inner = 1;
      for (int64_t j = position + 1; j < rowRank; ++j)
        inner *= rowShape[j];
      Value index = code.divi(currentRow, inner);
      add(position ? code.remi(index, rowShape[position]) : index, strides[i]);
    } else if (position - rowRank < static_cast<int64_t>(point.outer.size())) {
      add(point.outer[position - rowRank], strides[i]);
    } else {
      columns = true;
      shift = shiftOf(map.getResult(i), point);
    }
  }
  if (!columns)
    return code.load(memoryOf(tensor), offset);
  offset = code.addi(code.addi(offset, point.column), shift);
  return code.load(memoryOf(tensor), offset, point.length);
}

Value LayerGraph::read(linalg::GenericOp op, unsigned input,
                       const Point &point) {
  Value tensor = op.getInputs()[input];
  AffineMap map = mapOf(op, input);
  bool produced = tensor.getDefiningOp<linalg::GenericOp>() != nullptr;
  if (isPerRow(map) && (!produced || rowValues.count(tensor))) {
    Value scalar = produced ? rowValues[tensor] : rowArguments[{tensor, map}];
    return code.broadcast(scalar, point.length);
  }
  if (!produced)
    return code.broadcast(loadOperand(tensor, map, point), point.length);
  Point there = point;
  there.shift = shiftOf(map.getResults().back(), point);
  return evaluate(tensor, there);
}

Value LayerGraph::evaluate(Value tensor, const Point &point) {
  auto key = std::pair(tensor, point.shift);
  if (Value known = computed.lookup(key))
    return known;
  Value value;
  if (auto op = tensor.getDefiningOp<linalg::GenericOp>())
    value = evaluateBody(op, point, Value());
  else // A kernel that returns an argument copies it.
    value = loadOperand(tensor,
                        AffineMap::getMultiDimIdentityMap(
                            shapeOf(tensor).size(), tensor.getContext()),
                        point);
  computed[key] = value;
  return value;
}

Value LayerGraph::evaluateBody(linalg::GenericOp op, const Point &point,
                               Value accumulator) {
  Block *body = op.getBody();
  IRMapping values;
  for (unsigned i = 0; i < op.getInputs().size(); ++i)
    values.map(body->getArgument(i), read(op, i, point));
  if (accumulator)
    values.map(body->getArguments().back(), accumulator);
  for (Operation &inner : body->without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      double value = cast<FloatAttr>(constant.getValue()).getValueAsDouble();
      values.map(constant.getResult(), code.f32(value, point.length));
      continue;
    }
    Operation *clone = code.b.clone(inner, values);
    for (Value result : clone->getResults())
      result.setType(code.withLength(result.getType(), point.length));
  }
  return values.lookup(body->getTerminator()->getOperand(0));
}

Value LayerGraph::offsetOf(Value row, const Point &point) {
  int64_t inner = layout.count * layout.parts;
  Value offset = code.addi(point.column, point.shift);
  for (auto [index, size] :
       llvm::reverse(llvm::zip(point.outer, layout.outer))) {
    offset = code.addi(offset, code.muli(index, inner));
    inner *= size;
  }
  return code.addi(offset, code.muli(row, inner));
}

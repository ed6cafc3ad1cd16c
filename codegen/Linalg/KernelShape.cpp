// How the body of a kernel walks its tensors.
#include "codegen/Linalg/KernelShape.h"
#include "dialects/Interfaces/Interfaces.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

static int64_t rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

/// The number of row dimensions that `op` asks for, or 0 when it asks for none.
static int64_t wantedRowRank(Operation *op, KernelKind kind) {
  if (kind == KernelKind::RowReduction)
    return rankOf(op->getOperand(0)) - 1;
  if (kind == KernelKind::ColumnReduction)
    return rankOf(op->getOperand(0)) - rankOf(op->getResult(0));
  return 0;
}

FailureOr<KernelShape> codegen::getKernelShape(exec::KernelOp kernel) {
  KernelShape shape;
  bool rows = false, columns = false, elementwise = false;
  int64_t maxRank = 0;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      continue;
    auto part = dyn_cast<KernelOpInterface>(op);
    if (!part || part.getKernelKind() == KernelKind::Library)
      return op.emitError("internal: code generation has no kernel for op '")
             << op.getName() << "'";
    KernelKind kind = part.getKernelKind();
    if (shape.root ||
        (kind == KernelKind::Root && (rows || columns || elementwise)))
      return op.emitError("internal: op '")
             << op.getName() << "' shares a kernel with a root op";
    rows |= kind == KernelKind::RowReduction;
    columns |= kind == KernelKind::ColumnReduction;
    elementwise |= kind == KernelKind::Elementwise;
    if (kind == KernelKind::Root)
      shape.root = &op;
    int64_t wanted = wantedRowRank(&op, kind);
    if (wanted && shape.rowRank && wanted != shape.rowRank)
      return op.emitError("internal: op '")
             << op.getName() << "' reduces " << wanted
             << " leading dimensions, another op of its kernel "
             << shape.rowRank;
    shape.rowRank = std::max(shape.rowRank, wanted);
    for (Value result : op.getResults())
      maxRank = std::max(maxRank, rankOf(result));
  }
  if (rows && columns)
    return kernel.emitOpError("internal: reduces along rows and along columns");
  if (!shape.rowRank)
    shape.rowRank = maxRank >= 3 ? 2 : 1;
  shape.form = shape.root            ? KernelForm::Root
               : columns             ? KernelForm::Columns
               : rows || elementwise ? KernelForm::Rows
                                     : KernelForm::Fill;
  return shape;
}

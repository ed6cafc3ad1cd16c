// Kernels of ops that group or annotate others.
#include "codegen/Reference/Interpreter.h"
#include "dialects/Dist/Dist.h"
#include "dialects/Exec/Exec.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace llmc::reference {
namespace {

/// Annotations do not change a global value.
mlir::FailureOr<Results> reshard(dist::ReshardOp, Operands in) {
  return Results{*in[0]};
}

mlir::FailureOr<Results> dispatch(exec::DispatchOp op, Operands in) {
  Results arguments;
  for (const Value *operand : in)
    arguments.push_back(*operand);
  return evaluateBlock(op.getBody().front(), arguments);
}

/// What a kernel that fills memory returns.
mlir::FailureOr<Results> constant(mlir::arith::ConstantOp op, Operands) {
  Value value = Value::zeros(op.getType());
  if (auto splat = mlir::dyn_cast<mlir::SplatElementsAttr>(op.getValue()))
    value.data.assign(value.size(),
                      splat.getSplatValue<llvm::APFloat>().convertToDouble());
  else if (auto number = mlir::dyn_cast<mlir::FloatAttr>(op.getValue()))
    value.data[0] = number.getValueAsDouble();
  else
    return op.emitError("the interpreter knows constants of one float only");
  return Results{value};
}

} // namespace

void registerStructureKernels(KernelTable &table) {
  table.add<dist::ReshardOp, reshard>();
  table.add<exec::DispatchOp, dispatch>();
  table.add<mlir::arith::ConstantOp, constant>();
}

} // namespace llmc::reference

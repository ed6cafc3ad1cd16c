// convert-exec-kernels-to-linalg: layer kernels become functions on tensors.
#include "codegen/Linalg/KernelShape.h"
#include "codegen/Linalg/NnToLinalg.h"
#include "codegen/Linalg/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace llmc::codegen {
#define GEN_PASS_DEF_CONVERTEXECKERNELSTOLINALG
#include "codegen/Linalg/Passes.h.inc"
} // namespace llmc::codegen

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

/// Converts the body of `kernel` into `function`.
static LogicalResult convertBody(exec::KernelOp kernel, func::FuncOp function) {
  Block &body = kernel.getBody().front();
  Block *entry = function.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockEnd(entry);
  IRMapping mapping;
  mapping.map(body.getArguments(), entry->getArguments());
  for (Operation &op : body.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      builder.clone(op, mapping);
    else if (failed(convertToLinalg(builder, &op, mapping)))
      return op.emitError("internal: the linalg conversion cannot lower op '")
             << op.getName() << "'";
  }
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, kernel.getLoc(), results);
  return success();
}

static LogicalResult convertKernel(exec::KernelOp kernel) {
  FailureOr<KernelShape> shape = getKernelShape(kernel);
  if (failed(shape))
    return failure();
  if (shape->form != KernelForm::Rows && shape->form != KernelForm::Columns)
    return success();
  OpBuilder builder(kernel);
  auto function = func::FuncOp::create(
      builder, kernel.getLoc(), kernel.getSymName(), kernel.getFunctionType());
  function->setAttr("exec.accumulate", kernel.getAccumulateAttr());
  function->setAttr("exec.aliases", kernel.getAliasesAttr());
  function->setAttr("exec.row_rank", builder.getI64IntegerAttr(shape->rowRank));
  if (failed(convertBody(kernel, function)))
    return failure();
  kernel.erase();
  return success();
}

namespace {

struct ConvertExecKernelsToLinalg
    : codegen::impl::ConvertExecKernelsToLinalgBase<
          ConvertExecKernelsToLinalg> {
  void runOnOperation() override {
    bool ok = true;
    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<exec::KernelOp>()))
      ok &= succeeded(convertKernel(kernel));
    if (!ok)
      signalPassFailure();
  }
};

} // namespace

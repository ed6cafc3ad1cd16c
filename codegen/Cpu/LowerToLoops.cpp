// cpu-lower-to-loops: linalg functions and root kernels become vector loops.
#include "codegen/Cpu/LayerGraph.h"
#include "codegen/Cpu/Passes.h"
#include "codegen/Cpu/RootKernels.h"
#include "codegen/Linalg/KernelShape.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace llmc::codegen {
#define GEN_PASS_DEF_CPULOWERTOLOOPS
#include "codegen/Cpu/Passes.h.inc"
} // namespace llmc::codegen

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

/// The other floating-point types have no kernels yet.
static LogicalResult verifyTypes(Operation *op, TypeRange types) {
  for (Type type : types) {
    Type element = getElementTypeOrSelf(type);
    if (isa<FloatType>(element) && !element.isF32())
      return op->emitError("internal: the CPU target cannot lower a kernel on ")
             << type;
  }
  return success();
}

static LogicalResult lowerLayers(func::FuncOp function, VectorShape target) {
  if (failed(verifyTypes(function, function.getArgumentTypes())))
    return failure();
  OpBuilder builder(function);
  auto accumulate =
      function->getAttrOfType<DenseBoolArrayAttr>("exec.accumulate");
  auto aliases = function->getAttrOfType<DenseI64ArrayAttr>("exec.aliases");
  std::string name = function.getSymName().str();
  function.setSymName(name + ".tensors");
  Frame frame =
      makeFrame(builder, function.getLoc(),
                {name, function.getFunctionType(), accumulate, aliases});
  Code code{builder, function.getLoc(), target};
  bool columns = llvm::any_of(function.getOps<linalg::GenericOp>(),
                              [](linalg::GenericOp op) {
                                return LayerGraph::isReduction(op) &&
                                       op.getIteratorTypesArray().front() ==
                                           utils::IteratorType::reduction;
                              });
  LogicalResult emitted = columns ? emitColumnKernel(function, code, frame)
                                  : emitRowKernel(function, code, frame);
  function.erase();
  return emitted;
}

/// Reorders the frame's memory: by operand and by result of `root`, whatever
/// the order in which the kernel takes and returns them. A result that the
/// kernel does not return has no memory.
static LogicalResult viewAsRoot(exec::KernelOp kernel, Operation *root,
                                Frame &frame) {
  Code::Values arguments, results(root->getNumResults());
  SmallVector<bool> accumulate(root->getNumResults());
  for (Value operand : root->getOperands()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument)
      return root->emitError("internal: an operand of root op '")
             << root->getName() << "' is not an argument of its kernel";
    arguments.push_back(frame.arguments[argument.getArgNumber()]);
  }
  Operation *ret = kernel.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(ret->getOperands())) {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return kernel.emitError("internal: a root kernel returns an argument");
    results[result.getResultNumber()] = frame.results[i];
    accumulate[result.getResultNumber()] = frame.accumulate[i];
  }
  bool mayDrop = isa<nn::AttentionOp, nn::SoftmaxCrossEntropyOp>(root);
  for (Value memory : results)
    if (!memory && !mayDrop)
      return kernel.emitError("internal: a kernel of op '")
             << root->getName() << "' must return all of its results";
  bool mayAdd = isa<nn::EmbeddingOp, nn::EmbeddingGradOp, nn::PositionsGradOp,
                    nn::SumOp, nn::NormPartialsOp>(root);
  if (llvm::is_contained(accumulate, true) && !mayAdd)
    return kernel.emitError("internal: a kernel of op '")
           << root->getName() << "' cannot accumulate";
  frame.arguments = arguments;
  frame.results = results;
  frame.accumulate = accumulate;
  return success();
}

static LogicalResult lowerRoot(exec::KernelOp kernel, VectorShape target) {
  FailureOr<KernelShape> shape = getKernelShape(kernel);
  if (failed(shape) || failed(verifyTypes(kernel, kernel.getArgumentTypes())) ||
      failed(verifyTypes(kernel, kernel.getResultTypes())))
    return failure();
  OpBuilder builder(kernel);
  std::string name = kernel.getSymName().str();
  Frame frame = makeFrame(builder, kernel.getLoc(),
                          {name, kernel.getFunctionType(),
                           kernel.getAccumulate(), kernel.getAliases()});
  Code code{builder, kernel.getLoc(), target};
  if (shape->form == KernelForm::Fill)
    emitFill(kernel, code, frame);
  else if (failed(viewAsRoot(kernel, shape->root, frame)))
    return failure();
  else
    llvm::TypeSwitch<Operation *>(shape->root)
        .Case<nn::EmbeddingOp, nn::EmbeddingGradOp, nn::PositionsGradOp,
              nn::DocumentStartOp, nn::SumOp, nn::NormPartialsOp,
              nn::ClipFactorOp, nn::AdamwApplyOp, nn::SgdApplyOp,
              nn::SoftmaxCrossEntropyOp, nn::SquaredErrorOp, nn::AttentionOp,
              nn::AttentionGradOp>(
            [&](auto op) { emitKernel(op, code, frame); });
  kernel.erase();
  return success();
}

namespace {

struct CpuLowerToLoops : codegen::impl::CpuLowerToLoopsBase<CpuLowerToLoops> {
  using CpuLowerToLoopsBase::CpuLowerToLoopsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    VectorShape target{lanes};
    bool ok = true;
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function->hasAttr("exec.row_rank"))
        ok &= succeeded(lowerLayers(function, target));
    for (auto kernel :
         llvm::make_early_inc_range(module.getOps<exec::KernelOp>()))
      ok &= succeeded(lowerRoot(kernel, target));
    if (!ok)
      signalPassFailure();
  }
};

} // namespace

// cpu-convert-to-llvm: loops to LLVM's dialect, and the kernels' entries.
#include "codegen/Cpu/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

namespace llmc::codegen {
#define GEN_PASS_DEF_CPUCONVERTTOLLVM
#include "codegen/Cpu/Passes.h.inc"
} // namespace llmc::codegen

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

/// Branches instead of structured control flow.
static LogicalResult convertLoops(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*module.getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
}

static LogicalResult convertRest(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter types(context, options);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateFuncToLLVMConversionPatterns(types, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  return applyPartialConversion(module, target, std::move(patterns));
}

/// Reports every op that the module should not hold any more.
static LogicalResult verifyAllLowered(ModuleOp module) {
  bool ok = true;
  module.walk([&](Operation *op) {
    if (isa<ModuleOp>(op) || isa<LLVM::LLVMDialect>(op->getDialect()))
      return;
    op->emitError("internal: the CPU target cannot lower op '")
        << op->getName() << "'";
    ok = false;
  });
  return success(ok);
}

/// Adds `void name(const KernelArgs *, int64 begin, int64 end)`, which loads
/// the pointers and calls `body`; what pointers share memory stands on the
/// arguments of the body.
static void addEntry(LLVM::LLVMFuncOp body) {
  std::string name = body.getSymName().str();
  Location loc = body.getLoc();
  body.setSymName(name + ".body");
  body.setLinkage(LLVM::Linkage::Internal);
  OpBuilder b(body->getContext());
  b.setInsertionPointAfter(body);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto i64 = b.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), {pointer, i64, i64});
  auto entry = LLVM::LLVMFuncOp::create(b, loc, name, type);
  Block *block = entry.addEntryBlock(b);
  b.setInsertionPointToStart(block);
  Value table = LLVM::LoadOp::create(b, loc, pointer, block->getArgument(0));
  SmallVector<Value> operands;
  for (unsigned i = 0; i + 2 < body.getNumArguments(); ++i) {
    Value slot = LLVM::GEPOp::create(b, loc, pointer, pointer, table,
                                     ArrayRef<LLVM::GEPArg>{int32_t(i)});
    operands.push_back(LLVM::LoadOp::create(b, loc, pointer, slot));
  }
  operands.push_back(block->getArgument(1));
  operands.push_back(block->getArgument(2));
  LLVM::CallOp::create(b, loc, body, operands);
  LLVM::ReturnOp::create(b, loc, ValueRange());
}

namespace {

struct CpuConvertToLLVM
    : codegen::impl::CpuConvertToLLVMBase<CpuConvertToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<std::string> names;
    for (auto function : module.getOps<func::FuncOp>())
      names.push_back(function.getSymName().str());
    if (failed(convertLoops(module)) || failed(convertRest(module)) ||
        failed(verifyAllLowered(module)))
      return signalPassFailure();
    for (const std::string &name : names)
      addEntry(module.lookupSymbol<LLVM::LLVMFuncOp>(name));
  }
};

} // namespace

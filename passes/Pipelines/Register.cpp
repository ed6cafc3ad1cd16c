// Everything that a tool must register: dialects and passes.
#include "passes/Pipelines/Register.h"

#include "codegen/Cpu/Passes.h"
#include "codegen/Linalg/Passes.h"
#include "dialects/Dist/Dist.h"
#include "dialects/Exec/Exec.h"
#include "dialects/Nn/Nn.h"
#include "dialects/Pipe/Pipe.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Dist/Passes.h"
#include "passes/Exec/Passes.h"
#include "passes/Nn/Passes.h"
#include "passes/Pipe/Passes.h"
#include "passes/Pipelines/Pipelines.h"

void llmc::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<nn::NnDialect, dist::DistDialect, pipe::PipeDialect,
                  exec::ExecDialect>();
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect, mlir::vector::VectorDialect>();
}

void llmc::registerAllPasses() {
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  nn::registerNnPasses();
  dist::registerDistPasses();
  pipe::registerPipePasses();
  exec::registerExecPasses();
  codegen::registerLinalgPasses();
  codegen::registerCpuPasses();
  codegen::registerCpuPipelines();
  registerPipelinesPasses();
  registerPipelines();
}

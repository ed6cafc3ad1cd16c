// Everything that a tool must register: dialects and passes.
#include "passes/Pipelines/Register.h"

#include "codegen/Cpu/Passes.h"
#include "codegen/Linalg/Passes.h"
#include "dialects/Dist/Dist.h"
#include "dialects/Exec/Exec.h"
#include "dialects/Nn/Nn.h"
#include "dialects/Pipe/Pipe.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Dist/Passes.h"
#include "passes/Exec/Passes.h"
#include "passes/Nn/Passes.h"
#include "passes/Pipe/Passes.h"
#include "passes/Pipelines/Pipelines.h"

void llmc::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<nn::NnDialect, dist::DistDialect, pipe::PipeDialect,
                  exec::ExecDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect>();
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

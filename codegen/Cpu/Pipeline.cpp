// cpu-lower-kernels: all passes from exec.kernel to LLVM's dialect.
#include "codegen/Cpu/Passes.h"
#include "codegen/Linalg/Passes.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace llmc;

void codegen::buildCpuLowerKernels(OpPassManager &manager, int64_t lanes) {
  manager.addPass(createConvertExecKernelsToLinalg());
  CpuLowerToLoopsOptions options;
  options.lanes = lanes;
  manager.addPass(createCpuLowerToLoops(options));
  manager.addPass(createCSEPass());
  manager.addPass(createCpuExpandMath());
  manager.addPass(createCpuConvertToLLVM());
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<int64_t> lanes{*this, "lanes",
                        llvm::cl::desc("float32 elements of a register"),
                        llvm::cl::init(16)};
};
} // namespace

void codegen::registerCpuPipelines() {
  PassPipelineRegistration<PipelineOptions>(
      "cpu-lower-kernels", "From exec.kernel ops to LLVM's dialect",
      [](OpPassManager &manager, const PipelineOptions &options) {
        buildCpuLowerKernels(manager, options.lanes);
      });
}

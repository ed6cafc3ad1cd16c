// The kernels of a program as one shared object for this kind of CPU.
#include "codegen/Cpu/CompileKernels.h"
#include "codegen/Cpu/EmitObject.h"
#include "codegen/Cpu/KernelExtent.h"
#include "codegen/Cpu/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

CpuTarget CpuTarget::host() {
  llvm::SubtargetFeatures features;
  std::map<std::string, bool> sorted;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    sorted[feature.first().str()] = feature.second;
  for (const auto &[name, on] : sorted)
    features.AddFeature(name, on);
  return {llvm::sys::getProcessTriple(), features.getString()};
}

int64_t CpuTarget::lanes() const {
  auto has = [&](llvm::StringRef feature) {
    return llvm::is_contained(llvm::SubtargetFeatures(features).getFeatures(),
                              feature.str());
  };
  return has("+avx512f") ? 16 : has("+avx2") ? 8 : 4;
}

int64_t codegen::kernelExtent(exec::KernelOp kernel) {
  FailureOr<int64_t> extent = getKernelExtent(kernel);
  return succeeded(extent) ? *extent : 0;
}

FailureOr<std::vector<CompiledKernel>>
codegen::compileKernels(exec::ProgramOp program, const CpuTarget &target,
                        llvm::StringRef sharedObjectPath) {
  std::vector<CompiledKernel> compiled;
  OwningOpRef<ModuleOp> module = ModuleOp::create(program.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  for (auto kernel : program.getBody().getOps<exec::KernelOp>()) {
    FailureOr<int64_t> extent = getKernelExtent(kernel);
    if (failed(extent))
      return failure();
    compiled.push_back({kernel.getSymName().str(), *extent});
    builder.clone(*kernel);
  }
  PassManager manager(program.getContext());
  buildCpuLowerKernels(manager, target.lanes());
  if (failed(manager.run(*module)))
    return failure();
  auto object = emitObject(*module, target);
  if (failed(object) ||
      failed(linkSharedObject(*object, sharedObjectPath, program.getLoc())))
    return failure();
  return compiled;
}

// The kernels of a program as one shared object for this kind of CPU.
#ifndef LLMC_CODEGEN_CPU_COMPILEKERNELS_H
#define LLMC_CODEGEN_CPU_COMPILEKERNELS_H

#include "dialects/Exec/Exec.h"

namespace llmc::codegen {

struct CompiledKernel {
  std::string symbol;
  /// The size of the parallel dimension: calls cover [0, extent).
  int64_t extent;
};

/// What code is made for. Features are those that LLVM reports, not those of
/// the CPU's name, which a virtual machine may get wrong.
struct CpuTarget {
  std::string triple;
  /// Comma-separated, each with + or -.
  std::string features;

  static CpuTarget host();
  /// float32 elements of a vector register.
  int64_t lanes() const;
};

/// The size of the parallel dimension of `kernel`, which has a lowering.
int64_t kernelExtent(exec::KernelOp kernel);

/// Compiles every kernel of `program` into the shared object at
/// `sharedObjectPath`; one entry per kernel, in the order of the program. The
/// linker runs in this process and resets LLVM's command-line options: a tool
/// that has some of its own must read them before.
mlir::FailureOr<std::vector<CompiledKernel>>
compileKernels(exec::ProgramOp program, const CpuTarget &target,
               llvm::StringRef sharedObjectPath);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_CPU_COMPILEKERNELS_H

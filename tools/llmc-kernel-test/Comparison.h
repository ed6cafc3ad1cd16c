// One compiled kernel against the reference interpreter.
#ifndef LLMC_TOOLS_KERNEL_TEST_COMPARISON_H
#define LLMC_TOOLS_KERNEL_TEST_COMPARISON_H

#include "codegen/Cpu/CompileKernels.h"
#include "runtime/device/KernelArgs.h"

namespace llmc {

struct KernelUnderTest {
  exec::KernelOp kernel;
  int64_t extent;
  rt::KernelFunction function;
};

/// Runs the kernel on seeded inputs: as a whole, in uneven pieces in another
/// order, and with results in the memory of the arguments they may share.
/// Every way must give the same bits, and agree with the reference within
/// `tolerance` of the largest element; infinities and NaN must not get lost.
/// Reports what does not.
bool agrees(const KernelUnderTest &test, unsigned seed, double tolerance);

} // namespace llmc

#endif // LLMC_TOOLS_KERNEL_TEST_COMPARISON_H

// The calling convention between the executor and compiled kernels.
#ifndef LLMC_RUNTIME_DEVICE_KERNELARGS_H
#define LLMC_RUNTIME_DEVICE_KERNELARGS_H

#include <cstdint>

namespace llmc::rt {

/// What a kernel gets: one bare pointer for each argument, then one for each
/// result, 64-byte aligned where the plan gives offsets that are. Scalars lie
/// in memory too.
struct KernelArgs {
  void *const *pointers;
};

/// Computes the part [begin, end) of the kernel's parallel dimension.
using KernelFunction = void (*)(const KernelArgs *, int64_t begin, int64_t end);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DEVICE_KERNELARGS_H

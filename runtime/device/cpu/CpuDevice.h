// Compiled kernels and oneDNN's matmuls over one pool of OpenMP threads.
#ifndef LLMC_RUNTIME_DEVICE_CPU_CPUDEVICE_H
#define LLMC_RUNTIME_DEVICE_CPU_CPUDEVICE_H

#include "runtime/device/Device.h"
#include "runtime/device/KernelArgs.h"
#include "runtime/device/cpu/Matmul.h"

namespace llmc::rt {

class CpuDevice : public Device {
public:
  /// Sets OpenMP's number of threads for the calling thread: it is the one that
  /// must use the device, and oneDNN takes the number from there.
  explicit CpuDevice(unsigned threads);
  ~CpuDevice() override;

  std::string_view name() const override { return "cpu"; }
  bool computes() const override { return true; }
  Status loadKernels(const std::string &path,
                     std::span<const KernelDesc> kernels) override;
  Status createMatmuls(std::span<const MatmulDesc> matmuls, void *workspace,
                       uint64_t workspaceBytes) override;
  Status launch(uint32_t kernel, std::span<void *const> operands) override;
  Status matmul(uint32_t index, std::span<void *const> operands) override;

private:
  struct Kernel {
    KernelFunction function;
    int64_t extent;
  };

  unsigned threads;
  void *library = nullptr;
  std::vector<Kernel> kernels;
  std::vector<Matmul> matmuls;
  /// Which of `matmuls` runs a matmul of the plan: equal ones share.
  std::vector<uint32_t> matmulOf;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DEVICE_CPU_CPUDEVICE_H

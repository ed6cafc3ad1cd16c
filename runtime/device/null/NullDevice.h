// Executes nothing, so that planners and the executor can be tested.
#ifndef LLMC_RUNTIME_DEVICE_NULL_NULLDEVICE_H
#define LLMC_RUNTIME_DEVICE_NULL_NULLDEVICE_H

#include "runtime/device/Device.h"

namespace llmc::rt {

class NullDevice : public Device {
public:
  /// An instruction as the executor gave it.
  struct Record {
    bool isMatmul;
    uint32_t index;
    std::vector<void *> operands;
  };

  std::string_view name() const override { return "null"; }
  bool computes() const override { return false; }
  Status loadKernels(const std::string &path,
                     std::span<const KernelDesc> kernels) override;
  Status createMatmuls(std::span<const MatmulDesc> matmuls, void *workspace,
                       uint64_t workspaceBytes) override;
  Status launch(uint32_t kernel, std::span<void *const> operands) override;
  Status matmul(uint32_t index, std::span<void *const> operands) override;

  const std::vector<Record> &records() const { return log; }
  const std::vector<KernelDesc> &kernels() const { return kernelList; }
  const std::vector<MatmulDesc> &matmuls() const { return matmulList; }

private:
  std::vector<KernelDesc> kernelList;
  std::vector<MatmulDesc> matmulList;
  std::vector<Record> log;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DEVICE_NULL_NULLDEVICE_H

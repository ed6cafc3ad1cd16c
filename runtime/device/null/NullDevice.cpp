// Records of what the executor asked for.
#include "runtime/device/null/NullDevice.h"

namespace llmc::rt {

Status NullDevice::loadKernels(const std::string &,
                               std::span<const KernelDesc> kernels) {
  kernelList.assign(kernels.begin(), kernels.end());
  return Status::success();
}

Status NullDevice::createMatmuls(std::span<const MatmulDesc> matmuls, void *,
                                 uint64_t) {
  matmulList.assign(matmuls.begin(), matmuls.end());
  return Status::success();
}

Status NullDevice::launch(uint32_t kernel, std::span<void *const> operands) {
  log.push_back({false, kernel, {operands.begin(), operands.end()}});
  return Status::success();
}

Status NullDevice::matmul(uint32_t index, std::span<void *const> operands) {
  log.push_back({true, index, {operands.begin(), operands.end()}});
  return Status::success();
}

} // namespace llmc::rt

// What the executor asks of a device: memory, kernels, matmuls.
#ifndef LLMC_RUNTIME_DEVICE_DEVICE_H
#define LLMC_RUNTIME_DEVICE_DEVICE_H

#include "runtime/base/Status.h"
#include "runtime/device/HostMemory.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace llmc::rt {

/// A function of the bundle's shared object, parallel over [0, extent).
struct KernelDesc {
  std::string symbol;
  int64_t extent = 1;
};

/// out[i, j] = sum over l of lhs[i, l] * rhs[l, j] in float32, then + bias[j],
/// then + addend[i, j]; with `accumulate` the sum is added to out instead.
/// Strides are in elements; out and addend are dense.
struct MatmulDesc {
  int64_t m = 1, n = 1, k = 1;
  /// By (m, k) and by (k, n).
  std::array<int64_t, 2> lhsStrides{1, 1}, rhsStrides{1, 1};
  bool accumulate = false;
  bool bias = false;
  bool addend = false;

  bool operator==(const MatmulDesc &) const = default;
  /// Operands: lhs, rhs, [bias], [addend], out.
  uint32_t operands() const { return 3 + bias + addend; }
};

/// Kernels and matmuls are named by their place in the lists that were loaded;
/// operands are addresses in the order of the plan. The executor calls a device
/// from one thread.
class Device {
public:
  virtual ~Device() = default;

  virtual std::string_view name() const = 0;
  /// Whether running an instruction changes memory.
  virtual bool computes() const = 0;

  /// Zeroed memory of exactly this size, at a multiple of 64, that lives as
  /// long as the device. `what` is for messages.
  Expected<uint8_t *> allocate(uint64_t bytes, const std::string &what);

  virtual Status loadKernels(const std::string &path,
                             std::span<const KernelDesc> kernels) = 0;
  /// All matmuls share one workspace; an error if it is too small for one.
  virtual Status createMatmuls(std::span<const MatmulDesc> matmuls,
                               void *workspace, uint64_t workspaceBytes) = 0;

  virtual Status launch(uint32_t kernel, std::span<void *const> operands) = 0;
  virtual Status matmul(uint32_t index, std::span<void *const> operands) = 0;

private:
  std::vector<HostMemory> memory;
};

/// The device of a plan's target: "cpu" or "null".
Expected<std::unique_ptr<Device>> createDevice(std::string_view target,
                                               unsigned threads);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DEVICE_DEVICE_H

// A matmul primitive with its arguments, created once and executed often.
#ifndef LLMC_RUNTIME_DEVICE_CPU_MATMUL_H
#define LLMC_RUNTIME_DEVICE_CPU_MATMUL_H

#include "runtime/device/Device.h"
#include "runtime/device/cpu/OneDnn.h"

namespace llmc::rt {

/// What oneDNN needs as scratch for this matmul with this many threads, on this
/// machine: the compiler puts it into the plan.
Expected<uint64_t> matmulWorkspaceBytes(const MatmulDesc &desc,
                                        unsigned threads);

/// The name of oneDNN's implementation that would run it, such as
/// "brg:avx512_core".
Expected<std::string> matmulImplementation(const MatmulDesc &desc,
                                           unsigned threads);

/// For the number of threads that OpenMP had when it was created.
class Matmul {
public:
  static Expected<Matmul> create(const MatmulDesc &desc, void *workspace,
                                 uint64_t workspaceBytes);

  Matmul(Matmul &&other) noexcept;
  Matmul &operator=(Matmul &&) = delete;
  ~Matmul();

  /// lhs, rhs, [bias], [addend], out.
  Status execute(std::span<void *const> operands) const;

private:
  explicit Matmul(const OneDnn &library) : library(&library) {}
  Status addArgument(int argument, const dnnl_memory_desc_t &desc,
                     void *handle);

  /// lhs, rhs, bias, addend and out, then the scratch.
  static constexpr size_t maxArguments = 6;

  const OneDnn *library;
  dnnl_primitive_t primitive = nullptr;
  /// In the order of the operands; the scratch is last.
  std::array<dnnl_exec_arg_t, maxArguments> arguments{};
  size_t count = 0;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DEVICE_CPU_MATMUL_H

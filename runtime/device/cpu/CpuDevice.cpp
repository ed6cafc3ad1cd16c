// Loading and running of kernels and matmuls.
#include "runtime/device/cpu/CpuDevice.h"

#include "runtime/device/cpu/StepMemory.h"

#include <algorithm>
#include <dlfcn.h>
#include <omp.h>

namespace llmc::rt {

CpuDevice::CpuDevice(unsigned threads) : threads(threads) {
  // A team whose size changes is allocated anew, and partial sums would depend
  // on it.
  omp_set_dynamic(0);
  omp_set_num_threads(int(threads));
}

CpuDevice::~CpuDevice() {
  if (library)
    dlclose(library);
}

Status CpuDevice::loadKernels(const std::string &path,
                              std::span<const KernelDesc> wanted) {
  // Without a slash dlopen would search the system's directories.
  std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Status::error("cannot load kernels: " + std::string(dlerror()));
  kernels.reserve(wanted.size());
  for (const KernelDesc &kernel : wanted) {
    void *symbol = dlsym(library, kernel.symbol.c_str());
    if (!symbol)
      return Status::error("'" + path + "' has no kernel '" + kernel.symbol +
                           "'");
    kernels.push_back(
        {reinterpret_cast<KernelFunction>(symbol), kernel.extent});
  }
  return Status::success();
}

Status CpuDevice::createMatmuls(std::span<const MatmulDesc> wanted,
                                void *workspace, uint64_t workspaceBytes) {
  std::vector<MatmulDesc> made;
  matmuls.reserve(wanted.size());
  for (const MatmulDesc &desc : wanted) {
    auto found = std::find(made.begin(), made.end(), desc);
    matmulOf.push_back(uint32_t(found - made.begin()));
    if (found != made.end())
      continue;
    Expected<Matmul> matmul = Matmul::create(desc, workspace, workspaceBytes);
    if (!matmul)
      return matmul.takeStatus();
    made.push_back(desc);
    matmuls.push_back(std::move(*matmul));
  }
  return Status::success();
}

Status CpuDevice::launch(uint32_t index, std::span<void *const> operands) {
  const Kernel &kernel = kernels[index];
  KernelArgs args{operands.data()};
  if (kernel.extent == 1 || threads == 1) {
    kernel.function(&args, 0, kernel.extent);
    return Status::success();
  }
  // The same split at every call: which thread computes what never changes.
#pragma omp parallel num_threads(threads)
  {
    int64_t thread = omp_get_thread_num(), team = omp_get_num_threads();
    int64_t share = kernel.extent / team, rest = kernel.extent % team;
    int64_t begin = thread * share + std::min(thread, rest);
    int64_t end = begin + share + (thread < rest);
    if (begin < end)
      kernel.function(&args, begin, end);
  }
  return Status::success();
}

Status CpuDevice::matmul(uint32_t index, std::span<void *const> operands) {
  StepMemoryScope pooled;
  return matmuls[matmulOf[index]].execute(operands);
}

} // namespace llmc::rt

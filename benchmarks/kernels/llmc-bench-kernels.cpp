// Times each kernel of a file beside what bounds it, measured in the same run:
// a copy of as many bytes, or a matrix product of oneDNN for kernels that say
// how many operations they do (`flops`). Bytes are those of arguments and
// results unless the kernel says how many it touches (`bytes`). One thread.
#include "codegen/Cpu/CompileKernels.h"
#include "dialects/Nn/Nn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "runtime/device/KernelArgs.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Format.h"
#include <chrono>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>

using namespace mlir;
using namespace llmc;

/// The shortest of several runs, in seconds.
static double shortest(llvm::function_ref<void()> run) {
  using Clock = std::chrono::steady_clock;
  double best = 1e30, total = 0;
  for (int i = 0; i < 200 && (i < 3 || total < 0.5); ++i) {
    auto start = Clock::now();
    run();
    std::chrono::duration<double> time = Clock::now() - start;
    best = std::min(best, time.count());
    total += time.count();
  }
  return best;
}

static int64_t bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t elements = tensor ? tensor.getNumElements() : 1;
  return elements * llvm::divideCeil(
                        getElementTypeOrSelf(type).getIntOrFloatBitWidth(), 8);
}

namespace {

struct Memory {
  explicit Memory(Type type) : words(llvm::divideCeil(bytesOf(type), 64) * 16) {
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(type));
    for (size_t i = 0; i < words.size(); ++i) {
      float number = 0.01f * (i * 7919 % 199) - 0.9f;
      words[i] = isFloat ? llvm::bit_cast<int32_t>(number) : 1 + i % 97;
    }
  }
  std::vector<int32_t> words;
};

} // namespace

/// Bytes per second that a copy reads and writes, for `bytes` in all.
static double copyBound(int64_t bytes) {
  std::vector<char> from(bytes / 2 + 1, 1), to(bytes / 2 + 1, 2);
  double time =
      shortest([&] { std::memcpy(to.data(), from.data(), bytes / 2); });
  return bytes / 2 * 2 / time;
}

static double sgemmBound() {
  constexpr int64_t kSize = 1024;
  std::vector<float> a(kSize * kSize, 0.5f), b(a), c(a);
  double time = shortest([&] {
    dnnl_sgemm('N', 'N', kSize, kSize, kSize, 1.0f, a.data(), kSize, b.data(),
               kSize, 0.0f, c.data(), kSize);
  });
  return 2.0 * kSize * kSize * kSize / time;
}

static void timeKernel(exec::KernelOp kernel, int64_t extent,
                       rt::KernelFunction function, double sgemm) {
  std::vector<Memory> memory;
  int64_t bytes = 0;
  auto add = [&](Type type) {
    memory.emplace_back(type);
    bytes += bytesOf(type);
  };
  llvm::for_each(kernel.getArgumentTypes(), add);
  llvm::for_each(kernel.getResultTypes(), add);
  std::vector<void *> pointers;
  for (Memory &one : memory)
    pointers.push_back(one.words.data());
  for (auto [i, alias] : llvm::enumerate(kernel.getAliases()))
    if (alias >= 0)
      pointers[kernel.getNumArguments() + i] = pointers[alias];
  for (auto [i, add] : llvm::enumerate(kernel.getAccumulate()))
    if (add)
      bytes += bytesOf(kernel.getResultTypes()[i]);
  if (auto touched = kernel->getAttrOfType<IntegerAttr>("bytes"))
    bytes = touched.getInt();
  rt::KernelArgs args{pointers.data()};
  double time = shortest([&] { function(&args, 0, extent); });
  llvm::outs() << llvm::format("%-24s %9.1f us  ",
                               kernel.getSymName().str().c_str(), time * 1e6);
  if (auto flops = kernel->getAttrOfType<IntegerAttr>("flops")) {
    double rate = flops.getInt() / time;
    llvm::outs() << llvm::format("%7.1f GFLOP/s  %4.0f %% of sgemm\n",
                                 rate * 1e-9, 100 * rate / sgemm);
    return;
  }
  double rate = bytes / time, bound = copyBound(bytes);
  llvm::outs() << llvm::format("%7.1f GB/s     %4.0f %% of memcpy (%.1f)\n",
                               rate * 1e-9, 100 * rate / bound, bound * 1e-9);
}

static bool timeProgram(exec::ProgramOp program) {
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("llmc-kernels", "so", path))
    return program.emitError("cannot create a temporary file"), false;
  llvm::FileRemover remover(path);
  std::clock_t start = std::clock();
  auto compiled =
      codegen::compileKernels(program, codegen::CpuTarget::host(), path.str());
  if (failed(compiled))
    return false;
  llvm::outs() << llvm::format("%zu kernels compiled in %.2f s of CPU time\n",
                               compiled->size(),
                               double(std::clock() - start) / CLOCKS_PER_SEC);
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return program.emitError("cannot load the kernels: ") << dlerror(), false;
  double sgemm = sgemmBound();
  llvm::outs() << llvm::format("oneDNN sgemm: %.1f GFLOP/s\n", sgemm * 1e-9);
  for (const codegen::CompiledKernel &entry : *compiled) {
    auto kernel = program.lookupSymbol<exec::KernelOp>(entry.symbol);
    auto function = reinterpret_cast<rt::KernelFunction>(
        dlsym(library, entry.symbol.c_str()));
    timeKernel(kernel, entry.extent, function, sgemm);
  }
  return true;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: OMP_NUM_THREADS=1 llmc-bench-kernels FILE.mlir\n";
    return 1;
  }
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, exec::ExecDialect, nn::NnDialect>();
  MLIRContext context(registry);
  auto module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  bool ok = true;
  for (auto program : module->getOps<exec::ProgramOp>())
    ok &= timeProgram(program);
  return ok ? 0 : 1;
}

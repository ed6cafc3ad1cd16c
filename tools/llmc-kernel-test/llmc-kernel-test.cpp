// Compiles the kernels of a file and compares them with the interpreter.
#include "dialects/Exec/Exec.h"
#include "dialects/Nn/Nn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "tools/llmc-kernel-test/Comparison.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"
#include <dlfcn.h>

using namespace mlir;
using namespace llmc;

static llvm::cl::opt<std::string> input(llvm::cl::Positional,
                                        llvm::cl::desc("file.mlir"),
                                        llvm::cl::Required);
static llvm::cl::opt<double>
    tolerance("tolerance",
              llvm::cl::desc("largest difference over the largest element"),
              llvm::cl::init(2e-6));
static llvm::cl::opt<unsigned>
    seeds("seeds", llvm::cl::desc("how many inputs to try"), llvm::cl::init(2));
static llvm::cl::opt<bool>
    baseline("baseline",
             llvm::cl::desc("use what every CPU of this kind has, not all that "
                            "this one has"),
             llvm::cl::init(false));

namespace {
/// The options as the user gave them: the linker in this process resets those
/// of the command line when it runs.
struct Settings {
  double tolerance = ::tolerance;
  unsigned seeds = ::seeds;
  bool baseline = ::baseline;
};
} // namespace

/// Compiles and checks one program; false when a kernel disagrees.
static bool checkProgram(exec::ProgramOp program, const Settings &settings) {
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("llmc-kernels", "so", path))
    return program.emitError("cannot create a temporary file"), false;
  llvm::FileRemover remover(path);
  codegen::CpuTarget target = codegen::CpuTarget::host();
  if (settings.baseline)
    target.features.clear();
  auto compiled = codegen::compileKernels(program, target, path.str());
  if (failed(compiled))
    return false;
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return program.emitError("cannot load the kernels: ") << dlerror(), false;
  bool ok = true;
  for (const codegen::CompiledKernel &entry : *compiled) {
    auto kernel = program.lookupSymbol<exec::KernelOp>(entry.symbol);
    auto function = reinterpret_cast<rt::KernelFunction>(
        dlsym(library, entry.symbol.c_str()));
    if (!function) {
      kernel.emitError("the shared object lacks the kernel");
      ok = false;
      continue;
    }
    bool agree = true;
    for (unsigned seed = 1; seed <= settings.seeds; ++seed)
      agree &=
          agrees({kernel, entry.extent, function}, seed, settings.tolerance);
    llvm::outs() << entry.symbol << (agree ? ": ok\n" : ": FAILED\n");
    ok &= agree;
  }
  dlclose(library);
  return ok;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "compares compiled kernels with the interpreter\n");
  const Settings settings;
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, exec::ExecDialect, nn::NnDialect>();
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(input, sources, &context);
  if (!module)
    return 1;
  bool ok = true;
  for (auto program : module->getOps<exec::ProgramOp>())
    ok &= checkProgram(program, settings);
  return ok ? 0 : 1;
}

// From a module of the LLVM dialect to an object, through LLVM's optimiser.
#include "codegen/Cpu/EmitObject.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

static std::unique_ptr<llvm::TargetMachine>
createMachine(ModuleOp module, const CpuTarget &target) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  llvm::Triple triple(target.triple);
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend) {
    module.emitError("cannot generate code for '")
        << target.triple << "': " << error;
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, /*CPU=*/"", target.features, llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
}

/// Without this, LLVM keeps to half of the widest registers on some CPUs.
static void preferWideVectors(llvm::Module &module, const CpuTarget &target) {
  std::string bits = std::to_string(32 * target.lanes());
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      function.addFnAttr("prefer-vector-width", bits);
      function.addFnAttr("min-legal-vector-width", bits);
      function.addFnAttr(llvm::Attribute::NoUnwind);
    }
}

/// The kernels are vectorised already: LLVM's vectorisers would find nothing
/// and take their time.
static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

FailureOr<llvm::SmallVector<char, 0>>
codegen::emitObject(ModuleOp module, const CpuTarget &target) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(module, target);
  if (!machine)
    return failure();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> ir = translateModuleToLLVMIR(module, context);
  if (!ir)
    return failure();
  ir->setTargetTriple(llvm::Triple(target.triple));
  ir->setDataLayout(machine->createDataLayout());
  preferWideVectors(*ir, target);
  optimise(*ir, *machine);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile)) {
    module.emitError("cannot write an object for '") << target.triple << "'";
    return failure();
  }
  passes.run(*ir);
  return object;
}

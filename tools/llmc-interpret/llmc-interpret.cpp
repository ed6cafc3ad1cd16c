// Runs modules in the float64 interpreter and compares what they give.
#include "codegen/Reference/Contract.h"
#include "dialects/Exec/Exec.h"
#include "dialects/Pipe/Pipe.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "passes/Nn/Passes.h"
#include "runtime/base/File.h"
#include "tools/llmc-interpret/FiniteDifferences.h"
#include "tools/llmc-interpret/Golden.h"
#include "tools/llmc-interpret/Outcome.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

namespace {

using namespace llmc::interpret;
namespace cl = llvm::cl;

cl::OptionCategory category("llmc-interpret options");

cl::list<std::string> files(cl::Positional,
                            cl::desc("FILE.mlir, or - for "
                                     "standard input"),
                            cl::cat(category));
cl::opt<std::string> entry("entry", cl::init("train"),
                           cl::desc("nn.microbatch to run; @train includes the "
                                    "update"),
                           cl::cat(category));
cl::opt<uint64_t> seed("seed", cl::init(1), cl::desc("of random inputs"),
                       cl::cat(category));
cl::opt<int64_t> microbatches("microbatches", cl::init(1),
                              cl::desc("micro-batches of the step"),
                              cl::cat(category));
cl::opt<std::string> inputsFile("inputs",
                                cl::desc("JSON that replaces random inputs"),
                                cl::cat(category));
cl::opt<std::string> outputs("outputs",
                             cl::desc("write JSON here instead of printing"),
                             cl::cat(category));
cl::opt<std::string> equalTo("equal-to",
                             cl::desc("module that must give the same"),
                             cl::cat(category));
cl::opt<double> tolerance("tolerance", cl::init(1e-12),
                          cl::desc("of --compare, --equal-to and "
                                   "--finite-differences"),
                          cl::cat(category));
cl::opt<bool> compare("compare", cl::desc("compare two JSON files"),
                      cl::cat(category));
cl::opt<bool>
    finiteDifferences("finite-differences",
                      cl::desc("check the gradients of a forward module"),
                      cl::cat(category));
cl::opt<std::string> golden("golden",
                            cl::desc("directory of a golden case to replay"),
                            cl::cat(category));
cl::opt<bool> splitInput("split-input-file",
                         cl::desc("run each part between // ----- lines"),
                         cl::cat(category));
cl::opt<bool> naive("naive-contractions",
                    cl::desc("contract by loops instead of by the BLAS"),
                    cl::cat(category));

int fail(const std::string &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

/// Adds the backward pass unless the module has it.
bool generateBackward(mlir::ModuleOp module) {
  bool hasBackward = false;
  module.walk([&](mlir::Operation *op) {
    hasBackward |= llvm::isa<llmc::nn::AccumulateOp, llmc::pipe::ProgramOp>(op);
  });
  if (hasBackward)
    return true;
  mlir::PassManager manager(module.getContext());
  manager.addPass(llmc::nn::createNnGenerateBackward());
  return mlir::succeeded(manager.run(module));
}

/// Random inputs for the entry of a module, and those of --inputs.
std::optional<Inputs> inputsFor(mlir::ModuleOp module) {
  auto signature = llmc::reference::signatureOf(module, entry);
  if (mlir::failed(signature))
    return std::nullopt;
  int64_t count = signature->microbatches.value_or(microbatches);
  if (count < 1) {
    fail("found " + std::to_string(count) +
         " micro-batches, expected at least 1");
    return std::nullopt;
  }
  Inputs inputs = randomInputs(module, *signature, seed, count);
  if (!inputsFile.empty())
    if (auto status = readInputs(inputsFile, inputs); !status) {
      fail(status.message());
      return std::nullopt;
    }
  return inputs;
}

int report(const Outcome &first, const Outcome &second) {
  Difference worst = compareOutcomes(first, second);
  bool equal = worst.size <= tolerance;
  llvm::outs() << (equal ? "equal" : "differ") << ": largest difference "
               << llvm::format("%.1e", worst.size) << " in " << worst.where
               << "\n";
  return equal ? 0 : 1;
}

int compareFiles() {
  if (files.size() != 2)
    return fail("--compare takes two files");
  auto first = readOutcome(files[0]), second = readOutcome(files[1]);
  if (!first || !second)
    return fail(first ? second.message() : first.message());
  return report(*first, *second);
}

int runModule(mlir::ModuleOp module) {
  std::optional<Inputs> inputs = inputsFor(module);
  if (!inputs)
    return 1;
  auto outcome = runEntry(module, entry, std::move(*inputs));
  if (mlir::failed(outcome))
    return 1;
  if (outputs.empty()) {
    printOutcome(*outcome, llvm::outs());
    return 0;
  }
  llmc::rt::Status status = llmc::rt::writeFileAtomically(
      outputs, llmc::rt::dumpJson(outcomeToJson(*outcome)) + "\n");
  return status ? 0 : fail(status.message());
}

int runEqualTo(mlir::ModuleOp module, mlir::MLIRContext &context) {
  auto other = mlir::parseSourceFile<mlir::ModuleOp>(equalTo, &context);
  if (!other)
    return 1;
  // The module of the nn level, if there is one, knows all global shapes.
  bool isFirst = module.lookupSymbol<llmc::nn::MicrobatchOp>(entry) ||
                 !other->lookupSymbol<llmc::nn::MicrobatchOp>(entry);
  mlir::ModuleOp higher = isFirst ? module : *other;
  mlir::ModuleOp lower = isFirst ? *other : module;
  auto needed = llmc::reference::signatureOf(lower, entry);
  if (mlir::failed(needed))
    return 1;
  if (needed->microbatches)
    microbatches = *needed->microbatches;
  std::optional<Inputs> inputs = inputsFor(higher);
  if (!inputs)
    return 1;
  auto first = runEntry(module, entry, *inputs);
  auto second = runEntry(*other, entry, *inputs);
  return mlir::succeeded(first) && mlir::succeeded(second)
             ? report(*first, *second)
             : 1;
}

int runFiniteDifferences(mlir::ModuleOp module) {
  if (!module.lookupSymbol<llmc::nn::MicrobatchOp>("train"))
    return fail("found no nn.microbatch @train to differentiate");
  std::optional<Inputs> inputs = inputsFor(module);
  if (!inputs || !generateBackward(module))
    return 1;
  // Differences of a float64 loss are good to some 1e-9.
  double limit = tolerance.getNumOccurrences() ? double(tolerance) : 1e-6;
  return mlir::succeeded(
             checkFiniteDifferences(module, *inputs, seed, limit, llvm::outs()))
             ? 0
             : 1;
}

int runGolden(mlir::ModuleOp module) {
  if (!generateBackward(module))
    return 1;
  return mlir::succeeded(checkGolden(module, golden, llvm::outs())) ? 0 : 1;
}

/// Runs one module in the mode that the options ask for.
int runBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer,
              mlir::MLIRContext &context) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!module)
    return 1;
  if (!equalTo.empty())
    return runEqualTo(*module, context);
  if (finiteDifferences)
    return runFiniteDifferences(*module);
  if (!golden.empty())
    return runGolden(*module);
  return runModule(*module);
}

int runFile(const std::string &path) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(path, &error);
  if (!file)
    return fail(error);
  mlir::DialectRegistry registry;
  registry.insert<llmc::nn::NnDialect, llmc::dist::DistDialect,
                  llmc::pipe::PipeDialect, llmc::exec::ExecDialect>();
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  return mlir::failed(mlir::splitAndProcessBuffer(
      std::move(file),
      [&](std::unique_ptr<llvm::MemoryBuffer> part, llvm::raw_ostream &) {
        return mlir::success(runBuffer(std::move(part), context) == 0);
      },
      llvm::outs(), splitInput ? mlir::kDefaultSplitMarker : ""));
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // LLVM's libraries bring options of their own.
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv, "runs llmc modules in float64 and compares the results\n");
  llmc::reference::setNaiveContractions(naive);
  if (compare)
    return compareFiles();
  if (files.size() != 1)
    return fail("expected one module, or - for standard input");
  return runFile(files[0]);
}

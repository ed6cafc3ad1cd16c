// From a loaded spec to a bundle.
#include "tools/llmc/Compiler.h"

#include "codegen/Cpu/CompileKernels.h"
#include "codegen/Plan/Serialize.h"
#include "frontend/builder/Builder.h"
#include "mlir/Support/Timing.h"
#include "passes/Pipelines/Pipelines.h"
#include "passes/Pipelines/Register.h"
#include "runtime/base/File.h"
#include "runtime/plan/Bundle.h"
#include "tools/llmc/Commands.h"
#include "tools/llmc/MemoryLimit.h"
#include "tools/llmc/SaveIr.h"
#include "tools/llmc/Settings.h"

using namespace mlir;

namespace llmc::tool {

/// What the user sees of an error in the compiler: the line of the spec, never
/// the IR. A spec that was loaded is right, so the fault is ours.
static LogicalResult printDiagnostic(Diagnostic &diagnostic) {
  llvm::raw_ostream &out = llvm::errs();
  if (auto line = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    out << line.getFilename().getValue() << ":" << line.getLine() << ":"
        << line.getColumn() << ": ";
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    out << "error: ";
    if (!StringRef(diagnostic.str()).starts_with("internal:"))
      out << "internal: ";
    break;
  case DiagnosticSeverity::Warning:
    out << "warning: ";
    break;
  default:
    out << "note: ";
  }
  out << diagnostic.str() << "\n";
  return success();
}

static void setOptions(PipelineOptions &options,
                       const frontend::LoadedSpec &loaded) {
  const frontend::TrainSection &train = loaded.spec.train;
  options.microbatches =
      train.globalBatchSize / (train.microBatchSize * loaded.spec.parallel.dp);
  options.schedule = loaded.spec.parallel.pipeline.schedule;
  options.target = loaded.spec.target.device;
  options.threads = threadsOf(loaded.spec);
}

static std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->getDiagEngine().registerHandler(printDiagnostic);
  return context;
}

std::string pipelineText(const frontend::LoadedSpec &loaded) {
  std::unique_ptr<MLIRContext> context = makeContext();
  auto pm = PassManager::on<ModuleOp>(context.get());
  PipelineOptions options;
  setOptions(options, loaded);
  buildCompilePipeline(pm, options);
  std::string text;
  llvm::raw_string_ostream stream(text);
  pm.printAsTextualPipeline(stream);
  return text;
}

/// What the machine that runs the bundle must have: the vector extensions of
/// the one that compiles.
static std::vector<std::string> requiredFeatures(StringRef features) {
  std::vector<std::string> required;
  SmallVector<StringRef> list;
  features.split(list, ',', -1, false);
  for (StringRef feature : list)
    if (feature.consume_front("+") &&
        (feature.starts_with("avx") || feature == "fma" || feature == "f16c"))
      required.push_back(feature.str());
  return required;
}

/// Kernels, plan, settings and manifest into the directory of the bundle.
static FailureOr<std::string> writeFiles(ModuleOp module,
                                         const frontend::LoadedSpec &loaded,
                                         const CompileSummary &summary,
                                         const std::string &directory,
                                         TimingScope &timing) {
  codegen::CpuTarget cpu = codegen::CpuTarget::host();
  auto path = [&](const char *name) { return directory + "/" + name; };
  exec::ProgramOp program = *module.getOps<exec::ProgramOp>().begin();
  TimingScope kernelTiming = timing.nest("kernels");
  auto kernels =
      codegen::compileKernels(program, cpu, path(rt::bundle::kernels));
  kernelTiming.stop();
  if (failed(kernels))
    return failure();
  TimingScope planTiming = timing.nest("plan and manifest");
  codegen::PlanTarget target;
  target.name = loaded.spec.target.device;
  target.llmcVersion = rt::llmcVersion();
  target.threads = threadsOf(loaded.spec);
  target.cpuFeatures = cpu.features;
  for (const codegen::CompiledKernel &kernel : *kernels)
    target.extents[kernel.symbol] = kernel.extent;
  auto plan = codegen::serializePlan(module, target);
  if (failed(plan))
    return failure();
  rt::RunSettings settings = settingsOf(loaded);
  rt::Manifest manifest;
  manifest.target = target.name;
  manifest.threads = target.threads;
  manifest.cpuFeatures = requiredFeatures(cpu.features);
  for (const auto &[name, text] :
       {std::pair(rt::bundle::plan, *plan),
        std::pair(rt::bundle::settings, settings.toJson()),
        std::pair(rt::bundle::summary, summary.json()),
        std::pair(rt::bundle::spec, settings.spec.text)})
    if (rt::Status status = rt::writeFileAtomically(path(name), text);
        !status) {
      llvm::errs() << "llmc: error: " << status.message() << "\n";
      return failure();
    }
  if (rt::Status status = rt::writeManifest(directory, manifest); !status) {
    llvm::errs() << "llmc: error: " << status.message() << "\n";
    return failure();
  }
  return summary.text();
}

static int refuse(const frontend::DiagnosticList &diagnostics) {
  llvm::errs() << diagnostics.str();
  return kWrongInput;
}

int compile(const frontend::LoadedSpec &loaded, const CompileOptions &options) {
  DefaultTimingManager timingManager;
  timingManager.setEnabled(options.timePasses);
  TimingScope timing = timingManager.getRootScope();
  frontend::DiagnosticList diagnostics;
  checkLeastMemory(loaded, diagnostics);
  if (diagnostics.hasErrors())
    return refuse(diagnostics);

  TimingScope buildTiming = timing.nest("build nn");
  std::unique_ptr<MLIRContext> context = makeContext();
  frontend::BuildOptions build;
  build.train = !options.generate;
  build.evaluate = !options.generate && !loaded.spec.data.validation.empty();
  build.logits = options.generate;
  OwningOpRef<ModuleOp> module = frontend::buildModule(*context, loaded, build);
  buildTiming.stop();

  TimingScope passTiming = timing.nest("passes");
  auto pm = PassManager::on<ModuleOp>(context.get());
  PipelineOptions pipeline;
  setOptions(pipeline, loaded);
  buildCompilePipeline(pm, pipeline);
  pm.enableTiming(passTiming);
  if (!options.saveIr.empty() && failed(saveIr(pm, *module, options.saveIr)))
    return kWrongInput;
  if (failed(pm.run(*module)))
    return kFault;
  passTiming.stop();
  CompileSummary planned = summarize(*module, loaded);
  checkPlannedMemory(loaded, planned, diagnostics);
  if (diagnostics.hasErrors())
    return refuse(diagnostics);

  auto directory = rt::DirectoryCommit::begin(options.output);
  if (!directory) {
    llvm::errs() << "llmc: error: " << directory.message() << "\n";
    return kWrongInput;
  }
  auto summary =
      writeFiles(*module, loaded, planned, directory->path(), timing);
  if (failed(summary))
    return kFault;
  if (rt::Status status = directory->commit(); !status) {
    llvm::errs() << "llmc: error: " << status.message() << "\n";
    return kFault;
  }
  if (!options.quiet)
    llvm::outs() << *summary << "bundle: " << options.output << "\n";
  return kDone;
}

} // namespace llmc::tool

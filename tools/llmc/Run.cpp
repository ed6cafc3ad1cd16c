// llmc run: trains from a spec or a bundle.
#include "runtime/executor/RunDirectory.h"
#include "runtime/executor/Trainer.h"
#include "tools/llmc/BundleCache.h"
#include "tools/llmc/Commands.h"
#include "tools/llmc/RunFiles.h"
#include "tools/llmc/Settings.h"

#include "llvm/Support/raw_ostream.h"

#include <filesystem>
#include <iostream>
#include <unistd.h>

namespace cl = llvm::cl;
using namespace llmc;

namespace {

cl::SubCommand runCommand("run", "Train from a spec or a bundle");
tool::SpecOptions source(runCommand);
cl::opt<std::string> output("o", cl::desc("Directory of the run"),
                            cl::value_desc("RUN_DIR"), cl::sub(runCommand));
cl::opt<long long> steps("steps", cl::desc("Stop after N more steps"),
                         cl::value_desc("N"), cl::sub(runCommand));
cl::opt<bool> overwrite("overwrite",
                        cl::desc("Remove the run that the run directory holds"),
                        cl::sub(runCommand));
cl::opt<std::string> traceFile("trace",
                               cl::desc("Write a trace of every instruction"),
                               cl::value_desc("FILE"), cl::sub(runCommand));
cl::opt<bool> checkFinite(
    "check-finite",
    cl::desc("Check every output, and name the first that is not finite"),
    cl::sub(runCommand));

int fail(const std::string &message, int code = tool::kWrongInput) {
  llvm::errs() << "llmc run: error: " << message << "\n";
  return code;
}

/// The options of this call without the spec and --set, which is compiled in.
std::vector<std::string> runOptions() {
  std::vector<std::string> arguments;
  if (!output.empty())
    arguments.push_back("-o=" + output);
  if (steps.getNumOccurrences())
    arguments.push_back("--steps=" + std::to_string(steps));
  if (overwrite)
    arguments.push_back("--overwrite");
  if (!traceFile.empty())
    arguments.push_back("--trace=" + traceFile);
  if (checkFinite)
    arguments.push_back("--check-finite");
  return arguments;
}

/// Runs `llmc run BUNDLE` in place of this process, so that the compiler's
/// memory is gone.
int runCompiled(const std::string &bundle, std::vector<std::string> options) {
  std::vector<std::string> arguments{"llmc", "run", bundle};
  arguments.insert(arguments.end(), options.begin(), options.end());
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  llvm::outs().flush();
  ::execv("/proc/self/exe", pointers.data());
  return fail(rt::systemError("start", "/proc/self/exe").message(),
              tool::kFault);
}

/// Whether the weights come from a checkpoint.
bool resumes(const frontend::LoadedSpec &loaded) {
  rt::RunSettings settings = tool::settingsOf(loaded);
  if (!output.empty())
    settings.setRunDirectory(output);
  auto checkpoint = rt::chooseCheckpoint(settings, overwrite);
  return checkpoint && *checkpoint;
}

int runSpec() {
  frontend::DiagnosticList diagnostics;
  std::optional<frontend::LoadedSpec> loaded = source.load(diagnostics);
  if (loaded)
    tool::checkRunFiles(*loaded, resumes(*loaded), diagnostics);
  diagnostics.print(std::cerr);
  if (diagnostics.hasErrors())
    return tool::kWrongInput;
  // Taken now: the linker in the compiler resets all options.
  std::vector<std::string> options = runOptions();
  tool::CachedBundle bundle = tool::cachedBundle(*loaded, /*generate=*/false);
  return bundle.code ? bundle.code : runCompiled(bundle.directory, options);
}

int runBundle() {
  std::error_code ignored;
  if (!std::filesystem::exists(source.path() + "/" + rt::Manifest::fileName,
                               ignored))
    return fail("'" + source.path() +
                "' is a directory without a manifest.json, expected a spec or "
                "a bundle");
  rt::Expected<rt::Bundle> bundle = rt::openBundle(source.path());
  if (!bundle)
    return fail(bundle.message());
  rt::Expected<rt::RunSettings> settings = rt::RunSettings::fromJson(
      bundle->settings, bundle->path(rt::bundle::settings));
  if (!settings)
    return fail(settings.message());
  for (const std::string &assignment : source.sets())
    if (rt::Status status = settings->set(assignment); !status)
      return fail(status.message());
  if (!output.empty())
    settings->setRunDirectory(output);
  rt::RunOptions options;
  options.overwrite = overwrite;
  options.traceFile = traceFile;
  options.checkFinite = checkFinite;
  if (steps.getNumOccurrences())
    options.steps = steps;
  rt::RunEnd end = rt::Trainer::run(std::move(*bundle), *settings, options);
  if (end.code == tool::kDone)
    return tool::kDone;
  return fail(end.message, end.code);
}

int runRun() {
  if (steps.getNumOccurrences() && steps < 1)
    return fail("--steps " + std::to_string(steps) + ", expected at least 1");
  std::error_code ignored;
  return std::filesystem::is_directory(source.path(), ignored) ? runBundle()
                                                               : runSpec();
}

tool::Command registration(runCommand, runRun);

} // namespace

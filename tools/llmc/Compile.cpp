// llmc compile: from a spec to a bundle.
#include "tools/llmc/Compiler.h"

#include "runtime/plan/Manifest.h"
#include "tools/llmc/Commands.h"

#include "llvm/Support/raw_ostream.h"

#include <filesystem>

namespace cl = llvm::cl;
namespace fs = std::filesystem;
using namespace llmc;

namespace {

cl::SubCommand compileCommand("compile", "Compile a spec into a bundle");
tool::SpecOptions spec(compileCommand);
cl::opt<std::string> output("o", cl::desc("Directory of the bundle"),
                            cl::value_desc("DIR"), cl::sub(compileCommand));
cl::opt<std::string>
    saveIr("save-ir", cl::desc("Write the IR after each pass into a directory"),
           cl::value_desc("DIR"), cl::sub(compileCommand));
cl::opt<bool>
    printPipeline("print-pipeline",
                  cl::desc("Print the passes as text that llmc-opt replays"),
                  cl::sub(compileCommand));
cl::opt<bool> timePasses("time-passes",
                         cl::desc("Print the time of each phase and pass"),
                         cl::sub(compileCommand));
cl::opt<bool>
    generate("generate",
             cl::desc("Compile the program that 'llmc generate' runs instead"),
             cl::Hidden, cl::sub(compileCommand));

/// What a bundle is moved over is lost: that may only be another one.
bool mayReplace(const std::string &path) {
  std::error_code ignored;
  return !fs::exists(fs::symlink_status(path, ignored)) ||
         fs::exists(path + "/" + rt::Manifest::fileName, ignored) ||
         (fs::is_directory(path, ignored) && fs::is_empty(path, ignored));
}

int runCompile() {
  auto loaded = spec.load();
  if (!loaded)
    return tool::kWrongInput;
  if (printPipeline) {
    llvm::outs() << tool::pipelineText(*loaded) << "\n";
    if (output.empty())
      return tool::kDone;
  }
  if (output.empty()) {
    llvm::errs() << "llmc compile: error: no directory for the bundle, "
                    "expected -o DIR\n";
    return tool::kWrongInput;
  }
  if (!mayReplace(output)) {
    llvm::errs() << "llmc compile: error: '" << output
                 << "' is there and is no bundle, expected a new directory or "
                    "a bundle to replace\n";
    return tool::kWrongInput;
  }
  return tool::compile(*loaded, {output, saveIr, timePasses, generate});
}

tool::Command registration(compileCommand, runCompile);

} // namespace

// llmc compile: from a spec to a bundle.
#include "tools/llmc/Compiler.h"

#include "tools/llmc/Commands.h"

#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
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
  return tool::compile(*loaded, {output, saveIr, timePasses, generate});
}

tool::Command registration(compileCommand, runCompile);

} // namespace

// llmc: compiles and runs specs. The commands stand in files of their own.
#include "tools/llmc/Commands.h"

#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

int main(int argc, char **argv) {
  // Options of the libraries are no business of the user.
  for (auto &[name, option] : cl::getRegisteredOptions())
    option->setHiddenFlag(cl::ReallyHidden);
  cl::SetVersionPrinter([](llvm::raw_ostream &out) { out << "llmc 0.1.0\n"; });
  cl::ParseCommandLineOptions(argc, argv,
                              "llmc: trains transformers from one YAML file\n");
  for (const llmc::tool::Command *command : llmc::tool::commands())
    if (command->subCommand)
      return command->run();
  llvm::errs() << "llmc: error: no command is named, expected one of";
  for (const llmc::tool::Command *command : llmc::tool::commands())
    llvm::errs() << " " << command->subCommand.getName();
  llvm::errs() << "\n";
  return llmc::tool::kWrongInput;
}

// llmc: compiles and runs specs. The commands stand in files of their own.
#include "tools/llmc/Commands.h"

#include "runtime/plan/Manifest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

namespace cl = llvm::cl;
using namespace llmc;

/// Commands of the page on the command line that are not built yet.
static constexpr llvm::StringLiteral kPlanned[] = {"data", "plan", "verify"};

/// Says what is wrong with the word that should be a command.
static int refuse(llvm::StringRef word) {
  llvm::errs() << "llmc: error: ";
  if (llvm::is_contained(kPlanned, word)) {
    llvm::errs() << "command " << word << " is not implemented yet\n";
    return tool::kWrongInput;
  }
  if (word.empty())
    llvm::errs() << "no command is named";
  else
    llvm::errs() << "unknown command " << word;
  llvm::errs() << ", expected ";
  llvm::interleaveComma(tool::commands(), llvm::errs(),
                        [](const tool::Command *command) {
                          llvm::errs() << command->subCommand.getName();
                        });
  llvm::errs() << "\n";
  return tool::kWrongInput;
}

int main(int argc, char **argv) {
  // A file that may not grow is an error of whoever writes it.
  std::signal(SIGXFSZ, SIG_IGN);
  // Options of the libraries are no business of the user.
  for (auto &[name, option] : cl::getRegisteredOptions())
    option->setHiddenFlag(cl::ReallyHidden);
  cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "llmc " << rt::llmcVersion() << "\n";
  });
  llvm::StringRef word = argc > 1 ? argv[1] : "";
  bool known = llvm::any_of(tool::commands(), [&](const auto *command) {
    return word == command->subCommand.getName();
  });
  if (!known && !word.starts_with("-"))
    return refuse(word);
  cl::ParseCommandLineOptions(argc, argv,
                              "llmc: trains transformers from one YAML file\n");
  for (const tool::Command *command : tool::commands())
    if (command->subCommand)
      return command->run();
  return refuse("");
}

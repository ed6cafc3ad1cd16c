// Writes the module after each pass: `compile --save-ir`.
#include "tools/llmc/SaveIr.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace llmc::tool {

static LogicalResult write(Operation *op, StringRef directory, int number,
                           StringRef name) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path,
                          llvm::formatv("{0,0+2}-{1}.mlir", number, name));
  std::string error;
  auto file = openOutputFile(path, &error);
  if (!file) {
    llvm::errs() << "llmc: error: " << error << "\n";
    return failure();
  }
  op->print(file->os(), OpPrintingFlags().enableDebugInfo());
  file->os() << "\n";
  file->keep();
  return success();
}

namespace {
class IrSaver : public PassInstrumentation {
public:
  explicit IrSaver(StringRef directory) : directory(directory) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    // Not the adaptor that only runs other passes.
    if (!pass->getArgument().empty())
      (void)write(op, directory, ++number, pass->getArgument());
  }

private:
  std::string directory;
  int number = 0;
};
} // namespace

LogicalResult saveIr(PassManager &pm, ModuleOp module, StringRef directory) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory)) {
    llvm::errs() << "llmc: error: cannot create directory '" << directory
                 << "': " << error.message() << "\n";
    return failure();
  }
  pm.addInstrumentation(std::make_unique<IrSaver>(directory));
  return write(module, directory, 0, "input");
}

} // namespace llmc::tool

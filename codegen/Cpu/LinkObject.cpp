// A shared object out of one object, with the linker in this process.
#include "codegen/Cpu/EmitObject.h"
#include "lld/Common/Driver.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

LLD_HAS_DRIVER(elf)

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

/// Writes `object` beside the shared object; linkers read files.
static LogicalResult writeFile(llvm::ArrayRef<char> object,
                               llvm::StringRef path, Location where) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) {
    file.write(object.data(), object.size());
    file.close();
    error = file.error();
    file.clear_error();
  }
  if (error)
    return emitError(where)
           << "cannot write '" << path << "': " << error.message();
  return success();
}

LogicalResult codegen::linkSharedObject(llvm::ArrayRef<char> object,
                                        llvm::StringRef path, Location where) {
  std::string output = path.str(), input = output + ".o";
  llvm::FileRemover remover(input);
  if (failed(writeFile(object, input, where)))
    return failure();
  // memset and the like come from the process that loads the object.
  std::vector<const char *> arguments = {
      "ld.lld",      "-shared", "--build-id=none", "--threads=1", "-z",
      "noexecstack", "-o",      output.c_str(),    input.c_str()};
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return emitError(where) << "cannot link '" << path << "': " << messages;
  return success();
}

// The exec dialect's registration, its type and its version in bytecode.
#include "dialects/Exec/Exec.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace llmc::exec;

#include "dialects/Exec/ExecDialect.cpp.inc"
#include "dialects/Exec/ExecEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Exec/ExecTypes.cpp.inc"

namespace {

struct ExecVersion : DialectVersion {
  uint64_t number = ExecDialect::kVersion;
};

/// Writes the dialect's version; attributes and types stay text.
struct ExecBytecodeInterface : BytecodeDialectInterface {
  explicit ExecBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(ExecDialect::kVersion);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    auto version = std::make_unique<ExecVersion>();
    if (failed(reader.readVarInt(version->number)))
      return nullptr;
    if (version->number > ExecDialect::kVersion) {
      reader.emitError() << "exec dialect version " << version->number
                         << " is newer than " << ExecDialect::kVersion
                         << ", the newest that this program reads";
      return nullptr;
    }
    return version;
  }
};

} // namespace

void ExecDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Exec/ExecOps.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Exec/ExecTypes.cpp.inc"
      >();
  addInterfaces<ExecBytecodeInterface>();
}

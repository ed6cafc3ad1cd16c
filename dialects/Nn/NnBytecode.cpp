// The nn dialect's version in bytecode.
#include "dialects/Nn/Nn.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace llmc::nn;

namespace {

struct Version : DialectVersion {
  explicit Version(uint64_t number) : number(number) {}
  uint64_t number;
};

/// Attributes are written as text; the version says which text it is.
struct NnBytecodeInterface : BytecodeDialectInterface {
  explicit NnBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(NnDialect::kVersion);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number = 0;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number > NnDialect::kVersion) {
      reader.emitError() << "found version " << number
                         << " of the nn dialect, expected at most "
                         << NnDialect::kVersion;
      return nullptr;
    }
    return std::make_unique<Version>(number);
  }
};

} // namespace

void NnDialect::registerBytecodeInterface() {
  addInterfaces<NnBytecodeInterface>();
}

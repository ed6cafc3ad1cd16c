// A dialect's version in bytecode.
#include "dialects/Interfaces/Bytecode.h"

#include "mlir/IR/Dialect.h"

using namespace mlir;

namespace llmc {

void VersionedBytecode::writeVersion(DialectBytecodeWriter &writer) const {
  writer.writeVarInt(newest);
}

std::unique_ptr<DialectVersion>
VersionedBytecode::readVersion(DialectBytecodeReader &reader) const {
  uint64_t number = 0;
  if (failed(reader.readVarInt(number)))
    return nullptr;
  if (number >= 1 && number <= newest)
    return std::make_unique<BytecodeVersion>(number);
  reader.emitError() << "found version " << number << " of the "
                     << getDialect()->getNamespace()
                     << " dialect, expected 1 to " << newest;
  return nullptr;
}

} // namespace llmc

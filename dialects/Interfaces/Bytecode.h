// A dialect's version in bytecode.
#ifndef LLMC_DIALECTS_INTERFACES_BYTECODE_H
#define LLMC_DIALECTS_INTERFACES_BYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace llmc {

struct BytecodeVersion : mlir::DialectVersion {
  explicit BytecodeVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

/// Writes and checks the version of a dialect whose attributes and types are
/// text in bytecode: the version says which text.
class VersionedBytecode : public mlir::BytecodeDialectInterface {
public:
  VersionedBytecode(mlir::Dialect *dialect, uint64_t newest)
      : BytecodeDialectInterface(dialect), newest(newest) {}

  void writeVersion(mlir::DialectBytecodeWriter &writer) const override;
  std::unique_ptr<mlir::DialectVersion>
  readVersion(mlir::DialectBytecodeReader &reader) const override;

private:
  uint64_t newest;
};

} // namespace llmc

#endif // LLMC_DIALECTS_INTERFACES_BYTECODE_H

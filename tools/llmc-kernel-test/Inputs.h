// Memory of a kernel under test, and seeded numbers to fill it.
#ifndef LLMC_TOOLS_KERNEL_TEST_INPUTS_H
#define LLMC_TOOLS_KERNEL_TEST_INPUTS_H

#include "codegen/Reference/Value.h"
#include "dialects/Exec/Exec.h"

namespace llmc {

/// The memory of one tensor or scalar between two guards.
class Buffer {
public:
  explicit Buffer(mlir::Type type);

  void *data() { return bytes.data() + kGuard; }
  void write(const reference::Value &value);
  reference::Value read() const;
  /// False when something wrote outside the tensor.
  bool guardsHold() const;
  bool operator==(const Buffer &other) const { return bytes == other.bytes; }

private:
  static constexpr size_t kGuard = 64;
  mlir::Type type;
  std::vector<unsigned char> bytes;
};

/// What the kernel's arguments hold: numbers that the ops which use them
/// allow (tokens in range, positive second moments ...), each exact in the
/// argument's type.
std::vector<reference::Value> makeInputs(exec::KernelOp kernel, unsigned seed);

/// What a result that accumulates holds before.
reference::Value makeInitial(mlir::Type type, unsigned seed);

} // namespace llmc

#endif // LLMC_TOOLS_KERNEL_TEST_INPUTS_H

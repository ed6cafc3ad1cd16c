// Builds the pieces of an exec.program: arenas, buffers, scalars, kernels.
#ifndef LLMC_PASSES_EXEC_PROGRAM_H
#define LLMC_PASSES_EXEC_PROGRAM_H

#include "dialects/Exec/Exec.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace llmc::exec {

/// Bytes of a value: tensors are dense, an i1 takes a byte.
int64_t bytesOf(mlir::Type type);

/// What a launch needs to know of a kernel: its body is filled by a callback.
struct KernelSpec {
  std::string stem;
  llvm::SmallVector<mlir::Type> arguments;
  llvm::SmallVector<mlir::Type> results;
  llvm::SmallVector<bool> accumulate; // empty: none
  llvm::SmallVector<int64_t> aliases; // empty: none
  /// Emits the body after the arguments and returns what the kernel gives.
  llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &,
                                                    mlir::ValueRange)>
      body;
};

/// Declarations stand before the blocks; a block is appended for each local
/// function.
class ProgramBuilder {
public:
  explicit ProgramBuilder(mlir::ModuleOp module);

  ProgramOp getProgram() { return program; }
  /// The builder that appends to the block that is being made.
  mlir::OpBuilder &instructions() { return inside; }

  BlockOp beginBlock(llvm::StringRef name, mlir::Location loc);
  mlir::Value buffer(Role role, int64_t bytes, llvm::StringRef value,
                     mlir::Location loc, llvm::StringRef entry = "");
  mlir::Value view(mlir::Value source, int64_t offset, int64_t bytes);
  /// The scalar of the step arena with this role; made once.
  mlir::Value scalar(llvm::StringRef role, mlir::Type type);
  /// A kernel with this content; equal contents share one.
  mlir::FlatSymbolRefAttr kernel(const KernelSpec &spec, mlir::Location loc);
  void launch(mlir::FlatSymbolRefAttr kernel, mlir::ValueRange inputs,
              mlir::ValueRange outputs, When when, mlir::Location loc,
              mlir::Operation *origin = nullptr);
  /// The number of slots: live micro-batches.
  void setSlots(int64_t count);
  /// Declares ops that are not instructions (inputs, states, entries).
  mlir::OpBuilder &declarations() { return outside; }

private:
  ArenaOp arena(Role role);

  mlir::ModuleOp module;
  ProgramOp program;
  mlir::OpBuilder outside; // before the first block
  mlir::OpBuilder inside;
  std::map<Role, ArenaOp> arenas;
  std::map<std::string, mlir::Value> scalars;
  std::map<std::string, std::string> kernelNames; // content to name
};

} // namespace llmc::exec

#endif // LLMC_PASSES_EXEC_PROGRAM_H

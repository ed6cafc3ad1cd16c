// Declares nn.parameter ops for the tensors that a model names.
#ifndef LLMC_FRONTEND_BUILDER_PARAMETERTABLE_H
#define LLMC_FRONTEND_BUILDER_PARAMETERTABLE_H

#include "dialects/Nn/Nn.h"
#include "frontend/spec/Architecture.h"
#include "mlir/IR/BuiltinOps.h"

namespace llmc::frontend {

/// The spec line of a mark, under the path of a layer.
mlir::Location locate(mlir::MLIRContext *context, const SourceMark &mark,
                      llvm::StringRef path);

/// A part of a tensor of the weights file: rows [offset, offset + out) along
/// its out axis, seen as `shape`.
struct Slice {
  const TensorRef *tensor;
  llvm::SmallVector<int64_t, 4> shape;
  int64_t offset = 0;
  llvm::StringRef suffix = ""; // distinguishes parts of one tensor
};

/// One parameter for each distinct slice, declared at first use in the module.
class ParameterTable {
public:
  ParameterTable(mlir::ModuleOp module, const Architecture &arch)
      : module(module), arch(arch) {}

  /// The value of the slice at the builder's position.
  mlir::Value get(mlir::OpBuilder &builder, const Slice &slice,
                  llvm::StringRef group);

private:
  nn::ParameterOp declare(const Slice &slice, const std::string &name,
                          llvm::StringRef group);

  mlir::ModuleOp module;
  const Architecture &arch;
};

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_BUILDER_PARAMETERTABLE_H

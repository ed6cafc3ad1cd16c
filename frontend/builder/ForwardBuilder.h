// Emits the forward pass of an architecture as nn ops.
#ifndef LLMC_FRONTEND_BUILDER_FORWARDBUILDER_H
#define LLMC_FRONTEND_BUILDER_FORWARDBUILDER_H

#include "frontend/builder/ParameterTable.h"
#include "frontend/spec/Load.h"

namespace llmc::frontend {

/// Emits embedding, layers and final norms at the builder's position, for
/// tokens of shape [T, B]. Ops of layer i carry `layer = i`.
class ForwardBuilder {
public:
  ForwardBuilder(mlir::OpBuilder &builder, ParameterTable &parameters,
                 const LoadedSpec &loaded)
      : builder(builder), parameters(parameters), spec(loaded.spec),
        arch(loaded.arch) {}

  /// The input of the output projection, [T, B, C].
  mlir::Value build(mlir::Value tokens);
  /// The weight of the output projection, [V, C].
  mlir::Value outputWeight();

private:
  mlir::Value embed(mlir::Value tokens);
  mlir::Value items(const std::vector<BlockItem> &list, mlir::Value x);
  mlir::Value item(const Norm &norm, mlir::Value x);
  mlir::Value item(const Attention &attention, mlir::Value x);
  mlir::Value item(const Mlp &mlp, mlir::Value x);
  mlir::Value item(const Residual &residual, mlir::Value x);
  mlir::Value activate(Activation kind, mlir::Value x, mlir::Location loc);

  /// x times a weight slice, plus the same slice of the bias. `indices` are
  /// those of nn.contract; `features` is the shape of the output features.
  mlir::Value linear(const Linear &linear, mlir::Value x,
                     llvm::ArrayRef<int64_t> weightShape,
                     llvm::ArrayRef<int64_t> features, llvm::StringRef indices,
                     int64_t offset = 0, llvm::StringRef suffix = "");
  mlir::Value heads(const Attention &attention, mlir::Value x, int which);
  mlir::Value parameter(const TensorRef &tensor, llvm::ArrayRef<int64_t> shape,
                        int64_t offset = 0, llvm::StringRef suffix = "");
  mlir::Location at(const SourceMark &mark, llvm::StringRef what);
  /// Marks an op with the layer that is being built, if any.
  template <typename OpT> OpT mark(OpT op) {
    if (layer)
      op->setAttr("layer", builder.getI64IntegerAttr(layer->index));
    return op;
  }

  mlir::OpBuilder &builder;
  ParameterTable &parameters;
  const Spec &spec;
  const Architecture &arch;
  const Layer *layer = nullptr;
  bool lastOfLayer = false;
  llvm::StringRef group = "embedding";
  mlir::Value documentStarts; // null without a document mask
};

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_BUILDER_FORWARDBUILDER_H

// The parallel dimension of each kind of kernel.
#include "codegen/Cpu/KernelExtent.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::codegen;

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

static int64_t blocks(int64_t elements, int64_t block) {
  return llvm::divideCeil(elements, block);
}

/// Batches times heads.
static int64_t heads(Value tensor) {
  return product(shapeOf(tensor).slice(1, 2));
}

static FailureOr<int64_t> rootExtent(Operation *root) {
  using Extent = FailureOr<int64_t>;
  return llvm::TypeSwitch<Operation *, Extent>(root)
      .Case<nn::EmbeddingOp>([](nn::EmbeddingOp op) -> Extent {
        return product(shapeOf(op.getTokens()));
      })
      .Case<nn::EmbeddingGradOp>([](nn::EmbeddingGradOp op) -> Extent {
        return blocks(shapeOf(op.getResult()).back(), kScatterChunk);
      })
      .Case<nn::PositionsGradOp>([](nn::PositionsGradOp op) -> Extent {
        return shapeOf(op.getResult()).front();
      })
      .Case<nn::DocumentStartOp>([](nn::DocumentStartOp op) -> Extent {
        return product(shapeOf(op.getTokens()).drop_front());
      })
      .Case<nn::AttentionOp>([](nn::AttentionOp op) -> Extent {
        return heads(op.getQ()) *
               blocks(shapeOf(op.getQ()).front(), kQueryBlock);
      })
      .Case<nn::AttentionGradOp>(
          [](nn::AttentionGradOp op) -> Extent { return heads(op.getK()); })
      .Case<nn::SoftmaxCrossEntropyOp>(
          [](nn::SoftmaxCrossEntropyOp op) -> Extent {
            return product(shapeOf(op.getLabels()));
          })
      .Case<nn::NormPartialsOp>([](nn::NormPartialsOp op) -> Extent {
        return shapeOf(op.getPartials()).front();
      })
      .Case<nn::AdamwApplyOp, nn::SgdApplyOp>([](auto op) -> Extent {
        return blocks(product(shapeOf(op.getParameter())), kUpdateBlock);
      })
      .Case<nn::SumOp, nn::ClipFactorOp, nn::SquaredErrorOp>(
          [](auto) -> Extent { return 1; })
      .Default([](Operation *op) -> Extent {
        return op->emitError("internal: code generation has no kernel for op '")
               << op->getName() << "'";
      });
}

/// The widest tensor among the values of a kernel.
static ArrayRef<int64_t> widestShape(exec::KernelOp kernel) {
  ArrayRef<int64_t> widest;
  auto look = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getRank() > static_cast<int64_t>(widest.size()))
      widest = tensor.getShape();
  };
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    llvm::for_each(op.getOperandTypes(), look);
    llvm::for_each(op.getResultTypes(), look);
  }
  return widest;
}

FailureOr<int64_t> codegen::getKernelExtent(exec::KernelOp kernel) {
  FailureOr<KernelShape> shape = getKernelShape(kernel);
  if (failed(shape))
    return failure();
  if (shape->form == KernelForm::Root)
    return rootExtent(shape->root);
  ArrayRef<int64_t> sizes = widestShape(kernel);
  if (shape->form == KernelForm::Rows)
    return product(sizes.take_front(shape->rowRank));
  if (shape->form == KernelForm::Columns)
    return blocks(product(sizes.drop_front(shape->rowRank)), kColumnChunk);
  int64_t elements = 0;
  for (Type type : kernel.getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      elements = std::max(elements, tensor.getNumElements());
  return blocks(std::max<int64_t>(elements, 1), kFillBlock);
}

// convert-to-exec: the output projection and cross-entropy, chunk by chunk.
#include "passes/Exec/Converter.h"
#include "test/faults/Fault.h"

using namespace mlir;

namespace llmc::exec {

namespace {
/// Rows [begin, begin + size) of the sequence.
struct Chunk {
  int64_t begin, size;
};
} // namespace

/// Chunks whose logits stay within `limit` bytes, of one row at least.
static SmallVector<Chunk> chunksOf(int64_t sequence, int64_t bytesPerRow,
                                   std::optional<uint64_t> limit) {
  int64_t size = sequence;
  if (limit)
    size = std::clamp<int64_t>(int64_t(*limit) / bytesPerRow, 1, sequence);
  SmallVector<Chunk> chunks;
  for (int64_t begin = 0; begin < sequence; begin += size)
    chunks.push_back({begin, std::min(size, sequence - begin)});
  return chunks;
}

/// The kernel that turns logits into their gradient, in place.
static FlatSymbolRefAttr softmaxKernel(ProgramBuilder &program,
                                       RankedTensorType logits,
                                       RankedTensorType labels, Location loc) {
  Type f32 = logits.getElementType();
  auto losses = RankedTensorType::get(labels.getShape(), f32);
  KernelSpec spec;
  spec.stem = "softmax_cross_entropy";
  spec.arguments = {logits, labels, f32};
  spec.results = {losses, logits};
  spec.aliases = {-1, 0};
  auto body = [&](OpBuilder &builder, ValueRange arguments) {
    auto op = nn::SoftmaxCrossEntropyOp::create(
        builder, loc, TypeRange{losses, logits}, arguments[0], arguments[1],
        arguments[2]);
    return SmallVector<Value>(op->getResults());
  };
  spec.body = body;
  return program.kernel(spec, loc);
}

void Converter::sumLosses(Value losses, RankedTensorType type, Location loc) {
  KernelSpec spec;
  spec.stem = "sum";
  Type f32 = type.getElementType();
  spec.arguments = {type};
  spec.results = {f32};
  auto body = [&](OpBuilder &builder, ValueRange arguments) {
    return SmallVector<Value>{
        nn::SumOp::create(builder, loc, f32, arguments[0])};
  };
  spec.body = body;
  Value loss = program.scalar("loss", f32);
  program.launch(program.kernel(spec, loc), losses, loss, When::First, loc);
  spec.accumulate = {!LLMC_FAULT("loss-of-last-micro-batch")};
  program.launch(program.kernel(spec, loc), losses, loss, When::NotFirst, loc);
}

LogicalResult Converter::convertCrossEntropy(nn::CrossEntropyOp loss) {
  Location loc = loss.getLoc();
  auto input = cast<RankedTensorType>(loss.getInput().getType());
  auto weight = cast<RankedTensorType>(loss.getWeight().getType());
  int64_t sequence = input.getDimSize(0), batch = input.getDimSize(1),
          hidden = input.getDimSize(2), vocab = weight.getDimSize(0);
  Type f32 = input.getElementType();
  SmallVector<Chunk> chunks =
      chunksOf(sequence, batch * vocab * 4, loss.getLogitsLimit());
  Value logits =
      program.buffer(Role::Scratch, chunks.front().size * batch * vocab * 4,
                     "logits", loc, entry);
  auto lossesType = RankedTensorType::get({sequence, batch}, f32);
  Value losses = program.buffer(Role::Scratch, bytesOf(lossesType),
                                "token losses", loc, entry);
  Value x = bufferOf(loss.getInput()), w = bufferOf(loss.getWeight()),
        labels = bufferOf(loss.getLabels()), seed = bufferOf(loss.getSeed());
  dist::AccumulateOp gradient = soleAccumulate(loss.getWeightGrad());
  if (!gradient && !loss.getWeightGrad().use_empty())
    return loss.emitError("internal: the weight gradient of the loss must be "
                          "accumulated, and nothing else");
  bool wantsInput = !loss.getInputGrad().use_empty();
  for (const Chunk &chunk : chunks) {
    auto part = [&](Value buffer, int64_t bytesPerRow) {
      return program.view(buffer, chunk.begin * bytesPerRow,
                          chunk.size * bytesPerRow);
    };
    auto xType = RankedTensorType::get({chunk.size, batch, hidden}, f32);
    auto logitsType = RankedTensorType::get({chunk.size, batch, vocab}, f32);
    auto labelsType = RankedTensorType::get(
        {chunk.size, batch},
        cast<RankedTensorType>(loss.getLabels().getType()).getElementType());
    Value xPart = part(x, batch * hidden * 4);
    Value labelsPart = part(labels, batch * 4);
    if (LLMC_FAULT("loss-chunk-labels"))
      labelsPart = program.view(
          labels, std::max<int64_t>(chunk.begin - 1, 0) * batch * 4,
          chunk.size * batch * 4);
    Value logitsPart = program.view(logits, 0, chunk.size * batch * vocab * 4);
    auto product = [&](StringRef indices, RankedTensorType left, Value lhs,
                       RankedTensorType right, Value rhs) {
      return MatmulCall{*matmulShape(indices, left, right), lhs, rhs, Value(),
                        Value()};
    };
    emitMatmul(product("tbc,vc->tbv", xType, xPart, weight, w), logitsPart,
               false, When::Always, loc, loss);
    program.launch(softmaxKernel(program, logitsType, labelsType, loc),
                   {logitsPart, labelsPart, seed},
                   {part(losses, batch * 4), logitsPart}, When::Always, loc);
    if (wantsInput)
      emitMatmul(product("tbv,vc->tbc", logitsType, logitsPart, weight, w),
                 part(bufferOf(loss.getInputGrad()), batch * hidden * 4), false,
                 When::Always, loc, loss);
    if (gradient)
      emitMatmulGradient(
          product("tbv,tbc->vc", logitsType, logitsPart, xType, xPart),
          gradient.getBucket(), gradient.getParameter(), loc, loss);
  }
  sumLosses(losses, lossesType, loc);
  return success();
}

} // namespace llmc::exec

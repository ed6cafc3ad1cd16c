// When instructions of an entry run, and what they read and write.
#include "passes/Exec/Timeline.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace llmc::exec {

Range rangeOf(Value value) {
  int64_t begin = 0;
  int64_t bytes = -1;
  while (auto view = value.getDefiningOp<ViewOp>()) {
    begin += view.getOffset();
    if (bytes < 0)
      bytes = view.getBytes();
    value = view.getSource();
  }
  auto buffer = value.getDefiningOp<BufferOp>();
  return {buffer, begin, bytes < 0 ? int64_t(buffer.getBytes()) : bytes};
}

static SmallVector<Value> readsOfLaunch(LaunchOp launch,
                                        const SymbolTable &symbols) {
  SmallVector<Value> reads(launch.getInputs());
  auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
  for (auto [adds, output] :
       llvm::zip(kernel.getAccumulate(), launch.getOutputs()))
    if (adds)
      reads.push_back(output);
  return reads;
}

static SmallVector<Value> readsOfMatmul(MatmulOp matmul) {
  SmallVector<Value> reads{matmul.getLhs(), matmul.getRhs()};
  for (Value optional : {matmul.getBias(), matmul.getAddend()})
    if (optional)
      reads.push_back(optional);
  if (matmul.getAccumulate())
    reads.push_back(matmul.getOut());
  return reads;
}

SmallVector<Value> readsOf(Operation *instruction, const SymbolTable &symbols) {
  using Values = SmallVector<Value>;
  return llvm::TypeSwitch<Operation *, Values>(instruction)
      .Case([&](LaunchOp op) { return readsOfLaunch(op, symbols); })
      .Case([](MatmulOp op) { return readsOfMatmul(op); })
      .Case<CollectiveOp, CollectiveStartOp>(
          [](auto op) { return Values{op.getInput()}; })
      .Case([](WaitOp op) { return Values{op.getStart().getInput()}; });
}

SmallVector<Value> writesOf(Operation *instruction) {
  using Values = SmallVector<Value>;
  return llvm::TypeSwitch<Operation *, Values>(instruction)
      .Case([](LaunchOp op) { return Values(op.getOutputs()); })
      .Case([](MatmulOp op) { return Values{op.getOut()}; })
      .Case<CollectiveOp, CollectiveStartOp>(
          [](auto op) { return Values{op.getOutput()}; })
      .Case([](WaitOp op) { return Values{op.getStart().getOutput()}; });
}

SmallVector<BlockOp> blocksOf(const SymbolTable &symbols, EntryOp entry) {
  llvm::SetVector<StringRef> names;
  for (auto name : entry.getBlocks().getAsValueRange<StringAttr>())
    names.insert(name);
  SmallVector<BlockOp> blocks;
  for (StringRef name : names)
    if (auto block = symbols.lookup<BlockOp>(name))
      blocks.push_back(block);
  return blocks;
}

} // namespace llmc::exec

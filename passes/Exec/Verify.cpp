// exec-verify: sizes, places and overlaps; then a replay of every entry.
#include "passes/Exec/Passes.h"

#include "passes/Exec/Program.h"
#include "passes/Exec/Replay.h"

using namespace mlir;

namespace llmc::exec {
#define GEN_PASS_DEF_EXECVERIFYPASS
#include "passes/Exec/Passes.h.inc"

namespace {
/// What needs no order: sizes, places, and overlaps within an instruction.
class Verifier {
public:
  explicit Verifier(ProgramOp program) : program(program), symbols(program) {}
  LogicalResult run();

private:
  LogicalResult checkOneRank();
  LogicalResult checkBuffers();
  LogicalResult checkShapes(Operation *op);
  LogicalResult checkMatmul(MatmulOp matmul);
  LogicalResult checkOverlap(Operation *op);

  ProgramOp program;
  SymbolTable symbols;
};
} // namespace

LogicalResult Verifier::checkOneRank() {
  WalkResult result = program.walk([](Operation *op) -> WalkResult {
    if (isa<CollectiveOp, CollectiveStartOp>(op))
      return op->emitError("a collective needs more than one rank, which is "
                           "not implemented");
    auto view = dyn_cast<ViewOp>(op);
    if (view && view.getAxis())
      return op->emitError("a view that depends on a mesh coordinate needs "
                           "more than one rank, which is not implemented");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Verifier::checkBuffers() {
  for (auto buffer : program.getOps<BufferOp>()) {
    auto arena = symbols.lookup<ArenaOp>(buffer.getArena());
    if (!arena.getBytes())
      return arena.emitError("arena has no size: run exec-plan-memory");
    if (!buffer.getOffset()) // no instruction touches it
      continue;
    int64_t begin = *buffer.getOffset(), end = begin + buffer.getBytes();
    if (begin < 0 || end > int64_t(*arena.getBytes()))
      return buffer.emitError("buffer lies at bytes ")
             << begin << " to " << end << " of arena @" << arena.getSymName()
             << ", which has " << *arena.getBytes();
  }
  return success();
}

/// Bytes that operand `what` needs against those that it has.
static LogicalResult checkSize(Operation *op, const Twine &what, Value operand,
                               int64_t needed) {
  int64_t found = rangeOf(operand).bytes;
  if (found == needed)
    return success();
  return op->emitError() << what << " has " << found << " bytes, expected "
                         << needed;
}

static LogicalResult checkKernelShapes(LaunchOp launch, KernelOp kernel) {
  auto types = kernel.getFunctionType();
  for (auto [number, input] : llvm::enumerate(launch.getInputs()))
    if (failed(checkSize(launch, "input " + Twine(number), input,
                         bytesOf(types.getInput(number)))))
      return failure();
  for (auto [number, output] : llvm::enumerate(launch.getOutputs()))
    if (failed(checkSize(launch, "output " + Twine(number), output,
                         bytesOf(types.getResult(number)))))
      return failure();
  return success();
}

LogicalResult Verifier::checkMatmul(MatmulOp matmul) {
  int64_t m = matmul.getM(), n = matmul.getN(), k = matmul.getK();
  if (failed(checkSize(matmul, "lhs", matmul.getLhs(), m * k * 4)) ||
      failed(checkSize(matmul, "rhs", matmul.getRhs(), k * n * 4)) ||
      failed(checkSize(matmul, "out", matmul.getOut(), m * n * 4)))
    return failure();
  if (matmul.getBias() &&
      failed(checkSize(matmul, "bias", matmul.getBias(), n * 4)))
    return failure();
  if (matmul.getAddend() &&
      failed(checkSize(matmul, "addend", matmul.getAddend(), m * n * 4)))
    return failure();
  int64_t needed = matmul.getWorkspace().value_or(0);
  auto arena = symbols.lookup<ArenaOp>(stringifyRole(Role::Workspace));
  int64_t found = arena ? arena.getBytes().value_or(0) : 0;
  if (needed <= found)
    return success();
  return matmul.emitError("needs ")
         << needed << " bytes of workspace, the arena has " << found;
}

LogicalResult Verifier::checkShapes(Operation *op) {
  auto launch = dyn_cast<LaunchOp>(op);
  if (!launch)
    return checkMatmul(cast<MatmulOp>(op));
  return checkKernelShapes(launch,
                           symbols.lookup<KernelOp>(launch.getKernel()));
}

/// True if two ranges share a byte, in the same slot.
static bool overlap(Range a, Range b) {
  if (a.buffer.getArena() != b.buffer.getArena())
    return false;
  int64_t aBegin = a.buffer.getOffset().value_or(0) + a.begin;
  int64_t bBegin = b.buffer.getOffset().value_or(0) + b.begin;
  return aBegin < bBegin + b.bytes && bBegin < aBegin + a.bytes;
}

/// An output may only share bytes with the input that the kernel allows, and
/// then exactly.
LogicalResult Verifier::checkOverlap(Operation *op) {
  auto launch = dyn_cast<LaunchOp>(op);
  SmallVector<Value> inputs;
  ArrayRef<int64_t> aliases;
  if (launch) {
    inputs.assign(launch.getInputs().begin(), launch.getInputs().end());
    aliases = symbols.lookup<KernelOp>(launch.getKernel()).getAliases();
  } else {
    auto matmul = cast<MatmulOp>(op);
    inputs = {matmul.getLhs(), matmul.getRhs()};
    for (Value optional : {matmul.getBias(), matmul.getAddend()})
      if (optional)
        inputs.push_back(optional);
  }
  SmallVector<Value> outputs = writesOf(op);
  for (auto [number, output] : llvm::enumerate(outputs)) {
    Range out = rangeOf(output);
    for (auto [which, input] : llvm::enumerate(inputs)) {
      Range in = rangeOf(input);
      if (!overlap(out, in))
        continue;
      bool allowed = number < aliases.size() &&
                     aliases[number] == int64_t(which) &&
                     out.buffer == in.buffer && out.begin == in.begin;
      if (!allowed)
        return op->emitError("output ") << number << " overlaps input " << which
                                        << ", which the kernel does not allow";
    }
    for (size_t other = 0; other < number; ++other)
      if (overlap(out, rangeOf(outputs[other])))
        return op->emitError("output ")
               << number << " overlaps output " << other;
  }
  return success();
}

LogicalResult Verifier::run() {
  if (failed(checkOneRank()) || failed(checkBuffers()))
    return failure();
  for (auto block : program.getOps<BlockOp>())
    for (Operation &op : block.getBody().front())
      if (failed(checkShapes(&op)) || failed(checkOverlap(&op)))
        return failure();
  for (auto entry : program.getOps<EntryOp>())
    if (failed(Replay(program).run(entry)))
      return failure();
  return success();
}

namespace {
struct Verify : impl::ExecVerifyPassBase<Verify> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<ProgramOp>())
      if (failed(Verifier(program).run()))
        return signalPassFailure();
  }
};
} // namespace

} // namespace llmc::exec

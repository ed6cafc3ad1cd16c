// exec-verify: replays a step on a map of memory and checks every access.
#include "passes/Exec/Passes.h"

#include "passes/Exec/Program.h"
#include "passes/Exec/Timeline.h"

using namespace mlir;

namespace llmc::exec {
#define GEN_PASS_DEF_EXECVERIFYPASS
#include "passes/Exec/Passes.h.inc"

namespace {
/// Which buffer wrote each byte of an arena last.
class ShadowMemory {
public:
  void write(int64_t begin, int64_t end, Operation *owner) {
    split(begin);
    split(end);
    ranges.erase(ranges.lower_bound(begin), ranges.lower_bound(end));
    ranges[begin] = {end, owner};
  }

  /// The first byte of [begin, end) that `owner` did not write last, and who
  /// did (null: nobody).
  std::optional<std::pair<int64_t, Operation *>>
  check(int64_t begin, int64_t end, Operation *owner) const {
    int64_t at = begin;
    while (at < end) {
      auto found = ranges.upper_bound(at);
      if (found == ranges.begin())
        return std::pair(at, nullptr);
      auto [until, writer] = std::prev(found)->second;
      if (until <= at)
        return std::pair(at, nullptr);
      if (writer != owner)
        return std::pair(at, writer);
      at = until;
    }
    return std::nullopt;
  }

private:
  void split(int64_t at) {
    auto found = ranges.upper_bound(at);
    if (found == ranges.begin())
      return;
    --found;
    auto [end, owner] = found->second;
    if (found->first < at && at < end) {
      found->second.first = at;
      ranges[at] = {end, owner};
    }
  }

  std::map<int64_t, std::pair<int64_t, Operation *>> ranges;
};

class Verifier {
public:
  explicit Verifier(ProgramOp program) : program(program) {}
  LogicalResult run();

private:
  LogicalResult checkBuffers();
  LogicalResult checkShapes(Operation *op);
  LogicalResult checkOverlap(Operation *op);
  LogicalResult replay(EntryOp entry);
  LogicalResult replay(BlockOp block, int64_t slot, bool first, bool last);
  ArenaOp arenaOf(BufferOp buffer) {
    return program.lookupSymbol<ArenaOp>(buffer.getArena());
  }
  std::pair<int64_t, int64_t> bytesIn(Range range, int64_t slot);

  ProgramOp program;
  std::map<Role, ShadowMemory> memory;
};
} // namespace

LogicalResult Verifier::checkBuffers() {
  for (auto buffer : program.getOps<BufferOp>()) {
    ArenaOp arena = arenaOf(buffer);
    if (!arena)
      return buffer.emitError("no arena @") << buffer.getArena();
    if (!arena.getBytes())
      return arena.emitError("arena has no size: run exec-plan-memory");
    if (!buffer.getOffset()) // no instruction touches it
      continue;
    int64_t end = *buffer.getOffset() + buffer.getBytes();
    if (int64_t(*buffer.getOffset()) < 0 || end > int64_t(*arena.getBytes()))
      return buffer.emitError("buffer ends at byte ")
             << end << " of arena @" << arena.getSymName() << ", which has "
             << *arena.getBytes();
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
  if (launch.getInputs().size() != types.getNumInputs() ||
      launch.getOutputs().size() != types.getNumResults())
    return launch.emitError("kernel @")
           << kernel.getSymName() << " takes " << types.getNumInputs()
           << " and gives " << types.getNumResults() << " values, found "
           << launch.getInputs().size() << " and "
           << launch.getOutputs().size();
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

LogicalResult Verifier::checkShapes(Operation *op) {
  if (auto launch = dyn_cast<LaunchOp>(op)) {
    auto kernel = program.lookupSymbol<KernelOp>(launch.getKernel());
    if (!kernel)
      return launch.emitError("no kernel @") << launch.getKernel();
    return checkKernelShapes(launch, kernel);
  }
  auto matmul = cast<MatmulOp>(op);
  int64_t m = matmul.getM(), n = matmul.getN(), k = matmul.getK();
  if (failed(checkSize(op, "lhs", matmul.getLhs(), m * k * 4)) ||
      failed(checkSize(op, "rhs", matmul.getRhs(), k * n * 4)) ||
      failed(checkSize(op, "out", matmul.getOut(), m * n * 4)))
    return failure();
  if (matmul.getBias() &&
      failed(checkSize(op, "bias", matmul.getBias(), n * 4)))
    return failure();
  if (matmul.getAddend() &&
      failed(checkSize(op, "addend", matmul.getAddend(), m * n * 4)))
    return failure();
  return success();
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
    aliases = program.lookupSymbol<KernelOp>(launch.getKernel()).getAliases();
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

std::pair<int64_t, int64_t> Verifier::bytesIn(Range range, int64_t slot) {
  ArenaOp arena = arenaOf(range.buffer);
  int64_t begin = range.buffer.getOffset().value_or(0) + range.begin;
  if (arena.getRole() == Role::Slot)
    begin += slot * *arena.getBytes();
  return {begin, begin + range.bytes};
}

static bool runs(When when, bool first, bool last) {
  switch (when) {
  case When::Always:
    return true;
  case When::First:
    return first;
  case When::NotFirst:
    return !first;
  case When::Last:
    return last;
  case When::NotLast:
    return !last;
  }
  llvm_unreachable("every predicate is handled");
}

LogicalResult Verifier::replay(BlockOp block, int64_t slot, bool first,
                               bool last) {
  memory[Role::Scratch] = {};
  for (Operation &op : block.getBody().front()) {
    When when = isa<LaunchOp>(op) ? cast<LaunchOp>(op).getWhen()
                                  : cast<MatmulOp>(op).getWhen();
    if (!runs(when, first, last))
      continue;
    for (Value value : readsOf(&op)) {
      Range range = rangeOf(value);
      auto [begin, end] = bytesIn(range, slot);
      auto fault = memory[arenaOf(range.buffer).getRole()].check(begin, end,
                                                                 range.buffer);
      if (!fault)
        continue;
      InFlightDiagnostic error = op.emitError("reads '")
                                 << range.buffer.getValue() << "' ";
      if (!fault->second)
        return error << "before anything is written there";
      return error << "after '" << cast<BufferOp>(fault->second).getValue()
                   << "' was written over it";
    }
    for (Value value : writesOf(&op)) {
      Range range = rangeOf(value);
      auto [begin, end] = bytesIn(range, slot);
      memory[arenaOf(range.buffer).getRole()].write(begin, end, range.buffer);
    }
  }
  return success();
}

static Range wholeOf(BufferOp buffer) {
  return {buffer, 0, int64_t(buffer.getBytes())};
}

LogicalResult Verifier::replay(EntryOp entry) {
  memory.clear();
  auto writeAll = [&](Range range, int64_t slot) {
    auto [begin, end] = bytesIn(range, slot);
    memory[arenaOf(range.buffer).getRole()].write(begin, end, range.buffer);
  };
  // State is there from start-up, step scalars before the step. Gradients are
  // not: the first micro-batch must overwrite them.
  for (auto buffer : program.getOps<BufferOp>()) {
    Role role = arenaOf(buffer).getRole();
    if (role == Role::Parameter || role == Role::State || role == Role::Step ||
        role == Role::Master)
      writeAll(wholeOf(buffer), 0);
  }
  // Nobody writes the padding between gradients; it is zero from start-up.
  for (auto state : program.getOps<StateOp>())
    for (Value view : state.getBuffers())
      if (arenaOf(rangeOf(view).buffer).getRole() == Role::Gradient)
        writeAll(wholeOf(rangeOf(view).buffer), 0);
  for (auto state : program.getOps<StateOp>())
    for (Value view : state.getBuffers())
      if (Range range = rangeOf(view);
          arenaOf(range.buffer).getRole() == Role::Gradient) {
        auto [begin, end] = bytesIn(range, 0);
        memory[Role::Gradient].write(begin, end, nullptr);
      }
  auto slots = program.lookupSymbol<ArenaOp>(stringifyRole(Role::Slot));
  int64_t last = 0;
  for (int64_t microbatch : entry.getMicrobatches())
    last = std::max(last, microbatch);
  for (auto [action, name, slot, microbatch] :
       llvm::zip(entry.getActions().getAsValueRange<StringAttr>(),
                 entry.getBlocks().getAsValueRange<StringAttr>(),
                 entry.getSlots(), entry.getMicrobatches())) {
    auto block = program.lookupSymbol<BlockOp>(name);
    if (!block)
      return entry.emitError("action '")
             << action << "' runs no block @" << name;
    int64_t count = slots ? slots.getCount() : 1;
    if (slot < 0 || slot >= count)
      return entry.emitError("action '") << action << "' runs in slot " << slot
                                         << ", expected 0 to " << count - 1;
    if (action.contains('F'))
      for (auto input : program.getOps<InputOp>())
        if (input.getEntry() == entry.getName() && input.getRole() != "logits")
          writeAll(rangeOf(input.getBuffer()), slot);
    if (failed(replay(block, slot, microbatch == 0, microbatch == last)))
      return failure();
  }
  return success();
}

LogicalResult Verifier::run() {
  if (failed(checkBuffers()))
    return failure();
  for (auto block : program.getOps<BlockOp>())
    for (Operation &op : block.getBody().front()) {
      if (!isa<LaunchOp, MatmulOp>(op))
        return op.emitError("is no instruction");
      if (failed(checkShapes(&op)) || failed(checkOverlap(&op)))
        return failure();
    }
  for (auto entry : program.getOps<EntryOp>())
    if (failed(replay(entry)))
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

// Replays the entries of a program on a map of memory.
#include "passes/Exec/Replay.h"

using namespace mlir;

namespace llmc::exec {

void ShadowMemory::write(int64_t begin, int64_t end, Owner owner) {
  split(begin);
  split(end);
  ranges.erase(ranges.lower_bound(begin), ranges.lower_bound(end));
  ranges[begin] = {end, owner};
}

std::optional<Owner> ShadowMemory::findOther(int64_t begin, int64_t end,
                                             Owner owner) const {
  while (begin < end) {
    auto found = ranges.upper_bound(begin);
    if (found == ranges.begin())
      return Owner();
    auto [until, writer] = std::prev(found)->second;
    if (until <= begin)
      return Owner();
    if (writer != owner)
      return writer;
    begin = until;
  }
  return std::nullopt;
}

void ShadowMemory::split(int64_t at) {
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

ArenaOp Replay::arenaOf(Range range) {
  return symbols.lookup<ArenaOp>(range.buffer.getArena());
}

/// The first byte of a range in its arena.
static int64_t beginOf(ArenaOp arena, Range range, int64_t slot) {
  int64_t begin = range.buffer.getOffset().value_or(0) + range.begin;
  return arena.getRole() == Role::Slot ? begin + slot * *arena.getBytes()
                                       : begin;
}

static Owner ownerOf(ArenaOp arena, Range range, int64_t microbatch) {
  return {range.buffer, arena.getRole() == Role::Slot ? microbatch : 0};
}

static Range wholeOf(Range range) {
  return {range.buffer, 0, int64_t(range.buffer.getBytes())};
}

void Replay::write(Range range, Turn turn, bool byNobody) {
  ArenaOp arena = arenaOf(range);
  int64_t begin = beginOf(arena, range, turn.slot);
  Owner owner = byNobody ? Owner() : ownerOf(arena, range, turn.microbatch);
  memory[arena.getRole()].write(begin, begin + range.bytes, owner);
}

LogicalResult Replay::checkRead(Operation *op, Value value, Turn turn) {
  Range range = rangeOf(value);
  ArenaOp arena = arenaOf(range);
  Owner owner = ownerOf(arena, range, turn.microbatch);
  int64_t begin = beginOf(arena, range, turn.slot);
  auto other =
      memory[arena.getRole()].findOther(begin, begin + range.bytes, owner);
  if (!other)
    return success();
  InFlightDiagnostic error = op->emitError("reads '")
                             << range.buffer.getValue() << "' ";
  if (!other->buffer)
    return error << "before anything is written there";
  if (other->buffer == range.buffer)
    return error << "of micro-batch " << turn.microbatch << " after that of "
                 << other->microbatch << " was written over it";
  return error << "after '" << cast<BufferOp>(other->buffer).getValue()
               << "' was written over it";
}

LogicalResult Replay::runBlock(BlockOp block, Turn turn) {
  memory[Role::Scratch] = {};
  for (Operation &op : block.getBody().front()) {
    When when = isa<LaunchOp>(op) ? cast<LaunchOp>(op).getWhen()
                                  : cast<MatmulOp>(op).getWhen();
    if (!runs(when, turn.first, turn.last))
      continue;
    for (Value value : readsOf(&op, symbols))
      if (failed(checkRead(&op, value, turn)))
        return failure();
    for (Value value : writesOf(&op))
      write(rangeOf(value), turn);
  }
  return success();
}

/// What is there before the first action: parameters and optimiser state from
/// start-up, and the scalars that the host writes. Gradients are not: the first
/// micro-batch must overwrite them.
void Replay::fill() {
  memory.clear();
  for (auto buffer : program.getOps<BufferOp>()) {
    Range range{buffer, 0, int64_t(buffer.getBytes())};
    Role role = arenaOf(range).getRole();
    if (role == Role::Parameter || role == Role::Master || role == Role::State)
      write(range, Turn());
  }
  auto isWrittenByKernels = [](StringRef role) {
    return llvm::is_contained({"loss", "norm_squared", "factor", "ok"}, role);
  };
  for (auto scalar : program.getOps<ScalarOp>())
    if (!isWrittenByKernels(scalar.getRole()))
      write(rangeOf(scalar.getBuffer()), Turn());
  SmallVector<Range> gradients;
  for (auto state : program.getOps<StateOp>())
    for (Value view : state.getBuffers())
      if (Range range = rangeOf(view);
          arenaOf(range).getRole() == Role::Gradient)
        gradients.push_back(range);
  // Nobody writes the padding between gradients; it is zero from start-up.
  for (Range range : gradients)
    write(wholeOf(range), Turn());
  for (Range range : gradients)
    write(range, Turn(), /*byNobody=*/true);
}

/// The host fills the inputs before a forward block runs.
void Replay::fillInputs(EntryOp entry, Turn turn) {
  for (auto input : program.getOps<InputOp>())
    if (input.getEntry() == entry.getName() && input.getRole() != "logits")
      write(rangeOf(input.getBuffer()), turn);
}

LogicalResult Replay::run(EntryOp entry) {
  fill();
  auto slots = symbols.lookup<ArenaOp>(stringifyRole(Role::Slot));
  int64_t count = slots ? slots.getCount() : 1;
  int64_t last = 0;
  for (int64_t microbatch : entry.getMicrobatches())
    last = std::max(last, microbatch);
  for (auto [action, name, slot, microbatch] :
       llvm::zip(entry.getActions().getAsValueRange<StringAttr>(),
                 entry.getBlocks().getAsValueRange<StringAttr>(),
                 entry.getSlots(), entry.getMicrobatches())) {
    if (name.empty())
      return entry.emitError("action '")
             << action << "' needs more than one pipeline stage, which is not "
             << "implemented";
    if (slot < 0 || slot >= count)
      return entry.emitError("action '") << action << "' runs in slot " << slot
                                         << ", expected 0 to " << count - 1;
    Turn turn{slot, microbatch, microbatch == 0, microbatch == last};
    if (action.contains('F'))
      fillInputs(entry, turn);
    if (failed(runBlock(symbols.lookup<BlockOp>(name), turn)))
      return failure();
  }
  return success();
}

} // namespace llmc::exec

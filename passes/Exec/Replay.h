// Replays the entries of a program on a map of memory.
#ifndef LLMC_PASSES_EXEC_REPLAY_H
#define LLMC_PASSES_EXEC_REPLAY_H

#include "passes/Exec/Timeline.h"

#include <map>

namespace llmc::exec {

/// A buffer, as filled for a micro-batch (0 where memory is not in slots).
struct Owner {
  mlir::Operation *buffer = nullptr; // null: filled by nobody
  int64_t microbatch = 0;

  bool operator==(const Owner &) const = default;
};

/// Who wrote each byte of an arena last.
class ShadowMemory {
public:
  void write(int64_t begin, int64_t end, Owner owner);

  /// The owner of the first byte of [begin, end) that `owner` did not write
  /// last; nothing if it wrote all of them.
  std::optional<Owner> findOther(int64_t begin, int64_t end, Owner owner) const;

private:
  void split(int64_t at);

  std::map<int64_t, std::pair<int64_t, Owner>> ranges; // begin to end, owner
};

/// Runs the actions of an entry and checks every access. Instructions must fit
/// their buffers and arenas.
class Replay {
public:
  explicit Replay(ProgramOp program) : program(program), symbols(program) {}

  mlir::LogicalResult run(EntryOp entry);

private:
  /// Where a block runs, and for what.
  struct Turn {
    int64_t slot, microbatch;
    bool first, last;
  };

  void fill();
  void fillInputs(EntryOp entry, Turn turn);
  mlir::LogicalResult runBlock(BlockOp block, Turn turn);
  mlir::LogicalResult checkRead(mlir::Operation *op, mlir::Value value,
                                Turn turn);
  void write(Range range, Turn turn, bool byNobody = false);
  ArenaOp arenaOf(Range range);

  ProgramOp program;
  mlir::SymbolTable symbols;
  std::map<Role, ShadowMemory> memory;
};

} // namespace llmc::exec

#endif // LLMC_PASSES_EXEC_REPLAY_H

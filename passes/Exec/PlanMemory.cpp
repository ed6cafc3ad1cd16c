// exec-plan-memory: offsets of buffers and sizes of arenas.
#include "passes/Exec/Passes.h"

#include "passes/Exec/Timeline.h"
#include "passes/MemoryPlan/MemoryPlan.h"
#include "test/faults/Fault.h"

using namespace mlir;

namespace llmc::exec {
#define GEN_PASS_DEF_EXECPLANMEMORYPASS
#include "passes/Exec/Passes.h.inc"

/// Every buffer starts where a vector register or a cache line does.
static constexpr int64_t kAlignment = 64;

namespace {
/// Positions of the first and the last instruction that touch a buffer.
struct Lifetime {
  int64_t first, last;
};

class MemoryPlanner {
public:
  explicit MemoryPlanner(ProgramOp program)
      : program(program), symbols(program) {}
  LogicalResult run();

private:
  void layOutInOrder();
  LogicalResult place(EntryOp entry);
  LogicalResult place(ArrayRef<BlockOp> blocks, Role role, EntryOp entry);
  void grow(Role role, int64_t bytes) {
    int64_t &size = sizes[role];
    size = std::max(size, bytes);
  }
  Role roleOf(BufferOp buffer) {
    return symbols.lookup<ArenaOp>(buffer.getArena()).getRole();
  }

  ProgramOp program;
  SymbolTable symbols;
  std::map<Role, int64_t> sizes;
};
} // namespace

static bool placedByLifetime(Role role) {
  return role == Role::Slot || role == Role::Scratch;
}

void MemoryPlanner::layOutInOrder() {
  for (auto buffer : program.getOps<BufferOp>()) {
    Role role = roleOf(buffer);
    if (placedByLifetime(role))
      continue;
    // Scalars are packed; nobody writes them in parallel.
    int64_t alignment = role == Role::Step ? 8 : kAlignment;
    int64_t offset = llvm::alignTo(sizes[role], alignment);
    buffer.setOffset(offset);
    sizes[role] = offset + buffer.getBytes();
  }
}

/// The buffers of an arena that `blocks`, run one after another, touch, with
/// their lifetimes. Inputs live from before the first instruction, what the
/// host reads until after the last.
static llvm::MapVector<Operation *, Lifetime>
lifetimesOf(ProgramOp program, const SymbolTable &symbols,
            ArrayRef<BlockOp> blocks, StringRef arena, StringRef entry) {
  llvm::MapVector<Operation *, Lifetime> lifetimes;
  int64_t position = 1;
  auto touch = [&](Value value) {
    BufferOp buffer = rangeOf(value).buffer;
    if (buffer.getArena() != arena)
      return;
    auto [found, isNew] =
        lifetimes.try_emplace(buffer, Lifetime{position, position});
    found->second.last = position;
  };
  for (BlockOp block : blocks)
    for (Operation &op : block.getBody().front()) {
      llvm::for_each(readsOf(&op, symbols), touch);
      llvm::for_each(writesOf(&op), touch);
      ++position;
    }
  for (auto input : program.getOps<InputOp>())
    if (input.getEntry() == entry) {
      int64_t at = input.getRole() == "logits" ? position : 0;
      BufferOp buffer = rangeOf(input.getBuffer()).buffer;
      if (buffer.getArena() != arena)
        continue;
      auto [found, isNew] = lifetimes.try_emplace(buffer, Lifetime{at, at});
      found->second.first = std::min(found->second.first, at);
      found->second.last = std::max(found->second.last, at);
    }
  return lifetimes;
}

LogicalResult MemoryPlanner::place(ArrayRef<BlockOp> blocks, Role role,
                                   EntryOp entry) {
  auto lifetimes = lifetimesOf(program, symbols, blocks, stringifyRole(role),
                               entry.getName());
  memplan::Problem problem;
  for (auto &[op, life] : lifetimes) {
    auto buffer = cast<BufferOp>(op);
    int64_t end = life.last + 1;
    if (LLMC_FAULT("plan-memory-ends-early"))
      end = std::max(life.last, life.first + 1);
    problem.buffers.push_back({buffer.getValue().str(),
                               int64_t(buffer.getBytes()), life.first, end,
                               kAlignment});
  }
  for (const std::string &error : memplan::check(problem))
    return entry.emitError("internal: ") << error;
  memplan::Solution solution = memplan::solve(problem);
  for (const std::string &error : memplan::verify(problem, solution))
    return entry.emitError("internal: ") << error;
  for (auto [life, offset] : llvm::zip(lifetimes, solution.offsets))
    cast<BufferOp>(life.first).setOffset(offset);
  grow(role, solution.peak);
  return success();
}

LogicalResult MemoryPlanner::place(EntryOp entry) {
  SmallVector<BlockOp> blocks = blocksOf(symbols, entry);
  if (failed(place(blocks, Role::Slot, entry)))
    return failure();
  for (BlockOp block : blocks)
    if (failed(place(block, Role::Scratch, entry)))
      return failure();
  return success();
}

LogicalResult MemoryPlanner::run() {
  layOutInOrder();
  for (auto entry : program.getOps<EntryOp>())
    if (failed(place(entry)))
      return failure();
  int64_t workspace = 0;
  program.walk([&](MatmulOp matmul) {
    workspace = std::max<int64_t>(workspace, matmul.getWorkspace().value_or(0));
  });
  OpBuilder start = OpBuilder::atBlockBegin(&program.getBody().front());
  if (workspace > 0)
    ArenaOp::create(start, program.getLoc(), stringifyRole(Role::Workspace),
                    Role::Workspace, start.getI64IntegerAttr(workspace));
  for (auto arena : program.getOps<ArenaOp>())
    if (arena.getRole() != Role::Workspace)
      arena.setBytes(llvm::alignTo(sizes[arena.getRole()], kAlignment));
  return success();
}

namespace {
struct PlanMemory : impl::ExecPlanMemoryPassBase<PlanMemory> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<ProgramOp>())
      if (failed(MemoryPlanner(program).run()))
        return signalPassFailure();
  }
};
} // namespace

} // namespace llmc::exec

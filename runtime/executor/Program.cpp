// Resolving of a plan's operands and running of its actions.
#include "runtime/executor/Program.h"

#include "test/faults/Fault.h"

#include <set>

namespace llmc::rt {

Expected<Program> Program::create(const plan::Plan &plan, Device &device,
                                  const std::string &kernels) {
  Program program(plan, device);
  if (Status status = program.allocateArenas(); !status)
    return status;
  if (Status status = program.load(kernels); !status)
    return status;
  program.resolve();
  return program;
}

Status Program::allocateArenas() {
  for (const plan::ArenaSize *arena : *plan->arenas()) {
    Expected<uint8_t *> memory = device->allocate(
        arenaBytes(*arena),
        "arena '" + std::string(EnumNameArena(arena->arena())) + "'");
    if (!memory)
      return memory.takeStatus();
    arenas[size_t(arena->arena())] = {*memory, instanceStride(*arena)};
  }
  return Status::success();
}

Status Program::load(const std::string &path) {
  std::vector<KernelDesc> kernels;
  for (const plan::Kernel *kernel : *plan->kernels())
    kernels.push_back({kernel->symbol()->str(), kernel->extent()});
  if (Status status = device->loadKernels(path, kernels); !status)
    return status;
  std::vector<MatmulDesc> matmuls;
  for (const plan::Matmul *matmul : *plan->matmuls()) {
    const auto &lhs = *matmul->lhs_strides(), &rhs = *matmul->rhs_strides();
    MatmulDesc desc{matmul->m(), matmul->n(), matmul->k()};
    desc.lhsStrides = {lhs.Get(0), lhs.Get(1)};
    desc.rhsStrides = {rhs.Get(0), rhs.Get(1)};
    desc.accumulate =
        matmul->accumulate() && !LLMC_FAULT("executor-overwrites");
    desc.bias = matmul->bias();
    desc.addend = matmul->addend();
    matmuls.push_back(desc);
  }
  const plan::ArenaSize *workspace = findArena(*plan, plan::Arena::workspace);
  return device->createMatmuls(matmuls,
                               arenas[size_t(plan::Arena::workspace)].start,
                               workspace ? workspace->bytes() : 0);
}

void Program::resolve() {
  for (const plan::Entry *entry : *plan->entries()) {
    std::vector<ResolvedAction> &actions = entries[entry];
    std::set<uint32_t> seen;
    for (const plan::Action *action : *entry->actions())
      actions.push_back({action, resolveBlock(action->block(), action->slot()),
                         seen.insert(action->microbatch()).second});
  }
}

std::span<const ResolvedInstruction> Program::resolveBlock(uint32_t number,
                                                           uint32_t slot) {
  auto [it, added] = blocks.try_emplace({number, slot});
  Block &block = it->second;
  if (!added)
    return block.instructions;
  const auto &instructions = *plan->blocks()->Get(number)->instructions();
  for (const plan::Instruction *instruction : instructions)
    for (const plan::Ref *ref : *instruction->operands())
      block.operands.push_back(address(*ref, slot));
  size_t next = 0;
  for (const plan::Instruction *instruction : instructions) {
    size_t count = instruction->operands()->size();
    block.instructions.push_back(
        {instruction, std::span(block.operands).subspan(next, count)});
    next += count;
  }
  return block.instructions;
}

uint8_t *Program::address(const plan::Ref &ref, uint32_t slot) const {
  const Arena &arena = arenas[size_t(ref.arena())];
  uint64_t instance =
      ref.arena() == plan::Arena::slot ? slot * arena.stride : 0;
  return arena.start + instance + ref.offset();
}

static bool applies(plan::When when, const plan::Action &action) {
  switch (when) {
  case plan::When::always:
    return true;
  case plan::When::first:
    return action.first() || LLMC_FAULT("executor-first-always");
  case plan::When::not_first:
    return !action.first();
  case plan::When::last:
    return action.last();
  case plan::When::not_last:
    return !action.last();
  }
  return false;
}

Status Program::execute(const ResolvedInstruction &instruction,
                        const plan::Action &action,
                        std::span<InstructionObserver *const> observers) {
  for (InstructionObserver *observer : observers)
    observer->before();
  const plan::Instruction &source = *instruction.source;
  Status status = source.kind() == plan::InstructionKind::launch
                      ? device->launch(source.index(), instruction.operands)
                      : device->matmul(source.index(), instruction.operands);
  for (InstructionObserver *observer : observers)
    observer->after(instruction, action);
  return status;
}

Expected<bool> Program::run(const plan::Entry &entry, InputFiller &host,
                            std::span<InstructionObserver *const> observers) {
  for (const ResolvedAction &action : entries.find(&entry)->second) {
    const plan::Action &source = *action.source;
    if (action.startsMicroBatch &&
        !host.beginMicroBatch(source.microbatch(), source.slot()))
      return false;
    for (const ResolvedInstruction &instruction : action.instructions)
      if (applies(instruction.source->when(), source))
        if (Status status = execute(instruction, source, observers); !status)
          return status;
  }
  return true;
}

} // namespace llmc::rt

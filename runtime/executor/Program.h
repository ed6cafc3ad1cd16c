// Arenas are allocated and every operand is an address: what is left for a step
// is to go through lists.
#ifndef LLMC_RUNTIME_EXECUTOR_PROGRAM_H
#define LLMC_RUNTIME_EXECUTOR_PROGRAM_H

#include "runtime/device/Device.h"
#include "runtime/plan/Plan.h"

#include <map>

namespace llmc::rt {

/// An instruction in the slot of an action.
struct ResolvedInstruction {
  const plan::Instruction *source;
  std::span<void *const> operands;
};

struct ResolvedAction {
  const plan::Action *source;
  std::span<const ResolvedInstruction> instructions;
  /// The first action of the entry that names this micro-batch: the host fills
  /// its inputs before.
  bool startsMicroBatch;
};

/// Sees every instruction that runs.
class InstructionObserver {
public:
  virtual ~InstructionObserver() = default;
  virtual void before() {}
  virtual void after(const ResolvedInstruction &instruction,
                     const plan::Action &action) = 0;
};

/// The host's part of an entry.
class InputFiller {
public:
  virtual ~InputFiller() = default;
  /// Writes the inputs of a micro-batch; false ends the entry here.
  virtual bool beginMicroBatch(int64_t micro, uint32_t slot) = 0;
};

class Program {
public:
  /// Allocates all arenas of the plan, each once and in its exact size, loads
  /// kernels and creates matmuls. Plan and device must outlive the program.
  static Expected<Program> create(const plan::Plan &plan, Device &device,
                                  const std::string &kernels);

  /// In the arena of slots: relative to the slot.
  uint8_t *address(const plan::Ref &ref, uint32_t slot = 0) const;
  uint64_t bytes() const { return planBytes(*plan); }

  /// Runs the actions of an entry, which must be of the plan. The result is
  /// false if the host ended it.
  Expected<bool> run(const plan::Entry &entry, InputFiller &host,
                     std::span<InstructionObserver *const> observers);

private:
  Program(const plan::Plan &plan, Device &device)
      : plan(&plan), device(&device) {}

  Status allocateArenas();
  Status load(const std::string &kernels);
  void resolve();
  std::span<const ResolvedInstruction> resolveBlock(uint32_t block,
                                                    uint32_t slot);
  Status execute(const ResolvedInstruction &instruction,
                 const plan::Action &action,
                 std::span<InstructionObserver *const> observers);

  struct Arena {
    uint8_t *start = nullptr;
    uint64_t stride = 0;
  };
  struct Block {
    std::vector<void *> operands;
    std::vector<ResolvedInstruction> instructions;
  };

  const plan::Plan *plan;
  Device *device;
  std::array<Arena, size_t(plan::Arena::MAX) + 1> arenas;
  /// By block and slot; nodes of a map do not move.
  std::map<std::pair<uint32_t, uint32_t>, Block> blocks;
  std::map<const plan::Entry *, std::vector<ResolvedAction>> entries;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_PROGRAM_H

// Reads a plan, and answers what every user of one asks about it.
#ifndef LLMC_RUNTIME_PLAN_PLAN_H
#define LLMC_RUNTIME_PLAN_PLAN_H

#include "runtime/base/Status.h"
#include "runtime/plan/plan_generated.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace llmc::rt {

/// Raised when the meaning of a field of plan.fbs changes.
inline constexpr uint32_t kPlanVersion = 1;

/// Every arena begins, and every instance of one is padded, at this.
inline constexpr uint64_t arenaAlignment = 64;

/// Checks everything that the executor relies on: the encoding, every index,
/// every range of bytes, sizes and strides of matmuls, names. The result points
/// into `bytes`, which begin at a multiple of 8; `name` is for messages.
Expected<const plan::Plan *> checkPlan(std::string_view bytes,
                                       const std::string &name);

// The functions below expect a plan that was checked.

/// Bytes from one instance of an arena to the next.
inline uint64_t instanceStride(const plan::ArenaSize &arena) {
  return (arena.bytes() + arenaAlignment - 1) / arenaAlignment * arenaAlignment;
}
/// Bytes of all instances.
inline uint64_t arenaBytes(const plan::ArenaSize &arena) {
  return instanceStride(arena) * arena.count();
}
/// Bytes of all arenas: what a run allocates.
uint64_t planBytes(const plan::Plan &plan);

/// Null if the plan has none of that name, role or kind.
const plan::Entry *findEntry(const plan::Plan &plan, std::string_view name);
const plan::Input *findInput(const plan::Plan &plan, std::string_view entry,
                             std::string_view role);
const plan::Scalar *findScalar(const plan::Plan &plan, std::string_view role);
const plan::ArenaSize *findArena(const plan::Plan &plan, plan::Arena arena);
const plan::StateBuffer *findBuffer(const plan::Parameter &parameter,
                                    std::string_view role);

/// Micro-batches that the actions of an entry name.
int64_t microBatchesOf(const plan::Entry &entry);

inline std::string_view textOf(const flatbuffers::String *text) {
  return text ? std::string_view(text->c_str(), text->size())
              : std::string_view();
}

} // namespace llmc::rt

#endif // LLMC_RUNTIME_PLAN_PLAN_H

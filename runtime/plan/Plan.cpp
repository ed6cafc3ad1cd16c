// Look-ups in a plan.
#include "runtime/plan/Plan.h"

#include <algorithm>

namespace llmc::rt {

uint64_t planBytes(const plan::Plan &plan) {
  uint64_t sum = 0;
  for (const plan::ArenaSize *arena : *plan.arenas())
    sum += arenaBytes(*arena);
  return sum;
}

const plan::Entry *findEntry(const plan::Plan &plan, std::string_view name) {
  for (const plan::Entry *entry : *plan.entries())
    if (textOf(entry->name()) == name)
      return entry;
  return nullptr;
}

const plan::Input *findInput(const plan::Plan &plan, std::string_view entry,
                             std::string_view role) {
  for (const plan::Input *input : *plan.inputs())
    if (textOf(input->entry()) == entry && textOf(input->role()) == role)
      return input;
  return nullptr;
}

const plan::Scalar *findScalar(const plan::Plan &plan, std::string_view role) {
  for (const plan::Scalar *scalar : *plan.scalars())
    if (textOf(scalar->role()) == role)
      return scalar;
  return nullptr;
}

const plan::ArenaSize *findArena(const plan::Plan &plan, plan::Arena arena) {
  for (const plan::ArenaSize *size : *plan.arenas())
    if (size->arena() == arena)
      return size;
  return nullptr;
}

const plan::StateBuffer *findBuffer(const plan::Parameter &parameter,
                                    std::string_view role) {
  for (const plan::StateBuffer *buffer : *parameter.buffers())
    if (textOf(buffer->role()) == role)
      return buffer;
  return nullptr;
}

int64_t microBatchesOf(const plan::Entry &entry) {
  int64_t count = 0;
  for (const plan::Action *action : *entry.actions())
    count = std::max<int64_t>(count, int64_t(action->microbatch()) + 1);
  return count;
}

} // namespace llmc::rt

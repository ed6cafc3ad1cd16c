// The order of a pipeline's work as a problem of its own: checked, solved into
// one action list per pipeline rank, and verified by running all lists.
#ifndef LLMC_PASSES_SCHEDULING_SCHEDULE_H
#define LLMC_PASSES_SCHEDULING_SCHEDULE_H

#include "passes/Scheduling/Action.h"

namespace llmc::sched {

enum class ScheduleKind {
  GPipe,                 // all forwards, then all backwards
  OneForwardOneBackward, // a backward as soon as one can run
};

/// "gpipe" or "1f1b".
std::string_view print(ScheduleKind kind);
std::optional<ScheduleKind> parseScheduleKind(std::string_view text);

struct ScheduleProblem {
  int64_t stages = 1;
  int64_t ranks = 1; // stage s runs on rank s
  int64_t microbatches = 1;
  ScheduleKind kind = ScheduleKind::OneForwardOneBackward;
};

struct Schedule {
  std::vector<std::vector<Action>> ranks;
};

/// Everything that is wrong with the problem; empty if it may be solved.
std::vector<std::string> check(const ScheduleProblem &problem);

/// The action lists of a checked problem, sends and receives included: a send
/// follows what it sends, a receive stands before what reads it.
Schedule solve(const ScheduleProblem &problem);

struct Verdict {
  std::vector<std::string> errors; // empty if the schedule is good
  /// Per rank, the most micro-batches that are live at once: the number of
  /// slots it needs. Filled if the lists ran to their end.
  std::vector<int64_t> live;
};

/// Checks a schedule, however it was made. First the lists: every forward,
/// backward and update once, on its own rank, with the sends and receives that
/// it needs, in an order that makes sense. Then all lists are run together. A
/// channel is (from, to, direction), first in first out, without capacity; send
/// and receive only post. A forward or backward waits for what it receives,
/// and a slot is taken again only when all sends from it are complete.
Verdict verify(const ScheduleProblem &problem, const Schedule &schedule);

/// The part of `verify` that looks at the lists alone.
std::vector<std::string> checkStructure(const ScheduleProblem &problem,
                                        const Schedule &schedule);

} // namespace llmc::sched

#endif // LLMC_PASSES_SCHEDULING_SCHEDULE_H

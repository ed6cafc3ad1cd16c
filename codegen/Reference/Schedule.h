// The order in which one process runs the actions of all pipeline ranks.
#ifndef LLMC_CODEGEN_REFERENCE_SCHEDULE_H
#define LLMC_CODEGEN_REFERENCE_SCHEDULE_H

#include "dialects/Pipe/Pipe.h"

#include <vector>

namespace llmc::reference {

/// A fragment to run.
struct ScheduledFragment {
  /// forward, backward or update.
  dist::FragmentKind kind;
  int64_t stage;
  /// 0 for an update.
  int64_t microbatch;
};

struct Schedule {
  std::vector<ScheduledFragment> order;
  /// The coordinate along pp of the ranks that run a stage.
  std::vector<int64_t> rankOfStage;
};

/// Takes the lists of all ranks in turns, each action as soon as what it needs
/// is there: a forward the stage's input, a backward its forward and the
/// gradient of its output, a RECV the matching SEND, an update everything
/// before it on all ranks. Sends and receives are left out of the result.
/// Reports lists that wait for each other for ever. A program without a
/// schedule runs its micro-batches one after the other.
mlir::FailureOr<Schedule> orderFragments(pipe::ProgramOp program,
                                         int64_t stages);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_SCHEDULE_H

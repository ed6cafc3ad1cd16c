// Between pipe.program and the scheduling library.
#ifndef LLMC_PASSES_PIPE_SCHEDULETEXT_H
#define LLMC_PASSES_PIPE_SCHEDULETEXT_H

#include "dialects/Pipe/Pipe.h"
#include "passes/Scheduling/Schedule.h"

namespace llmc::pipe {

/// Whether the program has forwards to order: as fragments, or as local
/// functions beside it.
bool trains(ProgramOp program);

/// The scheduling problem of a program; reports what is wrong with it.
llvm::FailureOr<sched::ScheduleProblem> describeProblem(ProgramOp program,
                                                        llvm::StringRef kind);

} // namespace llmc::pipe

#endif // LLMC_PASSES_PIPE_SCHEDULETEXT_H

// pipe-verify-schedule: runs all action lists under the channels' rules.
#include "passes/Pipe/Passes.h"
#include "passes/Pipe/ScheduleText.h"

namespace llmc::pipe {
#define GEN_PASS_DEF_PIPEVERIFYSCHEDULE
#include "passes/Pipe/Passes.h.inc"
} // namespace llmc::pipe

using namespace mlir;
using namespace llmc;
using namespace llmc::pipe;

namespace {

struct VerifySchedule
    : llmc::pipe::impl::PipeVerifyScheduleBase<VerifySchedule> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<ProgramOp>())
      if (trains(program) && failed(verify(program)))
        return signalPassFailure();
  }

private:
  LogicalResult verify(ProgramOp program);
};

} // namespace

static FailureOr<sched::Schedule> parseLists(ScheduleOp op) {
  sched::Schedule schedule;
  for (auto list : op.getRanks().getAsRange<StringAttr>()) {
    std::string error;
    std::optional<std::vector<sched::Action>> actions =
        sched::parseActions(std::string_view(list.getValue()), error);
    if (!actions)
      return op.emitOpError() << error;
    schedule.ranks.push_back(std::move(*actions));
  }
  return schedule;
}

LogicalResult VerifySchedule::verify(ProgramOp program) {
  auto schedules = program.getBody().getOps<ScheduleOp>();
  if (schedules.empty())
    return program.emitOpError() << "found no schedule, expected one";
  ScheduleOp op = *schedules.begin();
  FailureOr<sched::ScheduleProblem> problem =
      describeProblem(program, op.getKind());
  if (failed(problem))
    return failure();
  FailureOr<sched::Schedule> schedule = parseLists(op);
  if (failed(schedule))
    return failure();
  sched::Verdict verdict = sched::verify(*problem, *schedule);
  for (const std::string &error : verdict.errors)
    op.emitOpError() << error;
  if (!verdict.errors.empty())
    return failure();
  for (auto [rank, stated] : llvm::enumerate(op.getLive()))
    if (stated != verdict.live[rank])
      return op.emitOpError()
             << "found " << stated << " live micro-batches on rank " << rank
             << ", expected " << verdict.live[rank];
  return success();
}

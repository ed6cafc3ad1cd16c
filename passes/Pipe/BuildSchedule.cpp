// pipe-build-schedule: orders the work of each pipeline rank.
#include "passes/Pipe/Passes.h"
#include "passes/Pipe/ScheduleText.h"

namespace llmc::pipe {
#define GEN_PASS_DEF_PIPEBUILDSCHEDULE
#include "passes/Pipe/Passes.h.inc"
} // namespace llmc::pipe

using namespace mlir;
using namespace llmc;
using namespace llmc::pipe;

namespace {

struct BuildSchedule : llmc::pipe::impl::PipeBuildScheduleBase<BuildSchedule> {
  using PipeBuildScheduleBase::PipeBuildScheduleBase;

  void runOnOperation() override {
    for (auto program : getOperation().getOps<ProgramOp>())
      if (trains(program) && failed(build(program)))
        return signalPassFailure();
  }

private:
  LogicalResult build(ProgramOp program);
};

} // namespace

LogicalResult BuildSchedule::build(ProgramOp program) {
  for (auto schedule : program.getBody().getOps<ScheduleOp>())
    return schedule.emitOpError()
           << "found before the schedule is built, expected none";
  FailureOr<sched::ScheduleProblem> problem = describeProblem(program, kind);
  if (failed(problem))
    return failure();
  sched::Schedule schedule = sched::solve(*problem);
  sched::Verdict verdict = sched::verify(*problem, schedule);
  for (const std::string &error : verdict.errors)
    program.emitOpError() << "internal: the schedule is wrong: " << error;
  if (!verdict.errors.empty())
    return failure();
  SmallVector<std::string> lists;
  for (const std::vector<sched::Action> &actions : schedule.ranks)
    lists.push_back(sched::print(actions));
  OpBuilder builder = OpBuilder::atBlockEnd(&program.getBody().front());
  ScheduleOp::create(builder, program.getLoc(), StringRef(kind),
                     builder.getStrArrayAttr(
                         SmallVector<StringRef>(lists.begin(), lists.end())),
                     verdict.live);
  return success();
}

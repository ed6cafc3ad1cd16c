// Between pipe.program and the scheduling library.
#include "passes/Pipe/ScheduleText.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::pipe;

bool pipe::trains(ProgramOp program) {
  auto isForward = [](auto op) {
    return op.getKind() == dist::FragmentKind::forward;
  };
  return llvm::any_of(program.getBody().getOps<FragmentOp>(), isForward) ||
         llvm::any_of(program->getParentRegion()->getOps<dist::FuncOp>(),
                      isForward);
}

FailureOr<sched::ScheduleProblem> pipe::describeProblem(ProgramOp program,
                                                        StringRef kind) {
  std::optional<sched::ScheduleKind> parsed =
      sched::parseScheduleKind(std::string_view(kind));
  if (!parsed)
    return program.emitOpError()
           << "found schedule '" << kind << "', expected gpipe or 1f1b";
  SymbolTableCollection tables;
  auto mesh =
      lookupSymbol<dist::MeshOp>(program, program.getMeshAttr(), tables);
  sched::ScheduleProblem problem;
  problem.stages = problem.ranks = mesh.getAxisSize("pp").value_or(1);
  problem.microbatches = program.getMicrobatches();
  problem.kind = *parsed;
  std::vector<std::string> errors = sched::check(problem);
  for (const std::string &error : errors)
    program.emitOpError() << error;
  if (!errors.empty())
    return failure();
  return problem;
}

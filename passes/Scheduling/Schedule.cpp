// Schedule problems and their solution: gpipe and 1f1b over the stages of one
// step.
#include "passes/Scheduling/Schedule.h"

#include <algorithm>

namespace llmc::sched {
namespace {

/// Bounds the memory of a schedule; far above any pipeline that makes sense.
constexpr int64_t maxActions = int64_t(1) << 24;

/// Appends the actions of one stage in order, with its sends and receives.
class StageEmitter {
public:
  StageEmitter(const ScheduleProblem &problem, int64_t stage,
               std::vector<Action> &actions)
      : stage(stage), isFirst(stage == 0), isLast(stage + 1 == problem.stages),
        actions(actions) {}

  void forward(int64_t microbatch) {
    if (!isFirst)
      add(ActionKind::ReceiveForward, microbatch);
    add(ActionKind::Forward, microbatch);
    if (!isLast)
      add(ActionKind::SendForward, microbatch);
  }

  void backward(int64_t microbatch) {
    if (!isLast)
      add(ActionKind::ReceiveBackward, microbatch);
    add(ActionKind::Backward, microbatch);
    if (!isFirst)
      add(ActionKind::SendBackward, microbatch);
  }

  void update() { add(ActionKind::Update, 0); }

private:
  void add(ActionKind kind, int64_t microbatch) {
    actions.push_back({stage, kind, microbatch});
  }

  int64_t stage;
  bool isFirst, isLast;
  std::vector<Action> &actions;
};

} // namespace

std::string_view print(ScheduleKind kind) {
  return kind == ScheduleKind::GPipe ? "gpipe" : "1f1b";
}

std::optional<ScheduleKind> parseScheduleKind(std::string_view text) {
  for (ScheduleKind kind :
       {ScheduleKind::GPipe, ScheduleKind::OneForwardOneBackward})
    if (print(kind) == text)
      return kind;
  return std::nullopt;
}

std::vector<std::string> check(const ScheduleProblem &problem) {
  std::vector<std::string> errors;
  std::string kind(print(problem.kind));
  if (problem.stages < 1)
    errors.push_back("found " + std::to_string(problem.stages) +
                     " stages, expected at least 1");
  if (problem.microbatches < 1)
    errors.push_back("found " + std::to_string(problem.microbatches) +
                     " micro-batches, expected at least 1");
  if (problem.ranks != problem.stages)
    errors.push_back(kind + " runs one stage on each rank; found " +
                     std::to_string(problem.stages) + " stages on " +
                     std::to_string(problem.ranks) + " ranks, expected " +
                     std::to_string(problem.stages) + " ranks");
  if (!errors.empty())
    return errors;
  // Six actions a micro-batch at most, and the update.
  int64_t perStage = 0, total = 0;
  if (__builtin_mul_overflow(problem.microbatches, int64_t(6), &perStage) ||
      __builtin_add_overflow(perStage, int64_t(1), &perStage) ||
      __builtin_mul_overflow(perStage, problem.stages, &total) ||
      total > maxActions)
    errors.push_back(std::to_string(problem.microbatches) +
                     " micro-batches on " + std::to_string(problem.stages) +
                     " stages are too many; expected at most " +
                     std::to_string(maxActions) +
                     " actions, six a stage and micro-batch");
  return errors;
}

Schedule solve(const ScheduleProblem &problem) {
  Schedule schedule;
  schedule.ranks.resize(size_t(problem.ranks));
  for (int64_t stage = 0; stage < problem.stages; ++stage) {
    StageEmitter emit(problem, stage, schedule.ranks[size_t(stage)]);
    int64_t m = problem.microbatches;
    // 1f1b: as many forwards first as it takes until the first gradient
    // returns. With gpipe all of them.
    int64_t ahead = problem.kind == ScheduleKind::GPipe
                        ? m
                        : std::min(m, problem.stages - stage - 1);
    for (int64_t i = 0; i < ahead; ++i)
      emit.forward(i);
    for (int64_t i = 0; i < m; ++i) {
      if (ahead + i < m)
        emit.forward(ahead + i);
      emit.backward(i);
    }
    emit.update();
  }
  return schedule;
}

} // namespace llmc::sched

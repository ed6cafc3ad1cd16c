// Merges the action lists of all ranks into one order.
#include "codegen/Reference/Schedule.h"

#include <set>

namespace llmc::reference {
namespace {

using mlir::FailureOr;

/// One action in torch's notation: stage, letters, micro-batch.
struct Action {
  int64_t stage = 0;
  std::string kind;
  int64_t microbatch = 0;

  auto operator<=>(const Action &) const = default;
};

FailureOr<Action> parseAction(pipe::ScheduleOp op, llvm::StringRef text) {
  Action action;
  llvm::StringRef rest = text;
  bool good = !rest.consumeInteger(10, action.stage);
  llvm::StringRef kind =
      rest.take_while([](char c) { return llvm::isAlpha(c) || c == '_'; });
  rest = rest.drop_front(kind.size());
  action.kind = kind.str();
  static const std::set<std::string> withMicrobatch{
      "F", "B", "SEND_F", "RECV_F", "SEND_B", "RECV_B"};
  if (withMicrobatch.count(action.kind))
    good = good && !rest.getAsInteger(10, action.microbatch);
  else
    good = good && kind == "U" && rest.empty();
  if (!good || action.stage < 0)
    return op.emitOpError() << "found action '" << text
                            << "', expected one such as 0F1, 1B0, 0SEND_F1, "
                               "1RECV_F1 or 0U";
  return action;
}

class Merger {
public:
  Merger(pipe::ScheduleOp op, int64_t stages) : op(op), stages(stages) {
    schedule.rankOfStage.resize(stages, 0);
  }

  mlir::LogicalResult parse() {
    for (auto text : op.getRanks().getAsRange<mlir::StringAttr>()) {
      std::vector<Action> list;
      llvm::SmallVector<llvm::StringRef> words;
      llvm::SplitString(text.getValue(), words);
      for (llvm::StringRef word : words) {
        FailureOr<Action> action = parseAction(op, word);
        if (mlir::failed(action))
          return mlir::failure();
        if (action->stage >= stages)
          return op.emitOpError() << "found action '" << word
                                  << "', expected a stage below " << stages;
        hasTransfers |= llvm::StringRef(action->kind).contains('_');
        pending += action->kind != "U";
        list.push_back(*action);
      }
      lists.push_back(std::move(list));
    }
    return mlir::success();
  }

  FailureOr<Schedule> run() {
    std::vector<size_t> position(lists.size(), 0);
    bool moved = true;
    while (moved) {
      moved = false;
      for (auto [rank, list] : llvm::enumerate(lists))
        for (; position[rank] < list.size() && ready(list[position[rank]]);
             ++position[rank]) {
          take(list[position[rank]], static_cast<int64_t>(rank));
          moved = true;
        }
    }
    for (auto [rank, list] : llvm::enumerate(lists))
      if (position[rank] < list.size()) {
        const Action &stuck = list[position[rank]];
        return op.emitOpError()
               << "rank " << rank << " waits for ever at " << stuck.stage
               << stuck.kind << stuck.microbatch;
      }
    return schedule;
  }

private:
  bool isDone(int64_t stage, const char *kind, int64_t microbatch) const {
    return done.count({stage, kind, microbatch});
  }

  bool ready(const Action &a) const {
    int64_t s = a.stage, m = a.microbatch;
    if (a.kind == "F")
      return s == 0 ||
             (hasTransfers ? isDone(s, "RECV_F", m) : isDone(s - 1, "F", m));
    if (a.kind == "B")
      return isDone(s, "F", m) &&
             (s == stages - 1 ||
              (hasTransfers ? isDone(s, "RECV_B", m) : isDone(s + 1, "B", m)));
    if (a.kind == "SEND_F")
      return isDone(s, "F", m);
    if (a.kind == "SEND_B")
      return isDone(s, "B", m);
    if (a.kind == "RECV_F")
      return isDone(s - 1, "SEND_F", m);
    if (a.kind == "RECV_B")
      return isDone(s + 1, "SEND_B", m);
    return pending == 0;
  }

  void take(const Action &a, int64_t rank) {
    done.insert(a);
    pending -= a.kind != "U";
    if (a.kind == "F")
      schedule.order.push_back(
          {dist::FragmentKind::forward, a.stage, a.microbatch});
    else if (a.kind == "B")
      schedule.order.push_back(
          {dist::FragmentKind::backward, a.stage, a.microbatch});
    else if (a.kind == "U")
      schedule.order.push_back({dist::FragmentKind::update, a.stage, 0});
    schedule.rankOfStage[a.stage] = rank;
  }

  pipe::ScheduleOp op;
  int64_t stages;
  std::vector<std::vector<Action>> lists;
  bool hasTransfers = false;
  /// Actions that are no updates and not done.
  int64_t pending = 0;
  std::set<Action> done;
  Schedule schedule;
};

} // namespace

FailureOr<Schedule> orderFragments(pipe::ProgramOp program, int64_t stages) {
  // Fragments stand in the program, local functions beside it.
  int64_t functions = 0;
  program->getParentOfType<mlir::ModuleOp>().walk(
      [&](mlir::FunctionOpInterface) { ++functions; });
  if (stages > functions)
    return program.emitOpError()
           << "found stage " << stages - 1 << " among " << functions
           << " functions, expected some of each stage";
  auto schedules = program.getBody().getOps<pipe::ScheduleOp>();
  if (!schedules.empty()) {
    Merger merger(*schedules.begin(), stages);
    if (mlir::failed(merger.parse()))
      return mlir::failure();
    return merger.run();
  }
  Schedule schedule;
  for (int64_t m = 0; m < static_cast<int64_t>(program.getMicrobatches());
       ++m) {
    for (int64_t stage = 0; stage < stages; ++stage)
      schedule.order.push_back({dist::FragmentKind::forward, stage, m});
    for (int64_t stage = stages; stage-- > 0;)
      schedule.order.push_back({dist::FragmentKind::backward, stage, m});
  }
  for (int64_t stage = 0; stage < stages; ++stage) {
    schedule.order.push_back({dist::FragmentKind::update, stage, 0});
    schedule.rankOfStage.push_back(stage);
  }
  return schedule;
}

} // namespace llmc::reference

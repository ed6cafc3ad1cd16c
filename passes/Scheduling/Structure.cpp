// What can be seen from action lists without running them: each action once,
// on its rank, after what it needs.
#include "passes/Scheduling/Schedule.h"

#include <map>

namespace llmc::sched {
namespace {

using K = ActionKind;

/// The actions that one rank must hold are those of its stage.
class RankChecker {
public:
  RankChecker(const ScheduleProblem &problem, int64_t rank,
              const std::vector<Action> &actions,
              std::vector<std::string> &errors)
      : problem(problem), rank(rank), actions(actions), errors(errors) {}

  void run();

private:
  bool isExpected(const Action &action) const;
  void index();
  void require(K kind, int64_t microbatch);
  void order(K before, K after, int64_t microbatch);
  void update();
  std::string name(K kind, int64_t microbatch) const {
    return print(Action{rank, kind, microbatch});
  }
  void fault(const std::string &text) {
    errors.push_back("rank " + std::to_string(rank) + ": " + text);
  }

  const ScheduleProblem &problem;
  int64_t rank;
  const std::vector<Action> &actions;
  std::vector<std::string> &errors;
  std::map<std::pair<K, int64_t>, size_t> positions;
};

bool RankChecker::isExpected(const Action &action) const {
  if (action.stage != rank || action.microbatch < 0 ||
      action.microbatch >= problem.microbatches)
    return false;
  switch (action.kind) {
  case K::SendForward:
  case K::ReceiveBackward:
    return rank + 1 < problem.stages; // the last stage has no next one
  case K::ReceiveForward:
  case K::SendBackward:
    return rank > 0;
  default:
    return true;
  }
}

void RankChecker::index() {
  for (size_t i = 0; i < actions.size(); ++i) {
    const Action &action = actions[i];
    if (!isExpected(action)) {
      fault("found " + print(action) + ", expected only actions of stage " +
            std::to_string(rank) + " of " + std::to_string(problem.stages) +
            " and micro-batches below " + std::to_string(problem.microbatches));
      continue;
    }
    if (!positions.try_emplace({action.kind, action.microbatch}, i).second)
      fault("found " + print(action) + " a second time, expected it once");
  }
}

void RankChecker::require(K kind, int64_t microbatch) {
  if (isExpected({rank, kind, microbatch}) &&
      !positions.count({kind, microbatch}))
    fault("found no " + name(kind, microbatch) + ", expected it once");
}

void RankChecker::order(K before, K after, int64_t microbatch) {
  auto first = positions.find({before, microbatch});
  auto second = positions.find({after, microbatch});
  if (first != positions.end() && second != positions.end() &&
      first->second > second->second)
    fault("found " + name(after, microbatch) + " before " +
          name(before, microbatch) + ", expected it after");
}

void RankChecker::update() {
  auto it = positions.find({K::Update, 0});
  if (it != positions.end() && it->second + 1 != actions.size())
    fault("found " + print(actions.back()) + " after " + name(K::Update, 0) +
          ", expected the update last");
}

void RankChecker::run() {
  index();
  for (int64_t m = 0; m < problem.microbatches; ++m) {
    for (K kind : {K::Forward, K::Backward, K::SendForward, K::ReceiveForward,
                   K::SendBackward, K::ReceiveBackward})
      require(kind, m);
    order(K::ReceiveForward, K::Forward, m);
    order(K::Forward, K::SendForward, m);
    order(K::Forward, K::Backward, m);
    order(K::ReceiveBackward, K::Backward, m);
    // A gradient can only come back for what was sent: posting its receive
    // earlier would take a slot that nothing holds yet.
    order(K::Forward, K::ReceiveBackward, m);
    order(K::Backward, K::SendBackward, m);
    // The slot is free after the backward, so all must have left it before.
    order(K::SendForward, K::Backward, m);
  }
  require(K::Update, 0);
  update();
}

} // namespace

std::vector<std::string> checkStructure(const ScheduleProblem &problem,
                                        const Schedule &schedule) {
  if (int64_t(schedule.ranks.size()) != problem.ranks)
    return {"found the lists of " + std::to_string(schedule.ranks.size()) +
            " ranks, expected " + std::to_string(problem.ranks)};
  std::vector<std::string> errors;
  for (int64_t rank = 0; rank < problem.ranks; ++rank)
    RankChecker(problem, rank, schedule.ranks[size_t(rank)], errors).run();
  return errors;
}

} // namespace llmc::sched

// Runs all action lists of a schedule together under the rules of the channels
// and finds deadlocks, mismatched messages and the number of slots needed.
#include "passes/Scheduling/Schedule.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace llmc::sched {
namespace {

using K = ActionKind;

/// Both ends of a message agree on this: stages of the sender and the receiver,
/// and for which direction of the model.
using Channel = std::tuple<int64_t, int64_t, bool>;

struct Messages {
  std::vector<int64_t> sends, receives; // micro-batches, in order of posting
};

bool isCommunication(K kind) {
  return kind != K::Forward && kind != K::Backward && kind != K::Update;
}

bool isSend(K kind) {
  return kind == K::SendForward || kind == K::SendBackward;
}

Channel channelOf(const Action &action) {
  switch (action.kind) {
  case K::SendForward:
    return {action.stage, action.stage + 1, true};
  case K::ReceiveForward:
    return {action.stage - 1, action.stage, true};
  case K::SendBackward:
    return {action.stage, action.stage - 1, false};
  default:
    return {action.stage + 1, action.stage, false};
  }
}

/// A posted send or receive, by its place in the channel.
struct Posted {
  Channel channel;
  size_t index = 0;
};

struct RankState {
  size_t next = 0;                  // action to run
  std::map<int64_t, size_t> slotOf; // live micro-batch to slot
  std::set<size_t> freeSlots;
  std::vector<std::vector<Posted>> sends; // per slot, not known complete
  std::map<std::pair<K, int64_t>, Posted> receives;
};

class Machine {
public:
  Machine(const ScheduleProblem &problem, const Schedule &schedule)
      : problem(problem), schedule(schedule), ranks(schedule.ranks.size()) {}

  Verdict run();

private:
  bool step(size_t rank);
  bool takeSlot(RankState &state, const Action &action);
  bool received(const RankState &state, const Action &action) const;
  void post(RankState &state, const Action &action);
  bool complete(const Posted &posted) const;
  std::string waitingFor(size_t rank) const;
  void checkMessages();

  const ScheduleProblem &problem;
  const Schedule &schedule;
  std::vector<RankState> ranks;
  std::map<Channel, Messages> channels;
  Verdict verdict;
};

bool Machine::complete(const Posted &posted) const {
  const Messages &messages = channels.at(posted.channel);
  return posted.index < messages.sends.size() &&
         posted.index < messages.receives.size();
}

void Machine::post(RankState &state, const Action &action) {
  Channel channel = channelOf(action);
  Messages &messages = channels[channel];
  if (isSend(action.kind)) {
    state.sends[state.slotOf.at(action.microbatch)].push_back(
        {channel, messages.sends.size()});
    messages.sends.push_back(action.microbatch);
    return;
  }
  state.receives[{action.kind, action.microbatch}] = {channel,
                                                      messages.receives.size()};
  messages.receives.push_back(action.microbatch);
}

/// The lowest free slot goes to a micro-batch with its first action, if all
/// that was sent from it has arrived.
bool Machine::takeSlot(RankState &state, const Action &action) {
  if (state.slotOf.count(action.microbatch))
    return true;
  if (state.freeSlots.empty()) {
    state.freeSlots.insert(state.sends.size());
    state.sends.emplace_back();
  }
  size_t slot = *state.freeSlots.begin();
  std::vector<Posted> &sends = state.sends[slot];
  if (!std::all_of(sends.begin(), sends.end(),
                   [&](const Posted &sent) { return complete(sent); }))
    return false;
  sends.clear();
  state.freeSlots.erase(slot);
  state.slotOf[action.microbatch] = slot;
  return true;
}

bool Machine::received(const RankState &state, const Action &action) const {
  K kind = action.kind == K::Forward ? K::ReceiveForward : K::ReceiveBackward;
  auto it = state.receives.find({kind, action.microbatch});
  return it == state.receives.end() || complete(it->second);
}

/// Runs the next action of a rank; false if it must wait.
bool Machine::step(size_t rank) {
  RankState &state = ranks[rank];
  const Action &action = schedule.ranks[rank][state.next];
  bool starts = action.kind == K::Forward || action.kind == K::ReceiveForward;
  if (starts && !takeSlot(state, action))
    return false;
  if (isCommunication(action.kind))
    post(state, action);
  else if (action.kind != K::Update && !received(state, action))
    return false;
  // The gradient that a backward sends leaves from the micro-batch's slot.
  K last = rank > 0 ? K::SendBackward : K::Backward;
  if (action.kind == last) {
    auto it = state.slotOf.find(action.microbatch);
    state.freeSlots.insert(it->second);
    state.slotOf.erase(it);
  }
  ++state.next;
  return true;
}

std::string Machine::waitingFor(size_t rank) const {
  const RankState &state = ranks[rank];
  const Action &action = schedule.ranks[rank][state.next];
  std::string text = "rank " + std::to_string(rank) + " waits at " +
                     print(action) + " (action " + std::to_string(state.next) +
                     ") for ";
  if (!received(state, action))
    return text + "its receive to complete";
  return text + "the sends from slot " +
         std::to_string(*state.freeSlots.begin()) + " to complete";
}

/// The first place where a channel's two ends disagree says all.
void Machine::checkMessages() {
  for (const auto &[channel, messages] : channels) {
    auto [from, to, forward] = channel;
    size_t count = std::min(messages.sends.size(), messages.receives.size());
    for (size_t i = 0; i < count; ++i) {
      if (messages.sends[i] == messages.receives[i])
        continue;
      verdict.errors.push_back(
          "message " + std::to_string(i) + " from stage " +
          std::to_string(from) + " to stage " + std::to_string(to) +
          (forward ? " forward" : " backward") + " sends micro-batch " +
          std::to_string(messages.sends[i]) + ", expected micro-batch " +
          std::to_string(messages.receives[i]) + " by the receiver");
      break;
    }
  }
}

Verdict Machine::run() {
  bool progress = true;
  while (progress) {
    progress = false;
    for (size_t rank = 0; rank < ranks.size(); ++rank)
      while (ranks[rank].next < schedule.ranks[rank].size() && step(rank))
        progress = true;
  }
  checkMessages();
  std::string stuck;
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    verdict.live.push_back(int64_t(ranks[rank].sends.size()));
    if (ranks[rank].next < schedule.ranks[rank].size())
      stuck += (stuck.empty() ? "deadlock: " : "; ") + waitingFor(rank);
  }
  if (!stuck.empty()) {
    verdict.errors.push_back(stuck);
    verdict.live.clear();
  }
  return std::move(verdict);
}

} // namespace

Verdict verify(const ScheduleProblem &problem, const Schedule &schedule) {
  Verdict verdict;
  verdict.errors = check(problem);
  if (verdict.errors.empty())
    verdict.errors = checkStructure(problem, schedule);
  if (!verdict.errors.empty())
    return verdict;
  return Machine(problem, schedule).run();
}

} // namespace llmc::sched

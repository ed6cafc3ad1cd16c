// One action of a pipeline rank and its text: torch's notation, such as 0F0,
// 1B2, 0SEND_F0 and, for the update at the end of a step, 0U.
#ifndef LLMC_PASSES_SCHEDULING_ACTION_H
#define LLMC_PASSES_SCHEDULING_ACTION_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llmc::sched {

enum class ActionKind {
  Forward,
  Backward,
  Update,
  SendForward,     // the stage's output, to the next stage
  ReceiveForward,  // the stage's input, from the stage before
  SendBackward,    // the gradient of the input, to the stage before
  ReceiveBackward, // the gradient of the output, from the next stage
};

struct Action {
  int64_t stage = 0;
  ActionKind kind = ActionKind::Forward;
  int64_t microbatch = 0; // 0 for an update, which has none

  bool operator==(const Action &) const = default;
};

std::string print(const Action &action);
std::string print(const std::vector<Action> &actions); // separated by a space

/// Reads one action; on failure `error` says what was found and expected.
std::optional<Action> parseAction(std::string_view text, std::string &error);

/// Reads actions separated by white space; `error` names the faulty one.
std::optional<std::vector<Action>> parseActions(std::string_view text,
                                                std::string &error);

} // namespace llmc::sched

#endif // LLMC_PASSES_SCHEDULING_ACTION_H

// Parsing and printing of actions.
#include "passes/Scheduling/Action.h"

#include <charconv>

namespace llmc::sched {
namespace {

struct Spelling {
  ActionKind kind;
  std::string_view text;
};

constexpr Spelling spellings[] = {
    {ActionKind::Forward, "F"},
    {ActionKind::Backward, "B"},
    {ActionKind::Update, "U"},
    {ActionKind::SendForward, "SEND_F"},
    {ActionKind::ReceiveForward, "RECV_F"},
    {ActionKind::SendBackward, "SEND_B"},
    {ActionKind::ReceiveBackward, "RECV_B"},
};

std::string_view spell(ActionKind kind) {
  for (const Spelling &spelling : spellings)
    if (spelling.kind == kind)
      return spelling.text;
  return "?";
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Takes the digits at the front of `text`; nothing if there are none or they
/// do not fit.
std::optional<int64_t> takeNumber(std::string_view &text) {
  // from_chars would take a sign.
  if (text.empty() || !isDigit(text.front()))
    return std::nullopt;
  int64_t value = 0;
  auto [end, code] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc())
    return std::nullopt;
  text.remove_prefix(size_t(end - text.data()));
  return value;
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

} // namespace

std::string print(const Action &action) {
  std::string text = std::to_string(action.stage);
  text += spell(action.kind);
  if (action.kind != ActionKind::Update)
    text += std::to_string(action.microbatch);
  return text;
}

std::string print(const std::vector<Action> &actions) {
  std::string text;
  for (const Action &action : actions) {
    if (!text.empty())
      text += ' ';
    text += print(action);
  }
  return text;
}

std::optional<Action> parseAction(std::string_view text, std::string &error) {
  std::string_view rest = text;
  auto fail = [&](const std::string &expected) {
    error = "found '" + std::string(text) + "', expected " + expected;
    return std::nullopt;
  };
  std::optional<int64_t> stage = takeNumber(rest);
  if (!stage)
    return fail("an action that starts with a stage number, such as 0F0");
  size_t letters = 0;
  while (letters < rest.size() && !isDigit(rest[letters]))
    ++letters;
  const Spelling *found = nullptr;
  for (const Spelling &spelling : spellings)
    if (spelling.text == rest.substr(0, letters))
      found = &spelling;
  if (!found)
    return fail("F, B, U, SEND_F, RECV_F, SEND_B or RECV_B after the stage");
  rest.remove_prefix(letters);
  if (found->kind == ActionKind::Update) {
    if (!rest.empty())
      return fail("no micro-batch after U");
    return Action{*stage, found->kind, 0};
  }
  std::optional<int64_t> microbatch = takeNumber(rest);
  if (!microbatch || !rest.empty())
    return fail("a micro-batch number at the end");
  return Action{*stage, found->kind, *microbatch};
}

std::optional<std::vector<Action>> parseActions(std::string_view text,
                                                std::string &error) {
  std::vector<Action> actions;
  size_t at = 0;
  while (true) {
    while (at < text.size() && isSpace(text[at]))
      ++at;
    if (at == text.size())
      return actions;
    size_t end = at;
    while (end < text.size() && !isSpace(text[end]))
      ++end;
    std::optional<Action> action =
        parseAction(text.substr(at, end - at), error);
    if (!action) {
      error = "action " + std::to_string(actions.size()) + ": " + error;
      return std::nullopt;
    }
    actions.push_back(*action);
    at = end;
  }
}

} // namespace llmc::sched

// Collecting and printing diagnostics.
#include "frontend/spec/Diagnostics.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>

namespace llmc::frontend {

const char *toString(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  return "error";
}

void DiagnosticList::error(const SourceMark &mark, std::string message) {
  add(Severity::Error, mark, std::move(message));
}
void DiagnosticList::warning(const SourceMark &mark, std::string message) {
  add(Severity::Warning, mark, std::move(message));
}
void DiagnosticList::note(const SourceMark &mark, std::string message) {
  add(Severity::Note, mark, std::move(message));
}

void DiagnosticList::add(Severity severity, const SourceMark &mark,
                         std::string message) {
  // Nobody reads more; a hostile file could make millions.
  constexpr size_t most = 1000;
  if (list.size() == most)
    message = "more than " + std::to_string(most) +
              " messages, the rest is "
              "left out";
  if (list.size() > most)
    return;
  // An alias puts one faulty place into several sections: say it once.
  for (const Diagnostic &old : list)
    if (old.mark.line == mark.line && old.mark.column == mark.column &&
        old.mark.file == mark.file && old.message == message)
      return;
  if (severity == Severity::Error)
    ++errors;
  list.push_back({severity, mark, std::move(message)});
}

void DiagnosticList::sort() {
  std::map<std::string, size_t> order;
  for (const Diagnostic &each : list)
    order.emplace(each.mark.file, order.size());
  std::stable_sort(list.begin(), list.end(),
                   [&](const Diagnostic &a, const Diagnostic &b) {
                     size_t fileA = order[a.mark.file];
                     size_t fileB = order[b.mark.file];
                     if (fileA != fileB)
                       return fileA < fileB;
                     if (a.mark.line != b.mark.line)
                       return a.mark.line < b.mark.line;
                     return a.mark.column < b.mark.column;
                   });
}

void DiagnosticList::print(std::ostream &out) const {
  for (const Diagnostic &each : list)
    out << toString(each.mark) << ": " << toString(each.severity) << ": "
        << each.message << "\n";
}

std::string DiagnosticList::str() const {
  std::ostringstream out;
  print(out);
  return out.str();
}

} // namespace llmc::frontend

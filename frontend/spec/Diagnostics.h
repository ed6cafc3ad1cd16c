// What is wrong with a user's files, collected so that one run shows it all.
#ifndef LLMC_FRONTEND_SPEC_DIAGNOSTICS_H
#define LLMC_FRONTEND_SPEC_DIAGNOSTICS_H

#include "frontend/yaml/SourceMark.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace llmc::frontend {

enum class Severity { Error, Warning, Note };

struct Diagnostic {
  Severity severity = Severity::Error;
  SourceMark mark;
  std::string message;
};

const char *toString(Severity severity);

class DiagnosticList {
public:
  void error(const SourceMark &mark, std::string message);
  void warning(const SourceMark &mark, std::string message);
  void note(const SourceMark &mark, std::string message);

  bool hasErrors() const { return errors > 0; }
  int errorCount() const { return errors; }
  const std::vector<Diagnostic> &all() const { return list; }

  /// By file (in the order the files were first spoken of), line and column.
  void sort();

  /// One line each: `file:line:column: error: message`.
  void print(std::ostream &out) const;
  std::string str() const;

private:
  void add(Severity severity, const SourceMark &mark, std::string message);

  std::vector<Diagnostic> list;
  int errors = 0;
};

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_DIAGNOSTICS_H

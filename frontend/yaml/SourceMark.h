// A place in a text the user wrote: file, line and column, both from 1.
#ifndef LLMC_FRONTEND_YAML_SOURCEMARK_H
#define LLMC_FRONTEND_YAML_SOURCEMARK_H

#include <string>

namespace llmc::frontend {

/// Line 0 means "no place": a value that no file names.
struct SourceMark {
  std::string file;
  int line = 0;
  int column = 0;

  bool valid() const { return line > 0; }
};

/// `file:line:column`, or the file alone for a mark without a line.
std::string toString(const SourceMark &mark);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_YAML_SOURCEMARK_H

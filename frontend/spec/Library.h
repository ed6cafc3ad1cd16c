// A file of the model library, read as far as sizes and config.json go.
#ifndef LLMC_FRONTEND_SPEC_LIBRARY_H
#define LLMC_FRONTEND_SPEC_LIBRARY_H

#include "frontend/spec/Diagnostics.h"
#include "frontend/yaml/Document.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llmc::frontend {

struct LibrarySize {
  std::string name;
  bool required = false;
  Node value; // the default, if not required
  SourceMark mark;
  std::vector<std::string> aliases; // dotted ones look into a map
  std::string writtenAs;            // its key in a written config.json
  bool nullable = false;            // null in a config.json is a value
};

struct Library {
  std::string file;
  std::string name;
  std::string modelType;
  std::string hfClass;
  std::string optionalPrefix;
  std::vector<LibrarySize> sizes;
  std::vector<Entry> mustBe;
  std::vector<std::string> withoutEffect;
  std::vector<std::string> noted;
  Node root; // rules, initialise, decay, embedding, layers, head

  const LibrarySize *findSize(const std::string &nameOrAlias) const;
};

/// The folder of the library: $LLMC_MODELS, else the one of the sources.
std::string libraryFolder();

/// The names in the folder, sorted.
std::vector<std::string> libraryNames();

/// `use` is a name in the library or a path to a file (relative to the file
/// that says so). Errors of the file itself are reported at its lines.
std::optional<Library> loadLibrary(const std::string &use,
                                   const SourceMark &mark,
                                   DiagnosticList &diagnostics);

/// Reports each key of a map that is not allowed there.
void checkMapKeys(const Node &map, const std::string &where,
                  const std::vector<std::string> &allowed,
                  DiagnosticList &diagnostics);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_LIBRARY_H

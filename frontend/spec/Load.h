// From a spec file to checked structs: layers, grammar, library, rules.
#ifndef LLMC_FRONTEND_SPEC_LOAD_H
#define LLMC_FRONTEND_SPEC_LOAD_H

#include "frontend/spec/Architecture.h"
#include "frontend/spec/Diagnostics.h"
#include "frontend/spec/Spec.h"

#include <optional>
#include <string>
#include <vector>

namespace llmc::frontend {

/// One key with its final value, for --resolved and --json.
struct ResolvedKey {
  std::string key;   // dotted
  std::string value; // JSON text
  std::string from;  // "default", "library", "gpt2.yaml:12", "--set ..."
};

struct LoadedSpec {
  Spec spec;
  Architecture arch;
  std::vector<ResolvedKey> resolved; // in the order of the schema
};

/// Loads a spec with its library file, config.json, includes and `--set`
/// values (`a.b.c=value`). Every error of the spec is reported in one run;
/// nothing is returned if there is one. Warnings and notes may be left in the
/// list of a good spec.
std::optional<LoadedSpec> loadSpec(const std::string &path,
                                   const std::vector<std::string> &sets,
                                   DiagnosticList &diagnostics);

/// The whole spec as YAML, each line with where its value came from. Loads as
/// a spec of the same meaning from any folder (paths are absolute).
std::string resolvedText(const LoadedSpec &loaded);

/// The same as nested JSON, without the origins.
std::string resolvedJson(const LoadedSpec &loaded);

/// The files of a source, globs expanded (sorted) and lists in their order. A
/// pattern without a match and a path that is not there are errors at the
/// source's line.
std::vector<std::string> expandSource(const DataSource &source,
                                      DiagnosticList &diagnostics);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_LOAD_H

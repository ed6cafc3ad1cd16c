// The layers of a spec that are files: includes, the file, --set.
#ifndef LLMC_FRONTEND_SPEC_LAYERS_H
#define LLMC_FRONTEND_SPEC_LAYERS_H

#include "frontend/spec/Diagnostics.h"
#include "frontend/spec/Spec.h"
#include "frontend/yaml/Document.h"

#include <optional>
#include <string>
#include <vector>

namespace llmc::frontend {

/// Reads a YAML file whose root must be a map; problems become errors.
std::optional<Node> readMapFile(const std::string &path,
                                DiagnosticList &diagnostics);

/// The merged tree of a spec: includes earlier to later, then the file, then
/// --set. Maps merge, all else replaces. Each node's `layer` is an Origin.
/// Nothing if a text could not be parsed.
std::optional<Node> loadLayers(const std::string &path,
                               const std::vector<std::string> &sets,
                               DiagnosticList &diagnostics);

/// Lays `over` on `base`.
void mergeNode(Node &base, Node over);

/// A path relative to the file that names it (to the working folder for
/// --set).
std::string resolvePath(const std::string &path, const SourceMark &mark);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_LAYERS_H

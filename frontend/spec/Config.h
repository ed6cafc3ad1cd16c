// A Hugging Face config.json against the lists of a library file.
#ifndef LLMC_FRONTEND_SPEC_CONFIG_H
#define LLMC_FRONTEND_SPEC_CONFIG_H

#include "frontend/spec/Diagnostics.h"
#include "frontend/spec/Library.h"
#include "frontend/spec/Value.h"
#include "frontend/yaml/Document.h"

#include <optional>
#include <string>

namespace llmc::frontend {

/// A spelling of a size that a map gives.
struct Spelling {
  std::string key; // as written there, perhaps dotted
  const Node *node = nullptr;
  SourceMark mark; // of the key
  Value value;
};

/// What a map (a config.json, the model section) says of one size under all
/// its spellings; two that disagree are an error at the second. With
/// `nullIsAbsent` a null says nothing.
std::optional<Spelling> findSpelling(const Library &library,
                                     const LibrarySize &size, const Node &map,
                                     bool nullIsAbsent,
                                     DiagnosticList &diagnostics);

/// Every key of the config.json must be on one of the library's lists.
void checkConfigKeys(const Library &library, const Node &config,
                     DiagnosticList &diagnostics);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_CONFIG_H

// The sizes of a model: from the spec, its config.json or the library.
#ifndef LLMC_FRONTEND_SPEC_SIZES_H
#define LLMC_FRONTEND_SPEC_SIZES_H

#include "frontend/spec/Diagnostics.h"
#include "frontend/spec/Library.h"
#include "frontend/spec/Spec.h"
#include "frontend/spec/Value.h"
#include "frontend/yaml/Document.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace llmc::frontend {

struct Size {
  Value value;
  KeyOrigin from;
  std::string spelling; // the key that gave it: n_embd for hidden_size
};

class SizeTable {
public:
  const Size *find(const std::string &name) const;
  /// The entry of one layer, if the size is a list or a cycle over layers.
  /// Nothing, with a reason, if the list has no such entry.
  std::optional<Value> at(const std::string &name, int64_t layer,
                          std::string &fault) const;

  std::map<std::string, Size> sizes;
};

/// One entry of a list or `{cycle: [...]}` value; other values as they are.
std::optional<Value> entryOfLayer(const Value &value, int64_t layer,
                                  std::string &fault);

/// Replaces `{name}` by the value of the size.
std::string fillSizes(const std::string &text, const SizeTable &sizes);

/// Works out every size. `model` is the model section of the spec, `config` a
/// parsed config.json or null. Nothing if one is wrong or missing. Also
/// refuses unknown keys of both, and notes what of the config.json has no
/// effect because the spec or train.dropout decides.
std::optional<SizeTable> resolveSizes(const Library &library, const Node &model,
                                      const Node *config,
                                      std::optional<int64_t> defaultVocabSize,
                                      DiagnosticList &diagnostics);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_SIZES_H

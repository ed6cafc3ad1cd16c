// YAML (and so JSON) text as a tree of nodes that know where they stand.
#ifndef LLMC_FRONTEND_YAML_DOCUMENT_H
#define LLMC_FRONTEND_YAML_DOCUMENT_H

#include "frontend/yaml/SourceMark.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llmc::frontend {

struct Entry;

/// One node with aliases and merge keys already expanded. Plain values: a copy
/// is a deep copy.
struct Node {
  enum class Kind { Null, Scalar, Sequence, Map };

  Kind kind = Kind::Null;
  SourceMark mark;
  /// Scalars: the text without quotes, and whether it had any.
  std::string text;
  bool quoted = false;
  /// Sequences.
  std::vector<Node> items;
  /// Maps, in the order of the text; keys are unique.
  std::vector<Entry> entries;
  /// Which layer of a spec the node came from; set by whoever merges layers.
  int layer = 0;

  bool isNull() const { return kind == Kind::Null; }
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isSequence() const { return kind == Kind::Sequence; }
  bool isMap() const { return kind == Kind::Map; }

  const Entry *findEntry(std::string_view key) const;
  Entry *findEntry(std::string_view key);
  const Node *find(std::string_view key) const;
};

struct Entry {
  std::string key;
  SourceMark keyMark;
  Node value;
};

/// What is wrong with a text, and where.
struct YamlProblem {
  SourceMark mark;
  std::string message;
};

/// Parses one document. Never throws; bounded in size, depth and expanded
/// nodes, so a hostile text costs little. On any problem (syntax, a key given
/// twice, a key that is not a scalar) all of them are appended and nothing is
/// returned.
std::optional<Node> parseYaml(std::string_view text, const std::string &file,
                              std::vector<YamlProblem> &problems);

/// The same for a file of at most `kLargestYamlFile` bytes.
std::optional<Node> parseYamlFile(const std::string &path,
                                  std::vector<YamlProblem> &problems);

inline constexpr size_t kLargestYamlFile = 4u << 20;
inline constexpr int kDeepestYaml = 64;
inline constexpr size_t kMostYamlNodes = 200000;
inline constexpr size_t kMostYamlKeys = 10000; // of one map

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_YAML_DOCUMENT_H

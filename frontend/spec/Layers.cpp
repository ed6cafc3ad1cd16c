// Reading and merging the layers of a spec.
#include "frontend/spec/Layers.h"
#include "frontend/spec/Scalars.h"

#include <algorithm>
#include <filesystem>

namespace llmc::frontend {

namespace {

/// What the mark of a --set value calls its file.
constexpr std::string_view kSetFile = "--set ";

void setLayer(Node &node, Origin origin) {
  node.layer = int(origin);
  for (Node &item : node.items)
    setLayer(item, origin);
  for (Entry &entry : node.entries)
    setLayer(entry.value, origin);
}

std::optional<Node> orErrors(std::optional<Node> node,
                             const std::vector<YamlProblem> &problems,
                             DiagnosticList &diagnostics) {
  for (const YamlProblem &problem : problems)
    diagnostics.error(problem.mark, problem.message);
  return node;
}

class LayerLoader {
public:
  explicit LayerLoader(DiagnosticList &diagnostics)
      : diagnostics(diagnostics) {}

  /// The file with its includes under it.
  std::optional<Node> load(const std::string &path, Origin origin) {
    std::optional<Node> own = readMapFile(path, diagnostics);
    if (!own)
      return std::nullopt;
    setLayer(*own, origin);
    Node merged;
    merged.kind = Node::Kind::Map;
    merged.mark = own->mark;
    merged.layer = own->layer;
    open.push_back(path);
    bool good = mergeIncludes(*own, merged);
    open.pop_back();
    if (!good)
      return std::nullopt;
    mergeNode(merged, std::move(*own));
    return merged;
  }

private:
  /// Takes `include` out of the file and lays its files on `merged`.
  bool mergeIncludes(Node &own, Node &merged) {
    Entry *entry = own.findEntry("include");
    if (!entry)
      return true;
    Node list = std::move(entry->value);
    own.entries.erase(own.entries.begin() + (entry - own.entries.data()));
    if (!list.isSequence()) {
      diagnostics.error(list.mark, "include is " + describe(list) +
                                       ", expected a list of paths");
      return true;
    }
    bool good = true;
    for (const Node &item : list.items)
      good &= include(item, merged);
    return good;
  }

  bool include(const Node &item, Node &merged) {
    if (!item.isScalar()) {
      diagnostics.error(item.mark, "an entry of include is " + describe(item) +
                                       ", expected a path");
      return true;
    }
    std::string path = resolvePath(item.text, item.mark);
    if (std::find(open.begin(), open.end(), path) != open.end()) {
      diagnostics.error(item.mark, "include " + item.text +
                                       " includes itself, expected an end");
      return true;
    }
    constexpr size_t deepest = 16, most = 256;
    if (open.size() >= deepest || ++included > most) {
      diagnostics.error(item.mark, "include " + item.text +
                                       " is one too many, expected at most " +
                                       std::to_string(most) + " files, " +
                                       std::to_string(deepest) + " deep");
      return false;
    }
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
      diagnostics.error(item.mark, "include " + path + " does not exist");
      return true;
    }
    std::optional<Node> node = load(path, Origin::Include);
    if (!node)
      return false;
    mergeNode(merged, std::move(*node));
    return true;
  }

  DiagnosticList &diagnostics;
  std::vector<std::string> open; // files being read, to see a cycle
  size_t included = 0;
};

/// Lays one `a.b.c=value` on the tree.
bool applySet(const std::string &set, Node &root, DiagnosticList &diagnostics) {
  const std::string file = std::string(kSetFile) + set;
  size_t equals = set.find('=');
  std::string path = set.substr(0, equals);
  if (equals == std::string::npos || path.empty() || path.front() == '.' ||
      path.back() == '.' || path.find("..") != std::string::npos) {
    diagnostics.error({file, 1, 1}, "expected --set a.b.c=value");
    return false;
  }
  if (path == "include") {
    diagnostics.error({file, 1, 1}, "include cannot be set, expected it in a "
                                    "file");
    return false;
  }
  std::vector<YamlProblem> problems;
  // Blanks before the value keep the columns of the whole argument; an empty
  // value is null, as in a file.
  std::string text = std::string(equals + 1, ' ') + set.substr(equals + 1);
  if (text.find_first_not_of(' ') == std::string::npos)
    text += "null";
  std::optional<Node> value =
      orErrors(parseYaml(text, file, problems), problems, diagnostics);
  if (!value)
    return false;
  size_t end = path.size();
  if (std::count(path.begin(), path.end(), '.') >= kDeepestYaml) {
    diagnostics.error({file, 1, 1}, "nested more than " +
                                        std::to_string(kDeepestYaml) +
                                        " levels deep");
    return false;
  }
  while (end > 0) {
    size_t dot = path.rfind('.', end - 1);
    size_t begin = dot == std::string::npos ? 0 : dot + 1;
    Node map;
    map.kind = Node::Kind::Map;
    map.mark = {file, 1, 1};
    map.entries.push_back({path.substr(begin, end - begin),
                           {file, 1, int(begin) + 1},
                           std::move(*value)});
    value = std::move(map);
    end = begin ? begin - 1 : 0;
  }
  setLayer(*value, Origin::Set);
  mergeNode(root, std::move(*value));
  return true;
}

} // namespace

std::optional<Node> readMapFile(const std::string &path,
                                DiagnosticList &diagnostics) {
  std::vector<YamlProblem> problems;
  std::optional<Node> node =
      orErrors(parseYamlFile(path, problems), problems, diagnostics);
  if (node && !node->isMap()) {
    diagnostics.error(node->mark,
                      "the file is " + describe(*node) + ", expected a map");
    return std::nullopt;
  }
  return node;
}

void mergeNode(Node &base, Node over) {
  if (!base.isMap() || !over.isMap()) {
    base = std::move(over);
    return;
  }
  // A message about the section points at the strongest file that has it.
  if (over.layer != int(Origin::Set)) {
    base.mark = over.mark;
    base.layer = over.layer;
  }
  for (Entry &entry : over.entries) {
    if (Entry *old = base.findEntry(entry.key)) {
      if (entry.value.layer != int(Origin::Set) || !old->value.isMap())
        old->keyMark = entry.keyMark;
      mergeNode(old->value, std::move(entry.value));
    } else {
      base.entries.push_back(std::move(entry));
    }
  }
}

std::optional<Node> loadLayers(const std::string &path,
                               const std::vector<std::string> &sets,
                               DiagnosticList &diagnostics) {
  std::optional<Node> root = LayerLoader(diagnostics).load(path, Origin::File);
  if (!root)
    return std::nullopt;
  bool good = true;
  for (const std::string &set : sets)
    good &= applySet(set, *root, diagnostics);
  if (!good)
    return std::nullopt;
  return root;
}

std::string resolvePath(const std::string &path, const SourceMark &mark) {
  std::filesystem::path own(path);
  if (own.is_absolute() || mark.file.starts_with(kSetFile))
    return own.lexically_normal().string();
  return (std::filesystem::path(mark.file).parent_path() / own)
      .lexically_normal()
      .string();
}

} // namespace llmc::frontend

// The node tree, built from yaml-cpp's events.
#include "frontend/yaml/Document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace llmc::frontend {

std::string toString(const SourceMark &mark) {
  if (!mark.valid())
    return mark.file;
  return mark.file + ":" + std::to_string(mark.line) + ":" +
         std::to_string(mark.column);
}

const Entry *Node::findEntry(std::string_view key) const {
  for (const Entry &entry : entries)
    if (entry.key == key)
      return &entry;
  return nullptr;
}

Entry *Node::findEntry(std::string_view key) {
  return const_cast<Entry *>(std::as_const(*this).findEntry(key));
}

const Node *Node::find(std::string_view key) const {
  const Entry *entry = findEntry(key);
  return entry ? &entry->value : nullptr;
}

namespace {

/// Ends the parse; the problem is already recorded.
struct Stop {};

/// A map or sequence whose end has not been seen.
struct Frame {
  Node node;
  YAML::anchor_t anchor = 0;
  bool haveKey = false;
  bool merging = false;        // the key that waits is a merge key
  Entry entry;                 // the key that waits for its value
  std::vector<Node> inherited; // values of merge keys
};

/// A finished node with an anchor, and how many nodes it is made of.
struct Anchored {
  Node node;
  size_t size = 0;
};

size_t countNodes(const Node &node) {
  size_t count = 1;
  for (const Node &item : node.items)
    count += countNodes(item);
  for (const Entry &entry : node.entries)
    count += countNodes(entry.value);
  return count;
}

class TreeBuilder : public YAML::EventHandler {
public:
  TreeBuilder(const std::string &file, std::vector<YamlProblem> &problems)
      : file(file), problems(problems) {}

  Node takeRoot() { return std::move(root); }

  void OnDocumentStart(const YAML::Mark &) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    if (wantsKey())
      stop(at(mark), "a key is missing before ':'");
    Node node = newNode(Node::Kind::Null, mark);
    // The mark of an absent value is that of the next token.
    if (!frames.empty() && frames.back().node.isMap())
      node.mark = frames.back().entry.keyMark;
    finish(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    if (wantsKey())
      stop(at(mark), "an alias stands for a key, expected text");
    auto it = anchors.find(anchor);
    if (it == anchors.end())
      stop(at(mark), "an alias stands inside the node that it names");
    count(it->second.size, at(mark));
    // Diagnostics point at the text that the anchor names.
    finish(Node(it->second.node), 0);
  }

  void OnScalar(const YAML::Mark &mark, const std::string &tag,
                YAML::anchor_t anchor, const std::string &text) override {
    checkTag(tag, at(mark));
    if (wantsKey()) {
      startEntry(text, tag, at(mark));
      return;
    }
    Node node = newNode(Node::Kind::Scalar, mark);
    node.text = text;
    node.quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    finish(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::Sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark &mark, const std::string &tag,
                  YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(Node::Kind::Map, mark, tag, anchor);
  }
  void OnMapEnd() override {
    applyMergeKeys(frames.back());
    close();
  }

private:
  SourceMark at(const YAML::Mark &mark) const {
    return {file, mark.line + 1, mark.column + 1};
  }

  [[noreturn]] void stop(const SourceMark &mark, std::string message) {
    problems.push_back({mark, std::move(message)});
    throw Stop();
  }

  void count(size_t more, const SourceMark &mark) {
    nodes += more;
    if (nodes > kMostYamlNodes)
      stop(mark, "the text has more than " + std::to_string(kMostYamlNodes) +
                     " values once its aliases are expanded");
  }

  Node newNode(Node::Kind kind, const YAML::Mark &mark) {
    count(1, at(mark));
    Node node;
    node.kind = kind;
    node.mark = at(mark);
    return node;
  }

  void checkTag(const std::string &tag, const SourceMark &mark) {
    static const char *const known[] = {"",
                                        "?",
                                        "!",
                                        "tag:yaml.org,2002:str",
                                        "tag:yaml.org,2002:int",
                                        "tag:yaml.org,2002:float",
                                        "tag:yaml.org,2002:bool",
                                        "tag:yaml.org,2002:map",
                                        "tag:yaml.org,2002:seq"};
    for (const char *each : known)
      if (tag == each)
        return;
    stop(mark, "tag " + tag + " is not understood, expected none");
  }

  bool wantsKey() const {
    return !frames.empty() && frames.back().node.isMap() &&
           !frames.back().haveKey;
  }

  /// The dotted path of a key of the innermost map.
  std::string pathOf(const std::string &key) const {
    std::string path;
    for (size_t i = 0; i + 1 < frames.size(); ++i)
      if (frames[i].node.isMap())
        path += frames[i].entry.key + ".";
    return path + key;
  }

  void startEntry(const std::string &key, const std::string &tag,
                  const SourceMark &mark) {
    Frame &frame = frames.back();
    frame.haveKey = true;
    frame.entry = Entry{key, mark, Node()};
    frame.merging = key == "<<" && tag == "?";
    if (frame.merging)
      return;
    if (frame.node.entries.size() >= kMostYamlKeys)
      stop(mark,
           "a map of more than " + std::to_string(kMostYamlKeys) + " keys");
    if (const Entry *first = frame.node.findEntry(key))
      problems.push_back({mark, "key " + pathOf(key) +
                                    " is given twice, first in line " +
                                    std::to_string(first->keyMark.line)});
  }

  void open(Node::Kind kind, const YAML::Mark &mark, const std::string &tag,
            YAML::anchor_t anchor) {
    checkTag(tag, at(mark));
    if (wantsKey())
      stop(at(mark), "a list or map stands for a key, or is not closed");
    if (int(frames.size()) >= kDeepestYaml)
      stop(at(mark),
           "nested more than " + std::to_string(kDeepestYaml) + " levels deep");
    Frame frame;
    frame.node = newNode(kind, mark);
    frame.anchor = anchor;
    frames.push_back(std::move(frame));
  }

  void close() {
    Node node = std::move(frames.back().node);
    YAML::anchor_t anchor = frames.back().anchor;
    frames.pop_back();
    finish(std::move(node), anchor);
  }

  void finish(Node node, YAML::anchor_t anchor) {
    if (anchor) {
      Anchored kept{node, countNodes(node)};
      count(kept.size, node.mark);
      anchors[anchor] = std::move(kept);
    }
    if (frames.empty()) {
      root = std::move(node);
      return;
    }
    Frame &frame = frames.back();
    if (frame.node.isSequence()) {
      frame.node.items.push_back(std::move(node));
      return;
    }
    frame.haveKey = false;
    if (frame.merging) {
      addInherited(frame, std::move(node));
      return;
    }
    frame.entry.value = std::move(node);
    if (!frame.node.findEntry(frame.entry.key))
      frame.node.entries.push_back(std::move(frame.entry));
  }

  void addInherited(Frame &frame, Node node) {
    const SourceMark mark = frame.entry.keyMark;
    auto add = [&](Node &&map) {
      if (map.isMap())
        frame.inherited.push_back(std::move(map));
      else
        problems.push_back({mark, "merge key << needs a map or a list of "
                                  "maps"});
    };
    if (!node.isSequence()) {
      add(std::move(node));
      return;
    }
    for (Node &item : node.items)
      add(std::move(item));
  }

  /// Keys of the map win over inherited ones, earlier inherited over later.
  static void applyMergeKeys(Frame &frame) {
    for (Node &map : frame.inherited)
      for (Entry &entry : map.entries)
        if (!frame.node.findEntry(entry.key))
          frame.node.entries.push_back(std::move(entry));
  }

  const std::string &file;
  std::vector<YamlProblem> &problems;
  std::vector<Frame> frames;
  std::map<YAML::anchor_t, Anchored> anchors;
  size_t nodes = 0;
  Node root;
};

/// Refuses a second document; `parser` has read the first.
struct RefuseDocument : YAML::EventHandler {
  YAML::Mark mark;
  void OnDocumentStart(const YAML::Mark &at) override { mark = at; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark &, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark &, const std::string &, YAML::anchor_t,
                const std::string &) override {}
  void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

std::string lowerFirst(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
    text[0] = char(text[0] - 'A' + 'a');
  return text;
}

} // namespace

std::optional<Node> parseYaml(std::string_view text, const std::string &file,
                              std::vector<YamlProblem> &problems) {
  const size_t before = problems.size();
  if (text.size() > kLargestYamlFile) {
    problems.push_back({{file, 1, 1},
                        "the text has " + std::to_string(text.size()) +
                            " bytes, expected at most " +
                            std::to_string(kLargestYamlFile)});
    return std::nullopt;
  }
  TreeBuilder builder(file, problems);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder))
      problems.push_back({{file, 1, 1}, "the file is empty"});
    RefuseDocument second;
    if (problems.size() == before && parser.HandleNextDocument(second))
      problems.push_back({{file, second.mark.line + 1, second.mark.column + 1},
                          "a second YAML document, expected one"});
  } catch (const Stop &) {
  } catch (const YAML::Exception &e) {
    problems.push_back({{file, e.mark.line + 1, e.mark.column + 1},
                        "not YAML: " + lowerFirst(e.msg)});
  } catch (const std::exception &e) {
    problems.push_back({{file, 1, 1}, std::string("not YAML: ") + e.what()});
  }
  if (problems.size() != before)
    return std::nullopt;
  return builder.takeRoot();
}

std::optional<Node> parseYamlFile(const std::string &path,
                                  std::vector<YamlProblem> &problems) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  char chunk[1 << 14];
  while (stream && text.size() <= kLargestYamlFile) {
    stream.read(chunk, sizeof chunk);
    text.append(chunk, size_t(stream.gcount()));
  }
  // A folder opens, but cannot be read.
  if (!stream.eof() && text.size() <= kLargestYamlFile) {
    problems.push_back({{path, 0, 0},
                        std::string("the file cannot be read: ") +
                            std::strerror(errno ? errno : EISDIR)});
    return std::nullopt;
  }
  return parseYaml(text, path, problems);
}

} // namespace llmc::frontend

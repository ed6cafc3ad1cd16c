// The four lists of a library file: sizes and aliases, must_be, noted,
// without_effect.
#include "frontend/spec/Config.h"
#include "frontend/spec/Scalars.h"
#include "frontend/spec/Suggest.h"

#include <algorithm>
#include <tuple>

namespace llmc::frontend {

namespace {

bool contains(const std::vector<std::string> &list, const std::string &key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

/// The entry a dotted key names.
const Entry *findDotted(const Node &map, const std::string &key) {
  size_t dot = key.find('.');
  const Entry *entry = map.findEntry(key.substr(0, dot));
  if (!entry || dot == std::string::npos)
    return entry;
  if (!entry->value.isMap())
    return nullptr;
  return findDotted(entry->value, key.substr(dot + 1));
}

/// Brings the spellings of RoPE scaling to one form: transformers 5 keeps
/// theta in the same map, calls no scaling "default", and older files say
/// `type` for `rope_type`.
Value normalise(const Library &library, const std::string &spelling,
                Value value) {
  const Value::Map *map = value.asMap();
  if (!map || value.find("cycle"))
    return value;
  Value::Map out;
  for (const auto &[key, each] : *map) {
    if (library.findSize(spelling + "." + key))
      continue;
    if (key != "type")
      out.emplace_back(key, each);
    else if (!value.find("rope_type"))
      out.emplace_back("rope_type", each);
    else if (!(each == *value.find("rope_type")))
      out.emplace_back(key, each);
  }
  bool none = out.empty() || (out.size() == 1 && out[0].first == "rope_type" &&
                              out[0].second == Value{std::string("default")});
  return none ? Value{} : Value{std::move(out)};
}

/// Maps are equal in any order.
bool sameValue(const Value &a, const Value &b) {
  if (!a.asMap() || !b.asMap())
    return a == b;
  Value::Map mapA = *a.asMap(), mapB = *b.asMap();
  auto byKey = [](const auto &x, const auto &y) { return x.first < y.first; };
  std::sort(mapA.begin(), mapA.end(), byKey);
  std::sort(mapB.begin(), mapB.end(), byKey);
  return mapA == mapB;
}

/// The keys a config.json may have, for suggestions.
std::vector<std::string> knownKeys(const Library &library) {
  std::vector<std::string> keys = library.withoutEffect;
  keys.insert(keys.end(), library.noted.begin(), library.noted.end());
  for (const Entry &entry : library.mustBe)
    keys.push_back(entry.key);
  for (const LibrarySize &size : library.sizes) {
    keys.push_back(size.name);
    for (const std::string &alias : size.aliases)
      keys.push_back(alias.substr(0, alias.find('.')));
  }
  return keys;
}

void checkMustBe(const Library &library, const Entry &entry,
                 DiagnosticList &diagnostics) {
  for (const Entry &must : library.mustBe) {
    if (must.key != entry.key || entry.value.isNull() ||
        toValue(must.value) == toValue(entry.value))
      continue;
    diagnostics.error(entry.value.mark, entry.key + " is " +
                                            describe(entry.value) + ", but " +
                                            library.name + " supports only " +
                                            describe(must.value));
  }
}

} // namespace

std::optional<Spelling> findSpelling(const Library &library,
                                     const LibrarySize &size, const Node &map,
                                     bool nullIsAbsent,
                                     DiagnosticList &diagnostics) {
  std::vector<std::string> keys = {size.name};
  keys.insert(keys.end(), size.aliases.begin(), size.aliases.end());
  std::vector<Spelling> found;
  for (const std::string &key : keys) {
    const Entry *entry = findDotted(map, key);
    if (!entry || (nullIsAbsent && entry->value.isNull()))
      continue;
    found.push_back({key, &entry->value, entry->keyMark,
                     normalise(library, key, toValue(entry->value))});
  }
  if (found.empty())
    return std::nullopt;
  std::stable_sort(
      found.begin(), found.end(), [](const Spelling &a, const Spelling &b) {
        return std::tuple(-a.node->layer, a.mark.line, a.mark.column) <
               std::tuple(-b.node->layer, b.mark.line, b.mark.column);
      });
  for (size_t i = 1; i < found.size(); ++i)
    // A stronger layer may use another spelling than a weaker one.
    if (found[0].node->layer == found[i].node->layer &&
        !sameValue(found[0].value, found[i].value))
      diagnostics.error(found[i].mark,
                        found[i].key + " " + toJson(found[i].value) + " and " +
                            found[0].key + " " + toJson(found[0].value) +
                            " (line " + std::to_string(found[0].mark.line) +
                            ") are two spellings of one size and disagree");
  return found[0];
}

void checkConfigKeys(const Library &library, const Node &config,
                     DiagnosticList &diagnostics) {
  if (const Node *type = config.find("model_type"))
    if (!type->isScalar() || type->text != library.modelType)
      diagnostics.error(type->mark, "model_type is " + describe(*type) +
                                        ", expected " + library.modelType +
                                        " for model.use " + library.name);
  const std::vector<std::string> known = knownKeys(library);
  for (const Entry &entry : config.entries) {
    checkMustBe(library, entry, diagnostics);
    if (contains(library.noted, entry.key) && !entry.value.isNull() &&
        entry.value.text != "0" && entry.value.text != "0.0")
      diagnostics.note(entry.keyMark, entry.key + " " + describe(entry.value) +
                                          " has no effect, train.dropout "
                                          "decides");
    if (contains(known, entry.key))
      continue;
    std::string message =
        "unknown key " + entry.key + " for architecture " + library.name;
    if (std::optional<std::string> meant = nearest(entry.key, known))
      message += "; did you mean " + *meant;
    else
      message += ", expected a size or a key on the lists of " + library.file;
    diagnostics.error(entry.keyMark, message);
  }
}

} // namespace llmc::frontend

// Reading, printing and refusing single keys by the table.
#include "frontend/spec/Layers.h"
#include "frontend/spec/Scalars.h"
#include "frontend/spec/Schema.h"
#include "frontend/spec/Suggest.h"
#include "frontend/spec/Value.h"

#include <cmath>
#include <filesystem>

namespace llmc::frontend {

namespace {

/// A bound of the table as text; bounds are integers or short reals.
std::string bound(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e18)
    return std::to_string(int64_t(value));
  return realToJson(value);
}

/// Limits that only keep products from overflowing.
constexpr double kNotWorthSaying = 1e15;

std::string rangeOf(const SchemaKey &key) {
  if (key.least && key.most && *key.most < kNotWorthSaying)
    return " from " + bound(*key.least) + " to " + bound(*key.most);
  std::string range;
  if (key.least)
    range = " of at least " + bound(*key.least);
  if (key.above)
    range = " above " + bound(*key.above);
  if (key.below)
    range += (range.empty() ? " below " : " and below ") + bound(*key.below);
  if (key.most && *key.most < kNotWorthSaying)
    range +=
        (range.empty() ? " of at most " : " and at most ") + bound(*key.most);
  return range;
}

bool inRange(const SchemaKey &key, double value) {
  return (!key.least || value >= *key.least) &&
         (!key.above || value > *key.above) &&
         (!key.below || value < *key.below) &&
         (!key.most || value <= *key.most);
}

template <typename V> bool store(Field field, V value) {
  if (auto *plain = std::get_if<V *>(&field))
    return **plain = value, true;
  if (auto *optional = std::get_if<std::optional<V> *>(&field))
    return **optional = value, true;
  return false;
}

/// Text goes into two kinds of field too, but `bool` has one only.
template <> bool store<bool>(Field field, bool value) {
  **std::get_if<bool *>(&field) = value;
  return true;
}

void clear(Field field) {
  if (auto *integer = std::get_if<std::optional<int64_t> *>(&field))
    (*integer)->reset();
  else if (auto *real = std::get_if<std::optional<double> *>(&field))
    (*real)->reset();
  else if (auto *text = std::get_if<std::optional<std::string> *>(&field))
    (*text)->reset();
}

bool storeNumber(const SchemaKey &key, Field field, const Node &node) {
  if (key.type == KeyType::Integer || key.type == KeyType::Bytes) {
    std::optional<int64_t> value = key.type == KeyType::Bytes
                                       ? parseBytes(node.text)
                                       : parseInteger(node.text);
    return value && inRange(key, double(*value)) && store(field, *value);
  }
  std::optional<double> value = key.type == KeyType::Duration
                                    ? parseDuration(node.text)
                                    : parseReal(node.text);
  return value && inRange(key, *value) && (!key.single || fitsFloat(*value)) &&
         store(field, *value);
}

bool storeChoice(const SchemaKey &key, Field field, const Node &node) {
  // A device is called null.
  const std::string text = node.isNull() ? "null" : node.text;
  for (const std::string &choice : key.choices)
    if (choice == text)
      return store(field, text);
  return false;
}

/// Whether the node is a right value of the key; stores it if so.
bool storeValue(const SchemaKey &key, const Node &node, Spec &spec) {
  Field field = key.field(spec);
  if (node.isNull() && key.nullable) {
    clear(field);
    return true;
  }
  if (key.type == KeyType::Choice && (node.isScalar() || node.isNull()))
    return storeChoice(key, field, node);
  if (!node.isScalar())
    return false;
  switch (key.type) {
  case KeyType::Boolean: {
    std::optional<bool> value = parseBoolean(node.text);
    return !node.quoted && value && store(field, *value);
  }
  case KeyType::Text:
    return !node.text.empty() && store(field, node.text);
  case KeyType::Path:
    return !node.text.empty() &&
           store(field, resolvePath(node.text, node.mark));
  case KeyType::Choice:
  case KeyType::Special:
    return false;
  case KeyType::Integer:
  case KeyType::Real:
    return !node.quoted && storeNumber(key, field, node);
  case KeyType::Bytes:
  case KeyType::Duration:
    // JSON has to quote what has a unit.
    return storeNumber(key, field, node);
  }
  return false;
}

std::string unquoted(std::string json) {
  if (json.size() >= 2 && json.front() == '"')
    return json.substr(1, json.size() - 2);
  return json;
}

/// The size of a number, not its kind, is what is wrong.
bool onlyMissesFloat(const SchemaKey &key, const Node &node) {
  if (!key.single || !node.isScalar() || node.quoted)
    return false;
  std::optional<double> value = parseReal(node.text);
  return value && inRange(key, *value) && !fitsFloat(*value);
}

/// A right value whose feature is not there yet is refused by its name.
void refuseUnbuilt(const SchemaKey &key, const Node &node, const Spec &spec,
                   DiagnosticList &diagnostics) {
  if (!key.onlyListed)
    return;
  std::string value = printKey(key, spec);
  std::vector<std::string> built = {defaultOf(key)};
  built.insert(built.end(), key.built.begin(), key.built.end());
  for (std::string &each : built) {
    if (each == value)
      return;
    each = unquoted(each);
  }
  diagnostics.error(node.mark, key.path + " " + unquoted(value) +
                                   " is not implemented yet, expected " +
                                   joinOr(built));
}

struct FieldPrinter {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(const int64_t *v) const { return std::to_string(*v); }
  std::string operator()(const double *v) const { return realToJson(*v); }
  std::string operator()(const bool *v) const { return *v ? "true" : "false"; }
  std::string operator()(const std::string *v) const { return textToJson(*v); }
  template <typename V>
  std::string operator()(const std::optional<V> *v) const {
    return *v ? (*this)(&**v) : "null";
  }
};

/// Names that other systems use for our keys.
const char *synonymOf(const std::string &key) {
  static const std::pair<const char *, const char *> known[] = {
      {"gradient_clipping", "clip_grad"},
      {"max_grad_norm", "clip_grad"},
      {"grad_clip", "clip_grad"},
      {"learning_rate", "lr"},
      {"max_lr", "lr"},
      {"seq_length", "sequence_length"},
      {"seq_len", "sequence_length"},
      {"block_size", "sequence_length"},
      {"batch_size", "micro_batch_size"},
      {"max_steps", "train_steps"},
      {"steps", "train_steps"},
      {"scheduler", "lr_schedule"},
      {"dtype", "compute"},
      {"data_parallel", "dp"},
      {"tensor_parallel", "tp"},
      {"pipeline_parallel", "pp"}};
  std::vector<std::string> names;
  for (const auto &[theirs, ours] : known)
    names.push_back(theirs);
  std::optional<std::string> meant = nearest(key, names);
  for (const auto &[theirs, ours] : known)
    if (meant && *meant == theirs)
      return ours;
  return nullptr;
}

/// A key whose last part is this name, in whatever section.
std::optional<std::string> anywhere(const std::string &name) {
  for (const SchemaKey &key : schema())
    for (std::string path = key.path;;) {
      size_t dot = path.rfind('.');
      if (path.substr(dot == std::string::npos ? 0 : dot + 1) == name)
        return path;
      if (dot == std::string::npos)
        break;
      path.resize(dot);
    }
  return std::nullopt;
}

std::optional<std::string>
suggestion(const std::string &key, const std::string &prefix,
           const std::vector<std::string> &siblings,
           const std::vector<std::string> &elsewhere) {
  if (std::optional<std::string> sibling = nearest(key, siblings))
    return prefix + *sibling;
  if (std::optional<std::string> path = anywhere(key))
    return path;
  for (const std::string &path : elsewhere)
    if (path.ends_with("." + key))
      return path;
  if (const char *ours = synonymOf(key))
    return anywhere(ours);
  std::vector<std::string> leaves;
  for (const SchemaKey &each : schema())
    leaves.push_back(each.path.substr(each.path.rfind('.') + 1));
  // Two letters are near everything.
  if (std::optional<std::string> leaf = nearest(key, leaves);
      leaf && key.size() > 3)
    return anywhere(*leaf);
  return std::nullopt;
}

} // namespace

std::string printKey(const SchemaKey &key, const Spec &spec) {
  if (key.print)
    return key.print(spec);
  Field field = key.field(const_cast<Spec &>(spec));
  if (key.type == KeyType::Duration) {
    std::string seconds = std::visit(FieldPrinter(), field);
    return seconds == "null" ? seconds : textToJson(seconds + "s");
  }
  return std::visit(FieldPrinter(), field);
}

std::string defaultOf(const SchemaKey &key) { return printKey(key, Spec()); }

std::string expectedOf(const SchemaKey &key) {
  std::string expected;
  switch (key.type) {
  case KeyType::Integer:
    expected = "an integer" + rangeOf(key);
    break;
  case KeyType::Real:
    expected = "a number" + rangeOf(key);
    break;
  case KeyType::Boolean:
    expected = "true or false";
    break;
  case KeyType::Text:
    expected = "text";
    break;
  case KeyType::Path:
    expected = "a path";
    break;
  case KeyType::Bytes:
    expected = "bytes such as 512MiB";
    break;
  case KeyType::Duration:
    expected = "a duration such as 600s or 10m";
    break;
  case KeyType::Choice:
    return joinOr(key.choices);
  case KeyType::Special:
    return key.expects;
  }
  return key.nullable ? expected + " or null" : expected;
}

void readKey(const SchemaKey &key, const Node &node, Spec &spec,
             DiagnosticList &diagnostics) {
  const int errors = diagnostics.errorCount();
  if (key.read)
    key.read(node, key, spec, diagnostics);
  else if (!storeValue(key, node, spec))
    diagnostics.error(
        node.mark,
        key.path + " is " + describe(node) + ", expected " +
            (onlyMissesFloat(key, node) ? floatRange : expectedOf(key)));
  if (diagnostics.errorCount() == errors)
    refuseUnbuilt(key, node, spec, diagnostics);
}

void reportUnknownKey(const Entry &entry, const std::string &section,
                      const std::vector<std::string> &siblings,
                      DiagnosticList &diagnostics,
                      const std::vector<std::string> &elsewhere) {
  const std::string prefix = section.empty() ? "" : section + ".";
  std::string message = "unknown key " + prefix + entry.key;
  if (std::optional<std::string> meant =
          suggestion(entry.key, prefix, siblings, elsewhere))
    message += "; did you mean " + *meant;
  else
    message += ", expected " + joinOr(siblings);
  diagnostics.error(entry.keyMark, message);
}

} // namespace llmc::frontend

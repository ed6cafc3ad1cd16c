// Parsing of scalars, without exceptions and without rounding surprises.
#include "frontend/spec/Scalars.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace llmc::frontend {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Drops `_` between digits; nothing if one stands elsewhere.
std::optional<std::string> withoutSeparators(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
      continue;
    }
    if (i == 0 || i + 1 == text.size() || !isDigit(text[i - 1]) ||
        !isDigit(text[i + 1]))
      return std::nullopt;
  }
  return out;
}

std::optional<double> parsePlainReal(std::string_view text) {
  std::optional<std::string> clean = withoutSeparators(text);
  if (!clean)
    return std::nullopt;
  std::string_view rest = *clean;
  if (!rest.empty() && rest[0] == '+')
    rest.remove_prefix(1);
  size_t sign = !rest.empty() && rest[0] == '-';
  // from_chars would read "inf" and "nan".
  if (rest.size() <= sign || !(isDigit(rest[sign]) || rest[sign] == '.'))
    return std::nullopt;
  double value = 0;
  auto [end, fault] =
      std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (fault != std::errc() || end != rest.data() + rest.size() ||
      !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<int64_t> parsePlainInteger(std::string_view text) {
  std::optional<std::string> clean = withoutSeparators(text);
  if (!clean || clean->empty())
    return std::nullopt;
  const char *begin = clean->data() + ((*clean)[0] == '+');
  const char *end = clean->data() + clean->size();
  int64_t value = 0;
  auto [stop, fault] = std::from_chars(begin, end, value);
  if (fault != std::errc() || stop != end || begin == end)
    return std::nullopt;
  return value;
}

/// A number times a unit, exactly: `1.5B` is 1500000000.
std::optional<int64_t> parseScaled(std::string_view number, int64_t unit) {
  if (std::optional<int64_t> whole = parsePlainInteger(number)) {
    int64_t product = 0;
    if (__builtin_mul_overflow(*whole, unit, &product))
      return std::nullopt;
    return product;
  }
  std::optional<double> real = parsePlainReal(number);
  if (!real)
    return std::nullopt;
  double product = *real * double(unit);
  // Beyond 2^53 a double no longer names one integer.
  if (product != std::floor(product) || std::fabs(product) > 9007199254740992.0)
    return std::nullopt;
  return int64_t(product);
}

bool consumeSuffix(std::string_view &text, std::string_view suffix) {
  if (text.size() <= suffix.size() || !text.ends_with(suffix))
    return false;
  text.remove_suffix(suffix.size());
  return true;
}

} // namespace

std::optional<int64_t> parseInteger(std::string_view text) {
  if (consumeSuffix(text, "k"))
    return parseScaled(text, 1000);
  if (consumeSuffix(text, "M"))
    return parseScaled(text, 1000000);
  if (consumeSuffix(text, "B"))
    return parseScaled(text, 1000000000);
  return parseScaled(text, 1);
}

std::optional<double> parseReal(std::string_view text) {
  return parsePlainReal(text);
}

std::optional<int64_t> parseBytes(std::string_view text) {
  if (consumeSuffix(text, "KiB"))
    return parseScaled(text, int64_t(1) << 10);
  if (consumeSuffix(text, "MiB"))
    return parseScaled(text, int64_t(1) << 20);
  if (consumeSuffix(text, "GiB"))
    return parseScaled(text, int64_t(1) << 30);
  if (consumeSuffix(text, "TiB"))
    return parseScaled(text, int64_t(1) << 40);
  return parseScaled(text, 1);
}

std::optional<double> parseDuration(std::string_view text) {
  double unit = 0;
  if (consumeSuffix(text, "s"))
    unit = 1;
  else if (consumeSuffix(text, "m"))
    unit = 60;
  else if (consumeSuffix(text, "h"))
    unit = 3600;
  else if (consumeSuffix(text, "d"))
    unit = 86400;
  else
    return std::nullopt;
  std::optional<double> number = parsePlainReal(text);
  if (!number || !std::isfinite(*number * unit))
    return std::nullopt;
  return *number * unit;
}

std::optional<bool> parseBoolean(std::string_view text) {
  if (text == "true")
    return true;
  if (text == "false")
    return false;
  return std::nullopt;
}

bool fitsFloat(double value) {
  double size = std::fabs(value);
  return size == 0 || (size >= double(std::numeric_limits<float>::min()) &&
                       size <= double(std::numeric_limits<float>::max()));
}

Value toValue(const Node &node) {
  switch (node.kind) {
  case Node::Kind::Null:
    return Value{};
  case Node::Kind::Sequence: {
    Value::List list;
    for (const Node &item : node.items)
      list.push_back(toValue(item));
    return Value{std::move(list)};
  }
  case Node::Kind::Map: {
    Value::Map map;
    for (const Entry &entry : node.entries)
      map.emplace_back(entry.key, toValue(entry.value));
    return Value{std::move(map)};
  }
  case Node::Kind::Scalar:
    break;
  }
  if (node.quoted)
    return Value{node.text};
  if (std::optional<bool> boolean = parseBoolean(node.text))
    return Value{*boolean};
  // `1e6` is a real in JSON and in YAML; where an integer is wanted, whoever
  // wants it accepts a real without a fraction.
  if (std::optional<int64_t> integer = parsePlainInteger(node.text))
    return Value{*integer};
  if (std::optional<double> real = parseReal(node.text))
    return Value{*real};
  if (std::optional<int64_t> integer = parseInteger(node.text))
    return Value{*integer};
  return Value{node.text};
}

std::string describe(const Node &node) {
  switch (node.kind) {
  case Node::Kind::Null:
    return "null";
  case Node::Kind::Sequence:
    return "a list";
  case Node::Kind::Map:
    return "a map";
  case Node::Kind::Scalar:
    break;
  }
  std::string text = node.text;
  if (text.size() > 60) {
    text.resize(57);
    text += "...";
  }
  return node.quoted ? textToJson(text) : text;
}

} // namespace llmc::frontend

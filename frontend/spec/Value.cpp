// Comparing and printing values.
#include "frontend/spec/Value.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace llmc::frontend {

std::optional<double> Value::asReal() const {
  if (const auto *real = std::get_if<double>(&data))
    return *real;
  if (const auto *integer = std::get_if<int64_t>(&data))
    return double(*integer);
  return std::nullopt;
}

const Value *Value::find(const std::string &key) const {
  if (const Map *map = asMap())
    for (const auto &[name, value] : *map)
      if (name == key)
        return &value;
  return nullptr;
}

bool operator==(const Value &a, const Value &b) {
  if (a.data.index() == b.data.index())
    return a.data == b.data;
  std::optional<double> realA = a.asReal(), realB = b.asReal();
  return realA && realB && *realA == *realB;
}

bool operator==(const ValueMember &a, const ValueMember &b) {
  return a.first == b.first && a.second == b.second;
}

std::string realToJson(double value) {
  char buffer[40];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".en") == std::string::npos)
    text += ".0";
  return text;
}

std::string textToJson(const std::string &text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += char(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20 || c == 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
      out += escaped;
    } else {
      out += char(c);
    }
  }
  return out + "\"";
}

namespace {

struct JsonPrinter {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return realToJson(value); }
  std::string operator()(const std::string &value) const {
    return textToJson(value);
  }
  std::string operator()(const Value::List &list) const {
    std::string out = "[";
    for (size_t i = 0; i < list.size(); ++i)
      out += (i ? ", " : "") + toJson(list[i]);
    return out + "]";
  }
  std::string operator()(const Value::Map &map) const {
    std::string out = "{";
    for (size_t i = 0; i < map.size(); ++i)
      out += (i ? ", " : "") + textToJson(map[i].first) + ": " +
             toJson(map[i].second);
    return out + "}";
  }
};

} // namespace

std::string toJson(const Value &value) {
  return std::visit(JsonPrinter(), value.data);
}

} // namespace llmc::frontend

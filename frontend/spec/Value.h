// The values of sizes and expressions of the model library.
#ifndef LLMC_FRONTEND_SPEC_VALUE_H
#define LLMC_FRONTEND_SPEC_VALUE_H

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace llmc::frontend {

struct ValueMember;

/// Null, boolean, integer, real, text, list or map (in the order written).
struct Value {
  using List = std::vector<Value>;
  using Map = std::vector<ValueMember>;
  std::variant<std::monostate, bool, int64_t, double, std::string, List, Map>
      data;

  bool isNull() const { return data.index() == 0; }
  const bool *asBool() const { return std::get_if<bool>(&data); }
  const int64_t *asInt() const { return std::get_if<int64_t>(&data); }
  const std::string *asText() const { return std::get_if<std::string>(&data); }
  const List *asList() const { return std::get_if<List>(&data); }
  const Map *asMap() const { return std::get_if<Map>(&data); }
  /// Integers count as reals.
  std::optional<double> asReal() const;
  const Value *find(const std::string &key) const;
};

struct ValueMember {
  std::string first; // the key
  Value second;
};

/// Integers and reals of equal value are equal.
bool operator==(const Value &a, const Value &b);
bool operator==(const ValueMember &a, const ValueMember &b);

/// As JSON, which is YAML too; reals in the shortest form that reads back.
std::string toJson(const Value &value);
std::string realToJson(double value);
std::string textToJson(const std::string &text);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_VALUE_H

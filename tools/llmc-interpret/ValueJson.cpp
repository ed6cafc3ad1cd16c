// Values to and from JSON.
#include "tools/llmc-interpret/ValueJson.h"

#include <cmath>
#include <limits>

namespace llmc::interpret {
namespace {

using reference::Value;

rt::Json numberToJson(double number) {
  if (std::isfinite(number))
    return number;
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

std::optional<double> numberFromJson(const rt::Json &json) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (json.is_number())
    return json.get<double>();
  if (json == "inf")
    return infinity;
  if (json == "-inf")
    return -infinity;
  if (json == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

} // namespace

rt::Json valueToJson(const Value &value) {
  rt::Json data = rt::Json::array();
  for (double element : value.data)
    data.push_back(numberToJson(element));
  rt::Json json;
  json["shape"] = value.shape;
  json["data"] = std::move(data);
  return json;
}

rt::Expected<Value> valueFromJson(const rt::Json &json,
                                  const std::string &what) {
  if (std::optional<double> number = numberFromJson(json))
    return Value::scalar(*number);
  auto shape = json.find("shape"), data = json.find("data");
  if (!json.is_object() || shape == json.end() || data == json.end() ||
      !shape->is_array() || !data->is_array())
    return rt::Status::error(
        what + ": expected a number, or an object with a shape and data");
  Value value;
  uint64_t elements = 1;
  for (const rt::Json &size : *shape) {
    if (!size.is_number_unsigned())
      return rt::Status::error(what + ": a size is no whole number");
    value.shape.push_back(size.get<int64_t>());
    if (__builtin_mul_overflow(elements, size.get<uint64_t>(), &elements))
      return rt::Status::error(what + ": the shape is too large");
  }
  if (elements != data->size())
    return rt::Status::error(what + ": the shape has " +
                             std::to_string(elements) + " elements, the data " +
                             std::to_string(data->size()));
  for (const rt::Json &element : *data) {
    std::optional<double> number = numberFromJson(element);
    if (!number)
      return rt::Status::error(what + ": an element is no number");
    value.data.push_back(*number);
  }
  return value;
}

} // namespace llmc::interpret

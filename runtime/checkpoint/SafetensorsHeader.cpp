// A streaming parser, so that memory stays in proportion to what is valid, and
// the checks of the table.
#include "runtime/checkpoint/SafetensorsHeader.h"

#include "runtime/base/Json.h"

#include <algorithm>
#include <limits>

namespace llmc::rt {

std::string shapeText(const Shape &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

namespace {
constexpr size_t maxDimensions = 32;

/// Receives the events of the JSON parser.
class HeaderHandler {
public:
  using Exception = nlohmann::detail::exception;

  std::vector<TensorEntry> entries;
  std::string error;

  bool null() { return unexpected("null"); }
  bool boolean(bool) { return unexpected("a boolean"); }
  bool number_integer(int64_t) { return unexpected("a negative number"); }
  bool number_float(double, const std::string &) {
    return unexpected("a number with a fraction");
  }
  bool binary(std::vector<uint8_t> &) { return unexpected("binary data"); }

  bool number_unsigned(uint64_t value) {
    if (where == Where::Shape)
      return addDimension(value);
    if (where != Where::Offsets)
      return unexpected("a number");
    if (offsets == 2)
      return fail("data_offsets of tensor '" + entries.back().name +
                  "' has more than two numbers");
    (offsets == 0 ? entries.back().begin : entries.back().end) = value;
    ++offsets;
    return true;
  }

  bool string(std::string &value) {
    if (where == Where::Metadata)
      return true;
    if (where != Where::Tensor || field != "dtype")
      return unexpected("a string");
    entries.back().dtype = findDType(value);
    if (!entries.back().dtype)
      return fail("tensor '" + entries.back().name + "' has unknown dtype '" +
                  value + "'");
    return true;
  }

  bool start_object(std::size_t) {
    if (where == Where::Outside)
      where = Where::Top;
    else if (where == Where::Top)
      where = isMetadata ? Where::Metadata : Where::Tensor;
    else
      return unexpected("an object");
    return true;
  }

  bool end_object() {
    if (where == Where::Tensor && seen != 7)
      return fail("tensor '" + entries.back().name +
                  "' needs dtype, shape and data_offsets");
    where = where == Where::Top ? Where::Outside : Where::Top;
    return true;
  }

  bool start_array(std::size_t) {
    if (where != Where::Tensor || field == "dtype")
      return unexpected("a list");
    where = field == "shape" ? Where::Shape : Where::Offsets;
    offsets = 0;
    return true;
  }

  bool end_array() {
    if (where == Where::Offsets && offsets != 2)
      return fail("data_offsets of tensor '" + entries.back().name +
                  "' needs two numbers");
    where = Where::Tensor;
    return true;
  }

  bool key(std::string &name) {
    if (where == Where::Top)
      return startEntry(name);
    return where == Where::Tensor ? startField(name) : true;
  }

  bool parse_error(std::size_t position, const std::string &,
                   const Exception &) {
    return fail("the header is not valid JSON at its byte " +
                std::to_string(position));
  }

private:
  enum class Where { Outside, Top, Metadata, Tensor, Shape, Offsets };

  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }
  bool unexpected(const char *what) {
    return fail("the header holds " + std::string(what) + " in " +
                (entries.empty() ? std::string("its first entry")
                                 : "entry '" + entries.back().name + "'") +
                ", where safetensors has none");
  }

  bool startEntry(std::string &name) {
    // Names go to the terminal in messages.
    for (char c : name)
      if (uint8_t(c) < 0x20 || c == 0x7F)
        return fail("the name of a tensor holds a control character");
    isMetadata = name == "__metadata__";
    if (isMetadata && std::exchange(hadMetadata, true))
      return fail("name '__metadata__' is given twice");
    seen = 0;
    if (!isMetadata)
      entries.emplace_back().name = std::move(name);
    return true;
  }

  bool startField(const std::string &name) {
    static const char *const fields[] = {"dtype", "shape", "data_offsets"};
    for (int i = 0; i < 3; ++i) {
      if (name != fields[i])
        continue;
      if (seen & 1 << i)
        return fail("tensor '" + entries.back().name + "' has " + name +
                    " twice");
      seen |= 1 << i;
      field = name;
      return true;
    }
    return fail("tensor '" + entries.back().name +
                "' has an unknown key, expected dtype, shape and data_offsets");
  }

  bool addDimension(uint64_t size) {
    Shape &shape = entries.back().shape;
    if (shape.size() == maxDimensions)
      return fail("tensor '" + entries.back().name + "' has more than " +
                  std::to_string(maxDimensions) + " dimensions");
    if (size > uint64_t(std::numeric_limits<int64_t>::max()))
      return fail("tensor '" + entries.back().name + "' has a dimension of " +
                  std::to_string(size));
    shape.push_back(int64_t(size));
    return true;
  }

  Where where = Where::Outside;
  bool isMetadata = false, hadMetadata = false;
  /// Which of the three fields the tensor has, as bits.
  int seen = 0;
  std::string field;
  int offsets = 0;
};
} // namespace

/// The empty string, or what is wrong with the entry on its own.
static std::string checkEntry(TensorEntry &entry) {
  std::string who = "tensor '" + entry.name + "'";
  if (entry.begin > entry.end)
    return who + " begins at byte " + std::to_string(entry.begin) +
           " behind its end " + std::to_string(entry.end);
  uint64_t elements = 1, bits;
  bool overflow = false;
  for (int64_t size : entry.shape)
    overflow |= __builtin_mul_overflow(elements, uint64_t(size), &elements);
  overflow |= __builtin_mul_overflow(elements, entry.dtype->bits, &bits);
  if (overflow)
    return who + " of shape " + shapeText(entry.shape) +
           " has more than 2^64 bits";
  entry.elements = elements;
  uint64_t bytes = entry.end - entry.begin;
  if (bits % 8 != 0 || bytes != bits / 8)
    return who + " has " + std::to_string(bytes) + " bytes, expected " +
           std::to_string(bits / 8) + " for " + std::string(entry.dtype->name) +
           " " + shapeText(entry.shape);
  return "";
}

/// The empty string, or what is wrong with the places of the tensors.
static std::string checkLayout(const std::vector<TensorEntry> &entries,
                               uint64_t dataBytes) {
  std::vector<const TensorEntry *> byPlace;
  for (const TensorEntry &entry : entries)
    byPlace.push_back(&entry);
  std::sort(byPlace.begin(), byPlace.end(), [](auto *a, auto *b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  uint64_t at = 0;
  const TensorEntry *last = nullptr;
  for (const TensorEntry *entry : byPlace) {
    if (entry->begin < at)
      return "tensors '" + last->name + "' and '" + entry->name +
             "' overlap at byte " + std::to_string(entry->begin) +
             " of the data";
    if (entry->begin > at && entry->end > dataBytes)
      return "the offset of tensor '" + entry->name +
             "' is out of range: it ends at byte " +
             std::to_string(entry->end) + " of " + std::to_string(dataBytes) +
             " bytes of data";
    if (entry->begin > at)
      return "bytes " + std::to_string(at) + " to " +
             std::to_string(entry->begin) +
             " of the data belong to no tensor, there is a hole before '" +
             entry->name + "'";
    at = entry->end;
    last = entry;
  }
  if (at > dataBytes)
    return "the file is truncated: " + std::to_string(dataBytes) +
           " bytes of data, expected " + std::to_string(at);
  if (at < dataBytes)
    return "the file is too long: " + std::to_string(dataBytes) +
           " bytes of data, expected " + std::to_string(at);
  return "";
}

Expected<std::vector<TensorEntry>>
parseSafetensorsHeader(std::string_view json, uint64_t dataBytes,
                       const std::string &path) {
  auto failure = [&](const std::string &message) {
    return Status::error("'" + path + "': " + message);
  };
  if (json.empty() || json.front() != '{')
    return failure("the header does not begin with '{'");
  HeaderHandler handler;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &handler))
    return failure(handler.error);

  std::vector<TensorEntry> &entries = handler.entries;
  std::sort(entries.begin(), entries.end(),
            [](auto &a, auto &b) { return a.name < b.name; });
  for (size_t i = 1; i < entries.size(); ++i)
    if (entries[i].name == entries[i - 1].name)
      return failure("tensor '" + entries[i].name + "' is given twice");
  for (TensorEntry &entry : entries)
    if (std::string message = checkEntry(entry); !message.empty())
      return failure(message);
  if (std::string message = checkLayout(entries, dataBytes); !message.empty())
    return failure(message);
  return std::move(entries);
}

} // namespace llmc::rt

// A wrapper of the JSON library that never aborts on hostile text.
#include "runtime/base/Json.h"

#include "runtime/base/File.h"

#include <limits>
#include <set>
#include <vector>

namespace llmc::rt {

static constexpr size_t maxTextBytes = size_t(16) << 20;
static constexpr int maxDepth = 64;

Expected<Json> parseJson(std::string_view text, const std::string &what) {
  if (text.size() > maxTextBytes)
    return Status::error("'" + what + "': " + std::to_string(text.size()) +
                         " bytes of JSON, expected at most " +
                         std::to_string(maxTextBytes));

  std::vector<std::set<std::string>> keys;
  std::string duplicate;
  bool tooDeep = false;
  // The library keeps the last of two equal keys in silence: collect them here.
  auto watch = [&](int depth, Json::parse_event_t event, Json &parsed) {
    if (depth > maxDepth) {
      tooDeep = true;
      return false;
    }
    if (event == Json::parse_event_t::object_start)
      keys.emplace_back();
    else if (event == Json::parse_event_t::object_end)
      keys.pop_back();
    else if (event == Json::parse_event_t::key &&
             !keys.back().insert(parsed.get_ref<std::string &>()).second &&
             duplicate.empty())
      duplicate = parsed.get_ref<std::string &>();
    return true;
  };
  Json tree = Json::parse(text.begin(), text.end(), watch,
                          /*allow_exceptions=*/false);
  if (tooDeep)
    return Status::error("'" + what + "': JSON nested deeper than " +
                         std::to_string(maxDepth) + " levels");
  if (tree.is_discarded())
    return Status::error("'" + what + "': not valid JSON");
  if (!duplicate.empty())
    return Status::error("'" + what + "': key '" + duplicate +
                         "' is given twice");
  return tree;
}

Expected<Json> readJsonFile(const std::string &path) {
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeStatus();
  return parseJson(file->text(), path);
}

static Status wrongMember(const std::string &key, const std::string &what,
                          const char *expected, const Json *found) {
  return Status::error("'" + what + "': key '" + key + "' " +
                       (found ? "is " + std::string(found->type_name())
                              : std::string("is missing")) +
                       ", expected " + expected);
}

static const Json *findMember(const Json &object, const std::string &key) {
  if (!object.is_object())
    return nullptr;
  auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

Expected<std::string> jsonString(const Json &object, const std::string &key,
                                 const std::string &what) {
  const Json *member = findMember(object, key);
  if (!member || !member->is_string())
    return wrongMember(key, what, "a string", member);
  return member->get_ref<const std::string &>();
}

Expected<int64_t> jsonInteger(const Json &object, const std::string &key,
                              const std::string &what) {
  const Json *member = findMember(object, key);
  bool fits = member && member->is_number_integer() &&
              !(member->is_number_unsigned() &&
                member->get<uint64_t>() >
                    uint64_t(std::numeric_limits<int64_t>::max()));
  if (!fits)
    return wrongMember(key, what, "an integer of 64 bits", member);
  return member->get<int64_t>();
}

std::string dumpJson(const Json &value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace llmc::rt

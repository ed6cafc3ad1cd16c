// The checks of the reader.
#include "runtime/executor/SettingsJson.h"

#include <limits>

namespace llmc::rt {

const Json *SettingsReader::find(const char *key, const char *expected,
                                 bool (Json::*is)() const noexcept) {
  if (!failure.empty())
    return nullptr;
  seen(key);
  auto it = current->find(key);
  if (it == current->end()) {
    fail(key, "is missing, expected " + std::string(expected));
    return nullptr;
  }
  if (!((*it).*is)()) {
    fail(key, "is " + dumpJson(*it) + ", expected " + expected);
    return nullptr;
  }
  return &*it;
}

void SettingsReader::field(const char *key, int64_t &value) {
  const Json *member = find(key, "an integer", &Json::is_number_integer);
  if (!member)
    return;
  if (member->is_number_unsigned() &&
      member->get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max()))
    return fail(key, "is " + dumpJson(*member) + ", expected 64 bits");
  value = member->get<int64_t>();
}

void SettingsReader::field(const char *key, std::vector<std::string> &value) {
  const Json *member = find(key, "a list of strings", &Json::is_array);
  if (!member)
    return;
  value.clear();
  for (const Json &entry : *member) {
    if (!entry.is_string())
      return fail(key,
                  "has an entry " + dumpJson(entry) + ", expected a string");
    value.push_back(entry.get<std::string>());
  }
}

void SettingsReader::field(const char *key, std::vector<double> &value) {
  const Json *member = find(key, "a list of numbers", &Json::is_array);
  if (!member)
    return;
  value.clear();
  for (const Json &entry : *member) {
    if (!entry.is_number())
      return fail(key,
                  "has an entry " + dumpJson(entry) + ", expected a number");
    value.push_back(entry.get<double>());
  }
}

void SettingsReader::field(const char *key, std::vector<SourceSpec> &value) {
  const Json *member = find(key, "a list of sources", &Json::is_array);
  if (!member)
    return;
  value.clear();
  for (const Json &entry : *member) {
    SettingsReader source(entry, path);
    source.prefix = prefix + key + ".";
    SourceSpec spec;
    if (source.failure.empty()) {
      source.field("paths", spec.paths);
      source.field("weight", spec.weight);
      source.finish();
    }
    if (!source.failure.empty()) {
      failure = source.failure;
      return;
    }
    value.push_back(std::move(spec));
  }
}

void SettingsReader::finish() {
  if (!failure.empty())
    return;
  for (auto &[key, value] : current->items())
    if (!seenKeys.contains(prefix + key))
      return fail(key, "is not a setting");
}

} // namespace llmc::rt

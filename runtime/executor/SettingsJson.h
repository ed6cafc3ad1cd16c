// A reader and a writer with the same interface, so that the fields of a struct
// are listed once. The reader keeps the first error.
#ifndef LLMC_RUNTIME_EXECUTOR_SETTINGSJSON_H
#define LLMC_RUNTIME_EXECUTOR_SETTINGSJSON_H

#include "runtime/base/Json.h"
#include "runtime/data/BatchReader.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace llmc::rt {

template <typename T> struct EnumName {
  const char *name;
  T value;
};

class SettingsWriter {
public:
  template <typename T> void field(const char *key, const T &value) {
    (*current)[key] = value;
  }
  template <typename T>
  void field(const char *key, const std::optional<T> &value) {
    (*current)[key] = value ? Json(*value) : Json(nullptr);
  }
  void field(const char *key, const std::vector<SourceSpec> &sources) {
    Json list = Json::array();
    for (const SourceSpec &source : sources)
      list.push_back({{"paths", source.paths}, {"weight", source.weight}});
    (*current)[key] = std::move(list);
  }
  template <typename T, size_t N>
  void choice(const char *key, const T &value, const EnumName<T> (&names)[N]) {
    for (const EnumName<T> &name : names)
      if (name.value == value)
        (*current)[key] = name.name;
  }
  template <typename Body> void section(const char *key, Body body) {
    Json *outer = current;
    Json inner = Json::object();
    current = &inner;
    body();
    current = outer;
    (*current)[key] = std::move(inner);
  }

  Json take() { return std::move(root); }

private:
  Json root = Json::object();
  Json *current = &root;
};

class SettingsReader {
public:
  SettingsReader(const Json &root, const std::string &path)
      : root(root), path(path), current(&this->root) {
    if (!root.is_object())
      failure = "is " + std::string(root.type_name()) + ", expected an object";
  }

  void field(const char *key, std::string &value) {
    if (const Json *member = find(key, "a string", &Json::is_string))
      value = member->get<std::string>();
  }
  void field(const char *key, bool &value) {
    if (const Json *member = find(key, "true or false", &Json::is_boolean))
      value = member->get<bool>();
  }
  void field(const char *key, double &value) {
    if (const Json *member = find(key, "a number", &Json::is_number))
      value = member->get<double>();
  }
  void field(const char *key, int64_t &value);
  void field(const char *key, uint64_t &value) {
    if (const Json *member =
            find(key, "an integer of at least 0", &Json::is_number_unsigned))
      value = member->get<uint64_t>();
  }
  template <typename T> void field(const char *key, std::optional<T> &value) {
    if (auto it = current->find(key); it != current->end() && it->is_null()) {
      seen(key);
      value = std::nullopt;
      return;
    }
    field(key, value.emplace());
  }
  void field(const char *key, std::vector<std::string> &value);
  void field(const char *key, std::vector<double> &value);
  void field(const char *key, std::vector<SourceSpec> &value);
  template <typename T, size_t N>
  void choice(const char *key, T &value, const EnumName<T> (&names)[N]) {
    std::string text;
    field(key, text);
    if (!failure.empty())
      return;
    std::string expected;
    for (const EnumName<T> &name : names) {
      if (text == name.name) {
        value = name.value;
        return;
      }
      expected += (expected.empty() ? "" : ", ") + std::string(name.name);
    }
    fail(key, "is '" + text + "', expected one of " + expected);
  }
  template <typename Body> void section(const char *key, Body body) {
    const Json *member = find(key, "an object", &Json::is_object);
    if (!member)
      return;
    const Json *outer = current;
    std::string outerPrefix = prefix;
    current = member;
    prefix += std::string(key) + ".";
    body();
    finish();
    current = outer;
    prefix = outerPrefix;
  }

  /// A key that was not asked for is an error.
  void finish();

  Status status() const {
    return failure.empty() ? Status::success()
                           : Status::error("'" + path + "': " + failure);
  }

private:
  const Json *find(const char *key, const char *expected,
                   bool (Json::*is)() const noexcept);
  void fail(const std::string &key, const std::string &what) {
    if (failure.empty())
      failure = prefix + key + " " + what;
  }
  void seen(const char *key) { seenKeys.insert(prefix + key); }

  const Json &root;
  std::string path;
  std::string prefix;
  /// The section that is being read.
  const Json *current;
  /// Every key that was asked for, with its sections.
  std::set<std::string> seenKeys;
  std::string failure;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_SETTINGSJSON_H

// Printing a loaded spec so that it can be loaded again.
#include "frontend/spec/Resolve.h"
#include "frontend/spec/Schema.h"
#include "frontend/spec/Value.h"

#include <algorithm>
#include <filesystem>

namespace llmc::frontend {

namespace {

std::string fromOf(const Spec &spec, const std::string &key) {
  auto it = spec.origins.find(key);
  if (it == spec.origins.end() || it->second.origin == Origin::Default)
    return "default";
  const KeyOrigin &from = it->second;
  if (from.origin == Origin::Library)
    return "library";
  if (from.origin == Origin::Set)
    return from.mark.file;
  return std::filesystem::path(from.mark.file).filename().string() + ":" +
         std::to_string(from.mark.line);
}

std::string absolute(const std::string &path) {
  std::error_code fault;
  std::filesystem::path full = std::filesystem::absolute(path, fault);
  return textToJson(fault ? path : full.lexically_normal().string());
}

/// The value as it can be loaded from any folder.
std::string portable(const SchemaKey &key, const Spec &spec) {
  if (key.path == "model.use") {
    bool isFile = spec.model.use.find('/') != std::string::npos ||
                  spec.model.use.ends_with(".yaml");
    return isFile ? absolute(spec.model.libraryFile)
                  : textToJson(spec.model.use);
  }
  std::string value = printKey(key, spec);
  if (key.type != KeyType::Path || value == "null")
    return value;
  Field field = key.field(const_cast<Spec &>(spec));
  if (auto *path = std::get_if<std::string *>(&field))
    return absolute(**path);
  return absolute(***std::get_if<std::optional<std::string> *>(&field));
}

/// Keys that would be an error or a warning if they were written.
bool isLeftOut(const SchemaKey &key, const Spec &spec) {
  const std::string &path = key.path;
  const bool isAdam = spec.train.optimizer.name == "adamw";
  const std::string &schedule = spec.train.lrSchedule.name;
  if (path == "model.config") // its sizes are written out
    return true;
  if (path == "model.sliding_window")
    return !spec.model.slidingWindowGiven;
  if (path == "data.train")
    return spec.data.train.empty();
  if (path == "train.train_steps")
    return !spec.train.trainSteps;
  if (path == "train.train_tokens")
    return !spec.train.trainTokens;
  if (path == "data.epochs")
    return !spec.data.epochs;
  if (path == "train.optimizer.betas" || path == "train.optimizer.eps")
    return !isAdam;
  if (path == "train.optimizer.momentum")
    return isAdam;
  if (path == "train.lr_schedule.min_lr" ||
      path == "train.lr_schedule.end_step")
    return schedule == "constant";
  if (path == "train.lr_schedule.decay_steps" ||
      path == "train.lr_schedule.shape")
    return schedule != "wsd";
  return false;
}

/// The parts of a dotted key.
std::vector<std::string> split(const std::string &key) {
  std::vector<std::string> parts;
  size_t at = 0;
  for (size_t dot; (dot = key.find('.', at)) != std::string::npos; at = dot + 1)
    parts.push_back(key.substr(at, dot - at));
  parts.push_back(key.substr(at));
  return parts;
}

/// How many leading parts two keys share, the last part of each not counted.
size_t sharedSections(const std::vector<std::string> &a,
                      const std::vector<std::string> &b) {
  size_t n = 0;
  while (n + 1 < a.size() && n + 1 < b.size() && a[n] == b[n])
    ++n;
  return n;
}

} // namespace

std::vector<ResolvedKey> resolveKeys(const Spec &spec,
                                     const Architecture &arch) {
  std::vector<ResolvedKey> keys;
  bool wroteSizes = false;
  for (const SchemaKey &key : schema()) {
    if (!wroteSizes && key.path == "model.sliding_window") {
      for (const auto &[name, value] : arch.sizes)
        keys.push_back(
            {"model." + name, toJson(value), fromOf(spec, "model." + name)});
      wroteSizes = true;
    }
    bool isSize =
        key.path == "model.sliding_window" && arch.findSize("sliding_window");
    if (!isSize && !isLeftOut(key, spec))
      keys.push_back({key.path, portable(key, spec), fromOf(spec, key.path)});
  }
  return keys;
}

std::string resolvedText(const LoadedSpec &loaded) {
  std::string out;
  std::vector<std::string> last;
  for (const ResolvedKey &key : loaded.resolved) {
    std::vector<std::string> parts = split(key.key);
    size_t shared = sharedSections(last, parts);
    for (size_t i = shared; i + 1 < parts.size(); ++i)
      out += std::string(2 * i, ' ') + parts[i] + ":\n";
    std::string line = std::string(2 * (parts.size() - 1), ' ') + parts.back() +
                       ": " + key.value;
    constexpr size_t column = 48;
    line.resize(std::max(line.size() + 1, column), ' ');
    // Two lines from one --set would end the comment.
    std::string from = key.from;
    std::replace(from.begin(), from.end(), '\n', ' ');
    out += line + "# " + from + "\n";
    last = std::move(parts);
  }
  return out;
}

std::string resolvedJson(const LoadedSpec &loaded) {
  std::string out = "{";
  std::vector<std::string> last;
  for (const ResolvedKey &key : loaded.resolved) {
    std::vector<std::string> parts = split(key.key);
    size_t shared = sharedSections(last, parts);
    if (!last.empty()) {
      out += std::string(last.size() - 1 - shared, '}');
      out += ", ";
    }
    for (size_t i = shared; i + 1 < parts.size(); ++i)
      out += textToJson(parts[i]) + ": {";
    out += textToJson(parts.back()) + ": " + key.value;
    last = std::move(parts);
  }
  if (!last.empty())
    out += std::string(last.size() - 1, '}');
  return out + "}";
}

} // namespace llmc::frontend

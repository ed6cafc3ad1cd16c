// The outcome of a run as a small JSON file.
#include "runtime/metrics/Summary.h"

#include "runtime/base/File.h"
#include "runtime/base/Json.h"

#include <cmath>

namespace llmc::rt {

static Json number(std::optional<double> value) {
  if (!value)
    return nullptr;
  if (std::isnan(*value))
    return "nan";
  if (std::isinf(*value))
    return *value > 0 ? "inf" : "-inf";
  return *value;
}

static Json text(const std::string &value) {
  return value.empty() ? Json(nullptr) : Json(value);
}

Status writeSummary(const std::string &path, const RunSummary &summary) {
  Json json = Json::object();
  json["outcome"] = summary.outcome;
  json["reason"] = text(summary.reason);
  json["name"] = summary.name;
  json["steps"] = summary.steps;
  json["planned_steps"] = summary.plannedSteps;
  json["total_tokens"] = summary.totalTokens;
  json["loss"] = number(summary.loss);
  json["validation_loss"] = number(summary.validationLoss);
  json["seconds"] = number(summary.seconds);
  json["memory_bytes"] = summary.memoryBytes;
  json["windows_left"] = summary.windowsLeft;
  json["checkpoint"] = text(summary.checkpoint);
  return writeFileAtomically(
      path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

} // namespace llmc::rt

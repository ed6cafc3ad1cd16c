// Runs of a module: printing, storing and comparing what they give.
#include "tools/llmc-interpret/Outcome.h"
#include "tools/llmc-interpret/ValueJson.h"

#include "llvm/Support/Format.h"

#include <cmath>

namespace llmc::interpret {

using reference::Value;

mlir::FailureOr<Outcome> runEntry(mlir::ModuleOp module,
                                  const std::string &entry, Inputs inputs) {
  Outcome outcome;
  auto runner = reference::StepRunner::create(module, std::move(inputs.state));
  if (!runner)
    return mlir::failure();
  std::vector<reference::Results> results;
  if (entry == "train") {
    mlir::FailureOr<reference::StepResult> step =
        runner->runStep(inputs.microbatches, inputs.scalars);
    if (mlir::failed(step))
      return mlir::failure();
    results = std::move(step->microbatches);
    mlir::FailureOr<reference::State> state = runner->state();
    if (mlir::failed(state))
      return mlir::failure();
    outcome.sections["norm"]["gradients"] = Value::scalar(step->gradientNorm);
    outcome.sections["gradients"] = std::move(state->gradients);
    outcome.sections["parameters"] = std::move(state->parameters);
  } else {
    for (const reference::Results &arguments : inputs.microbatches) {
      auto yielded = runner->runEntry(entry, arguments, inputs.scalars);
      if (mlir::failed(yielded))
        return mlir::failure();
      results.push_back(std::move(*yielded));
    }
  }
  for (auto [m, yielded] : llvm::enumerate(results))
    for (auto [i, value] : llvm::enumerate(yielded))
      outcome.sections["results"][std::to_string(m) + "." + std::to_string(i)] =
          value;
  return outcome;
}

void printOutcome(const Outcome &outcome, llvm::raw_ostream &os) {
  for (const auto &[section, values] : outcome.sections)
    for (const auto &[name, value] : values) {
      os << section << " " << name << " [";
      llvm::interleave(value.shape, os, "x");
      os << "]:";
      for (double element : value.data)
        os << llvm::format(" %.12g", element);
      os << "\n";
    }
}

rt::Json outcomeToJson(const Outcome &outcome) {
  rt::Json json = rt::Json::object();
  for (const auto &[section, values] : outcome.sections) {
    json[section] = rt::Json::object();
    for (const auto &[name, value] : values)
      json[section][name] = valueToJson(value);
  }
  return json;
}

rt::Expected<Outcome> readOutcome(const std::string &path) {
  rt::Expected<rt::Json> json = rt::readJsonFile(path);
  if (!json)
    return rt::Status::error(json.message());
  Outcome outcome;
  for (const auto &[section, values] : json->items()) {
    if (!values.is_object())
      return rt::Status::error(path + ": '" + section + "' is no object");
    for (const auto &[name, entry] : values.items()) {
      rt::Expected<Value> value =
          valueFromJson(entry, path + ": " + section + " " + name);
      if (!value)
        return rt::Status::error(value.message());
      outcome.sections[section][name] = *value;
    }
  }
  return outcome;
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double largestOf(const Value &value) {
  double largest = 0;
  for (double element : value.data)
    if (std::isfinite(element))
      largest = std::max(largest, std::abs(element));
  return largest;
}

double differenceOf(const Value &a, const Value &b, double floor) {
  if (a.shape != b.shape)
    return infinity;
  double largest = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    bool same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    double difference = same ? 0 : std::abs(a[i] - b[i]);
    if (std::isnan(difference))
      return infinity;
    largest = std::max(largest, difference);
  }
  double scale = std::max(largestOf(b), floor);
  return largest == 0 ? 0 : largest / scale;
}

} // namespace

Difference compareOutcomes(const Outcome &a, const Outcome &b) {
  Difference worst;
  auto see = [&](double size, const std::string &where) {
    if (size > worst.size || worst.where.empty())
      worst = {size, where};
  };
  for (const auto &[section, values] : a.sections)
    for (const auto &[name, value] : values)
      if (!b.sections.count(section) || !b.sections.at(section).count(name))
        see(infinity, section + " " + name + ", which the second lacks");
  for (const auto &[section, values] : b.sections) {
    double floor = 0;
    for (const auto &[name, value] : values)
      floor = std::max(floor, 1e-3 * largestOf(value));
    for (const auto &[name, value] : values) {
      auto in = a.sections.find(section);
      if (in == a.sections.end() || !in->second.count(name))
        see(infinity, section + " " + name + ", which the first lacks");
      else
        see(differenceOf(in->second.at(name), value, floor),
            section + " " + name);
    }
  }
  return worst;
}

} // namespace llmc::interpret

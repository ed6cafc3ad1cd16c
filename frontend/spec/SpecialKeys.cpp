// Keys whose values are lists, maps or one of several forms.
#include "frontend/spec/SpecialKeys.h"
#include "frontend/spec/Layers.h"
#include "frontend/spec/Scalars.h"
#include "frontend/spec/Suggest.h"
#include "frontend/spec/Value.h"

#include <algorithm>
#include <filesystem>

namespace llmc::frontend {

namespace {

void refuse(const Node &node, const SchemaKey &key,
            DiagnosticList &diagnostics) {
  diagnostics.error(node.mark, key.path + " is " + describe(node) +
                                   ", expected " + key.expects);
}

void refuseItem(const Node &item, const SchemaKey &key,
                DiagnosticList &diagnostics) {
  diagnostics.error(item.mark, "an entry of " + key.path + " is " +
                                   describe(item) + ", expected " +
                                   key.expects);
}

std::optional<int64_t> integerOf(const Node &node) {
  if (!node.isScalar() || node.quoted)
    return std::nullopt;
  return parseInteger(node.text);
}

template <typename Range, typename Print>
std::string printList(const Range &range, Print print) {
  std::string out = "[";
  for (const auto &each : range)
    out += (out.size() > 1 ? ", " : "") + print(each);
  return out + "]";
}

/// first, last, N or N-M.
bool isLayerChoice(const std::string &text) {
  if (text == "first" || text == "last")
    return true;
  size_t dash = text.find('-');
  std::optional<int64_t> from = parseInteger(text.substr(0, dash));
  if (dash == std::string::npos)
    return from && *from >= 0;
  std::optional<int64_t> to = parseInteger(text.substr(dash + 1));
  return from && to && *from >= 0 && *from <= *to;
}

std::optional<std::string> pathOf(const Node &node) {
  if (!node.isScalar() || node.text.empty())
    return std::nullopt;
  return resolvePath(node.text, node.mark);
}

/// A path or a list of paths as one source.
bool readPaths(const Node &node, const SchemaKey &key, DataSource &source,
               DiagnosticList &diagnostics) {
  source.mark = node.mark;
  if (std::optional<std::string> path = pathOf(node)) {
    source.paths.push_back(*path);
    return true;
  }
  if (!node.isSequence() || node.items.empty()) {
    refuse(node, key, diagnostics);
    return false;
  }
  bool good = true;
  for (const Node &item : node.items) {
    std::optional<std::string> path = pathOf(item);
    if (path)
      source.paths.push_back(*path);
    else
      refuseItem(item, key, diagnostics);
    good &= path.has_value();
  }
  return good;
}

/// One `{path: ..., weight: ...}`.
void readWeighted(const Node &node, const SchemaKey &key, Spec &spec,
                  DiagnosticList &diagnostics) {
  DataSource source;
  source.mark = node.mark;
  for (const Entry &entry : node.entries) {
    if (entry.key == "path") {
      readPaths(entry.value, key, source, diagnostics);
    } else if (entry.key == "weight") {
      std::optional<double> weight;
      if (entry.value.isScalar() && !entry.value.quoted)
        weight = parseReal(entry.value.text);
      if (weight && *weight > 0)
        source.weight = *weight;
      else
        diagnostics.error(entry.value.mark, "data.train.weight is " +
                                                describe(entry.value) +
                                                ", expected a number above 0");
    } else {
      reportUnknownKey(entry, key.path, {"path", "weight"}, diagnostics);
    }
  }
  if (!node.find("path"))
    diagnostics.error(node.mark, "a source of data.train has no path, expected "
                                 "{path, weight}");
  spec.data.train.push_back(std::move(source));
}

std::string printPaths(const DataSource &source) {
  return printList(source.paths, [](const std::string &path) {
    std::error_code fault;
    std::filesystem::path full = std::filesystem::absolute(path, fault);
    return textToJson(fault ? path : full.string());
  });
}

} // namespace

void readSchemaVersion(const Node &node, const SchemaKey &key, Spec &,
                       DiagnosticList &diagnostics) {
  if (integerOf(node) != 1)
    diagnostics.error(node.mark, key.path + " is " + describe(node) +
                                     ", expected 1, the version of the schema");
}
std::string printSchemaVersion(const Spec &) { return "1"; }

void readSlidingWindow(const Node &node, const SchemaKey &key, Spec &spec,
                       DiagnosticList &diagnostics) {
  spec.model.slidingWindowGiven = true;
  if (node.isNull())
    return;
  std::optional<int64_t> window = integerOf(node);
  if (window && *window >= 1)
    spec.model.slidingWindow = window;
  else
    refuse(node, key, diagnostics);
}
std::string printSlidingWindow(const Spec &spec) {
  const auto &window = spec.model.slidingWindow;
  return window ? std::to_string(*window) : "null";
}

void readPipelineLayers(const Node &node, const SchemaKey &key, Spec &spec,
                        DiagnosticList &diagnostics) {
  if (node.isScalar() && node.text == "auto")
    return;
  if (!node.isSequence() || node.items.empty())
    return refuse(node, key, diagnostics);
  std::vector<int64_t> layers;
  for (const Node &item : node.items) {
    std::optional<int64_t> count = integerOf(item);
    if (count && *count >= 0 && *count <= INT32_MAX)
      layers.push_back(*count);
    else
      refuseItem(item, key, diagnostics);
  }
  spec.parallel.pipeline.layers = std::move(layers);
}
std::string printPipelineLayers(const Spec &spec) {
  const auto &layers = spec.parallel.pipeline.layers;
  if (!layers)
    return textToJson("auto");
  return printList(*layers, [](int64_t n) { return std::to_string(n); });
}

void readFp8Exclude(const Node &node, const SchemaKey &key, Spec &spec,
                    DiagnosticList &diagnostics) {
  if (!node.isSequence())
    return refuse(node, key, diagnostics);
  spec.precision.fp8.exclude.clear();
  for (const Node &item : node.items) {
    if (item.isScalar() && isLayerChoice(item.text))
      spec.precision.fp8.exclude.push_back(item.text);
    else
      refuseItem(item, key, diagnostics);
  }
}
std::string printFp8Exclude(const Spec &spec) {
  return printList(spec.precision.fp8.exclude, textToJson);
}

void readRecompute(const Node &node, const SchemaKey &key, Spec &spec,
                   DiagnosticList &diagnostics) {
  Recompute &recompute = spec.memory.recompute;
  if (node.isScalar() && (node.text == "none" || node.text == "full" ||
                          node.text == "selective")) {
    recompute.kind = node.text;
    return;
  }
  if (!node.isMap() || node.entries.empty())
    return refuse(node, key, diagnostics);
  for (const Entry &entry : node.entries) {
    if (entry.key != "budget") {
      reportUnknownKey(entry, key.path, {"budget"}, diagnostics);
      continue;
    }
    std::optional<int64_t> bytes;
    if (entry.value.isScalar() && !entry.value.quoted)
      bytes = parseBytes(entry.value.text);
    if (bytes && *bytes >= 1)
      recompute = {"budget", *bytes};
    else
      diagnostics.error(entry.value.mark, key.path + ".budget is " +
                                              describe(entry.value) +
                                              ", expected bytes such as "
                                              "512MiB");
  }
}
std::string printRecompute(const Spec &spec) {
  const Recompute &recompute = spec.memory.recompute;
  if (recompute.kind != "budget")
    return textToJson(recompute.kind);
  return "{\"budget\": " + std::to_string(recompute.budget) + "}";
}

void readBetas(const Node &node, const SchemaKey &key, Spec &spec,
               DiagnosticList &diagnostics) {
  if (!node.isSequence() || node.items.size() != 2)
    return refuse(node, key, diagnostics);
  for (size_t i = 0; i < 2; ++i) {
    const Node &item = node.items[i];
    std::optional<double> beta;
    if (item.isScalar() && !item.quoted)
      beta = parseReal(item.text);
    // Adam divides by 1 - beta^t, in float32.
    if (beta && *beta >= 0 && float(*beta) < 1)
      spec.train.optimizer.betas[i] = *beta;
    else
      refuseItem(item, key, diagnostics);
  }
}
std::string printBetas(const Spec &spec) {
  return printList(spec.train.optimizer.betas, realToJson);
}

void readWeightDecayExclude(const Node &node, const SchemaKey &key, Spec &spec,
                            DiagnosticList &diagnostics) {
  if (!node.isSequence())
    return refuse(node, key, diagnostics);
  spec.train.optimizer.weightDecayExclude.clear();
  for (const Node &item : node.items) {
    if (item.isScalar() && !item.text.empty())
      spec.train.optimizer.weightDecayExclude.push_back(item.text);
    else
      refuseItem(item, key, diagnostics);
  }
}
std::string printWeightDecayExclude(const Spec &spec) {
  return printList(spec.train.optimizer.weightDecayExclude, textToJson);
}

void readOnSpike(const Node &node, const SchemaKey &key, Spec &spec,
                 DiagnosticList &diagnostics) {
  if (node.isNull())
    return;
  if (!node.isMap())
    return refuse(node, key, diagnostics);
  OnSpike policy;
  for (const Entry &entry : node.entries) {
    std::optional<double> number;
    if (entry.value.isScalar() && !entry.value.quoted)
      number = parseReal(entry.value.text);
    std::optional<int64_t> integer = integerOf(entry.value);
    bool known =
        entry.key == "zscore" || entry.key == "window" || entry.key == "limit";
    if (!known)
      reportUnknownKey(entry, key.path, {"zscore", "window", "limit"},
                       diagnostics);
    else if (entry.key == "zscore" && number && *number > 0)
      policy.zscore = *number;
    else if (entry.key == "window" && integer && *integer >= 2)
      policy.window = *integer;
    else if (entry.key == "limit" && integer && *integer >= 1)
      policy.limit = *integer;
    else
      diagnostics.error(entry.value.mark, key.path + "." + entry.key + " is " +
                                              describe(entry.value) +
                                              ", expected a number above 0");
  }
  spec.train.onSpike = policy;
}
std::string printOnSpike(const Spec &spec) {
  const auto &policy = spec.train.onSpike;
  if (!policy)
    return "null";
  return "{\"zscore\": " + realToJson(policy->zscore) +
         ", \"window\": " + std::to_string(policy->window) +
         ", \"limit\": " + std::to_string(policy->limit) + "}";
}

void readTrainData(const Node &node, const SchemaKey &key, Spec &spec,
                   DiagnosticList &diagnostics) {
  bool weighted = node.isSequence() && !node.items.empty() &&
                  std::any_of(node.items.begin(), node.items.end(),
                              [](const Node &item) { return item.isMap(); });
  if (!weighted) {
    DataSource source;
    if (readPaths(node, key, source, diagnostics))
      spec.data.train.push_back(std::move(source));
    return;
  }
  const int errors = diagnostics.errorCount();
  for (const Node &item : node.items) {
    if (item.isMap())
      readWeighted(item, key, spec, diagnostics);
    else
      refuseItem(item, key, diagnostics);
  }
  if (diagnostics.errorCount() == errors && spec.data.train.size() > 1)
    diagnostics.error(node.mark, key.path + " with " +
                                     std::to_string(spec.data.train.size()) +
                                     " weighted sources is not implemented "
                                     "yet, expected one source");
}
std::string printTrainData(const Spec &spec) {
  const auto &sources = spec.data.train;
  if (sources.empty())
    return "null";
  if (sources.size() == 1)
    return printPaths(sources[0]);
  return printList(sources, [](const DataSource &source) {
    return "{\"path\": " + printPaths(source) +
           ", \"weight\": " + realToJson(source.weight) + "}";
  });
}

void readValidationData(const Node &node, const SchemaKey &key, Spec &spec,
                        DiagnosticList &diagnostics) {
  if (node.isNull())
    return;
  DataSource source;
  if (readPaths(node, key, source, diagnostics))
    spec.data.validation.push_back(std::move(source));
}
std::string printValidationData(const Spec &spec) {
  return spec.data.validation.empty() ? "null"
                                      : printPaths(spec.data.validation[0]);
}

} // namespace llmc::frontend

// Sizes by layer: spec over config.json over the library's defaults.
#include "frontend/spec/Sizes.h"
#include "frontend/spec/Config.h"
#include "frontend/spec/Expression.h"
#include "frontend/spec/Scalars.h"
#include "frontend/spec/Schema.h"

#include <cmath>
#include <set>

namespace llmc::frontend {

namespace {

std::string plain(const Value &value) {
  return value.asText() ? *value.asText() : toJson(value);
}

/// What a value of the same kind as the default looks like.
std::string expectedLike(const Value &model) {
  if (model.asBool())
    return "true or false";
  if (model.asInt())
    return "an integer of at least 1";
  if (model.asReal())
    return "a number of at least 0";
  if (model.asText())
    return "text";
  return "a map or null";
}

/// Makes `value` of the kind of `model`, or says that it is not.
bool conform(Value &value, const Value &model) {
  if (model.asBool())
    return value.asBool();
  if (model.asText())
    return value.asText();
  std::optional<double> real = value.asReal();
  if (model.asInt()) {
    if (!value.asInt() && real && *real == std::floor(*real) &&
        std::fabs(*real) < 9e15)
      value = Value{int64_t(*real)};
    return value.asInt() && *value.asInt() >= 1;
  }
  if (model.asReal()) {
    if (value.asInt())
      value = Value{*real};
    return real && *real >= 0;
  }
  return value.isNull() || value.asMap() || real.has_value();
}

class SizeResolver {
public:
  SizeResolver(const Library &library, const Node &model, const Node *config,
               std::optional<int64_t> defaultVocabSize,
               DiagnosticList &diagnostics)
      : library(library), model(model), config(config),
        defaultVocabSize(defaultVocabSize), diagnostics(diagnostics) {}

  std::optional<SizeTable> run() {
    const int errors = diagnostics.errorCount();
    checkModelKeys();
    if (config)
      checkConfigKeys(library, *config, diagnostics);
    for (const LibrarySize &size : library.sizes)
      gather(size);
    for (const LibrarySize &size : library.sizes) {
      const Size *found = value(size.name);
      wrong |= !found;
      if (found)
        checkGiven(size, *found);
    }
    checkLengths();
    if (wrong || diagnostics.errorCount() != errors)
      return std::nullopt;
    return std::move(table);
  }

private:
  void checkModelKeys() {
    std::vector<std::string> known = keysOf("model");
    for (const LibrarySize &size : library.sizes) {
      known.push_back(size.name);
      for (const std::string &alias : size.aliases)
        known.push_back(alias.substr(0, alias.find('.')));
    }
    std::set<std::string> lookup(known.begin(), known.end());
    for (const Entry &entry : model.entries)
      if (!lookup.count(entry.key))
        reportUnknownKey(entry, "model", known, diagnostics);
  }

  /// The value that a layer above the library gives, if one does.
  void gather(const LibrarySize &size) {
    std::optional<Spelling> ofConfig, ofSpec;
    if (config)
      ofConfig =
          findSpelling(library, size, *config, !size.nullable, diagnostics);
    ofSpec = findSpelling(library, size, model, false, diagnostics);
    if (ofSpec && ofConfig && !(ofSpec->value == ofConfig->value))
      diagnostics.note(ofConfig->mark,
                       ofConfig->key + " " + plain(ofConfig->value) +
                           " is overridden by model." + ofSpec->key + " " +
                           plain(ofSpec->value));
    if (ofSpec)
      table.sizes[size.name] = {
          ofSpec->value,
          {Origin(ofSpec->node->layer), ofSpec->node->mark},
          "model." + ofSpec->key};
    else if (ofConfig)
      table.sizes[size.name] = {ofConfig->value,
                                {Origin::Config, ofConfig->node->mark},
                                ofConfig->key};
    else if (size.name == "vocab_size" && defaultVocabSize && size.required)
      table.sizes[size.name] = {
          Value{*defaultVocabSize}, {Origin::Default, {}}, "model.vocab_size"};
  }

  /// The value of a size, from the library if nothing gave it; null after an
  /// error.
  const Size *value(const std::string &name) {
    if (const Size *known = table.find(name))
      return known;
    if (failed.count(name)) {
      if (active.count(name))
        diagnostics.error(library.findSize(name)->mark,
                          "size " + name + " is defined by itself");
      return nullptr;
    }
    for (const LibrarySize &size : library.sizes) {
      if (size.name != name)
        continue;
      // Marked before the evaluation, so that a cycle ends.
      failed.insert(name);
      active.insert(name);
      std::optional<Value> found = fromLibrary(size);
      active.erase(name);
      if (!found)
        return nullptr;
      failed.erase(name);
      table.sizes[name] = {*found, {Origin::Library, size.mark}, name};
      return table.find(name);
    }
    return nullptr;
  }

  std::optional<Value> fromLibrary(const LibrarySize &size) {
    if (size.required) {
      diagnostics.error(model.mark,
                        "model." + size.name + " is missing, expected it here" +
                            (config ? " or in the config.json"
                                    : " or in a model.config file"));
      return std::nullopt;
    }
    return defaultValue(size, true);
  }

  /// The library's own default. Without `report` a failure stays silent.
  std::optional<Value> defaultValue(const LibrarySize &size, bool report) {
    if (!size.value.isScalar() || size.value.quoted)
      return toValue(size.value);
    ExpressionScope scope;
    const Size *strongest = nullptr;
    scope.size = [&](const std::string &name,
                     std::string &fault) -> std::optional<Value> {
      const Size *used = nullptr;
      if (library.findSize(name) && library.findSize(name)->name == name)
        used = value(name);
      else
        fault = "$" + name + " is not a size";
      if (!used)
        return std::nullopt;
      if (!strongest || used->from.origin > strongest->from.origin)
        strongest = used;
      return used->value;
    };
    std::string fault;
    std::optional<Value> result =
        evaluateExpression(size.value.text, scope, fault);
    if (!result && report && !fault.empty())
      diagnostics.error(strongest && strongest->from.origin > Origin::Library
                            ? strongest->from.mark
                            : size.mark,
                        size.name + " = " + size.value.text + ": " + fault);
    return result;
  }

  /// A given value must be of the kind of the default.
  void checkGiven(const LibrarySize &size, const Size &found) {
    if (found.from.origin == Origin::Library)
      return;
    std::optional<Value> like = Value{int64_t(1)};
    if (!size.required)
      like = defaultValue(size, false);
    Size &own = table.sizes[size.name];
    if (!like || (own.value.isNull() && (like->isNull() || size.nullable)))
      return;
    // What a cycle is made of is what its entries look like.
    std::string ignored;
    like = entryOfLayer(*like, 0, ignored);
    bool good = like.has_value();
    if (own.value.find("cycle") || own.value.asList())
      good = good && conformEach(own.value, *like);
    else
      good = good && conform(own.value, *like);
    if (!good && findKey(own.spelling))
      wrong = true;
    else if (!good)
      diagnostics.error(own.from.mark,
                        own.spelling + " is " + plain(own.value) +
                            ", expected " +
                            (like ? expectedLike(*like) : "a value"));
  }

  bool conformEach(Value &value, const Value &like) {
    auto *list = std::get_if<Value::List>(&value.data);
    if (auto *map = std::get_if<Value::Map>(&value.data)) {
      if (map->size() != 1)
        return false;
      list = std::get_if<Value::List>(&(*map)[0].second.data);
    }
    if (!list || list->empty())
      return false;
    for (Value &each : *list)
      if (!conform(each, like))
        return false;
    return true;
  }

  /// A list over layers has one entry a layer.
  void checkLengths() {
    const Size *layers = table.find("num_hidden_layers");
    if (!layers || !layers->value.asInt())
      return;
    for (const LibrarySize &each : library.sizes) {
      const Size *size = table.find(each.name);
      const Value::List *list = size ? size->value.asList() : nullptr;
      if (list && int64_t(list->size()) != *layers->value.asInt())
        diagnostics.error(
            size->from.mark,
            size->spelling + " has " + std::to_string(list->size()) +
                " entries, expected one for each of " +
                std::to_string(*layers->value.asInt()) + " layers");
    }
  }

  const Library &library;
  const Node &model;
  const Node *config;
  std::optional<int64_t> defaultVocabSize;
  DiagnosticList &diagnostics;
  SizeTable table;
  std::set<std::string> failed, active;
  bool wrong = false; // a size is missing or wrong
};

} // namespace

const Size *SizeTable::find(const std::string &name) const {
  auto it = sizes.find(name);
  return it == sizes.end() ? nullptr : &it->second;
}

std::optional<Value> SizeTable::at(const std::string &name, int64_t layer,
                                   std::string &fault) const {
  const Size *size = find(name);
  if (!size) {
    fault = "$" + name + " is not a size";
    return std::nullopt;
  }
  return entryOfLayer(size->value, layer, fault);
}

std::optional<Value> entryOfLayer(const Value &value, int64_t layer,
                                  std::string &fault) {
  const Value::List *list = value.asList();
  const Value *cycle = value.find("cycle");
  if (cycle)
    list = cycle->asList();
  if (!list)
    return value;
  int64_t count = int64_t(list->size());
  if (count == 0 || (!cycle && layer >= count)) {
    fault = "a list of " + std::to_string(count) +
            " entries has none for layer " + std::to_string(layer);
    return std::nullopt;
  }
  return (*list)[size_t(cycle ? layer % count : layer)];
}

std::string fillSizes(const std::string &text, const SizeTable &sizes) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t close = text[at] == '{' ? text.find('}', at) : std::string::npos;
    const Size *size = nullptr;
    if (close != std::string::npos)
      size = sizes.find(text.substr(at + 1, close - at - 1));
    if (size) {
      out += plain(size->value);
      at = close + 1;
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::optional<SizeTable> resolveSizes(const Library &library, const Node &model,
                                      const Node *config,
                                      std::optional<int64_t> defaultVocabSize,
                                      DiagnosticList &diagnostics) {
  return SizeResolver(library, model, config, defaultVocabSize, diagnostics)
      .run();
}

} // namespace llmc::frontend

// Evaluation of library nodes against sizes and the spec's model keys.
#include "frontend/spec/NodeValues.h"
#include "frontend/spec/Scalars.h"

namespace llmc::frontend {

namespace {

std::string shown(const Value &value) {
  return value.asText() ? *value.asText() : toJson(value);
}

} // namespace

void NodeValues::use(const KeyOrigin &from, const std::string &spelling) {
  ++namesUsed;
  if (from.mark.valid() && from.origin > strongest.origin) {
    strongest = from;
    strongestName = spelling;
  }
}

std::optional<Value> NodeValues::lookup(const std::string &name,
                                        std::string &fault) {
  if (!name.starts_with("model.")) {
    if (const Size *size = sizes.find(name))
      use(size->from, size->spelling);
    return sizes.at(name, layer, fault);
  }
  auto origin = spec.origins.find(name);
  if (origin != spec.origins.end())
    use(origin->second, name);
  if (name == "model.sliding_window")
    return spec.model.slidingWindow ? Value{*spec.model.slidingWindow}
                                    : Value{};
  if (name == "model.global_tokens")
    return Value{spec.model.globalTokens};
  if (name == "model.document_mask")
    return Value{spec.model.documentMask};
  fault = "$" + name + " is not a key that every architecture has";
  return std::nullopt;
}

std::optional<Value> NodeValues::pickBy(const Node &node, std::string &fault,
                                        int depth) {
  std::optional<Value> selector = evaluate(*node.find("by"), fault, depth + 1);
  if (!selector)
    return std::nullopt;
  std::string key = shown(*selector);
  const Node *picked = key == "by" ? nullptr : node.find(key);
  if (!picked) {
    fault = "no entry for " + key;
    return std::nullopt;
  }
  return evaluate(*picked, fault, depth + 1);
}

std::optional<Value> NodeValues::evaluate(const Node &node, std::string &fault,
                                          int depth) {
  if (depth > 16) {
    fault = "nested more than 16 levels deep";
    return std::nullopt;
  }
  if (node.isMap() && node.find("by"))
    return pickBy(node, fault, depth);
  if (!node.isScalar() || node.quoted)
    return entryOfLayer(toValue(node), layer, fault);
  ExpressionScope scope;
  scope.size = [this](const std::string &name, std::string &reason) {
    return lookup(name, reason);
  };
  if (word)
    scope.word = word;
  std::optional<Value> result = evaluateExpression(node.text, scope, fault);
  if (!result)
    return std::nullopt;
  return entryOfLayer(*result, layer, fault);
}

std::optional<Value> NodeValues::value(const Node &node,
                                       const std::string &what) {
  strongest = {};
  strongestName.clear();
  namesUsed = 0;
  std::string fault;
  std::optional<Value> result = evaluate(node, fault, 0);
  if (!result && !fault.empty())
    diagnostics.error(markOf(node),
                      what + " = " + describe(node) + ": " + fault);
  return result;
}

SourceMark NodeValues::markOf(const Node &node) const {
  return strongest.origin > Origin::Library ? strongest.mark : node.mark;
}

std::nullopt_t NodeValues::refuse(const Node &node, const std::string &what,
                                  const Value &found,
                                  const std::string &expected) {
  // A value that is one size and nothing else goes by the size's name.
  bool direct = namesUsed == 1 && !strongestName.empty() && node.isScalar() &&
                node.text.find_first_of(" +*/%()") == std::string::npos;
  diagnostics.error(markOf(node), (direct ? strongestName : what) + " is " +
                                      shown(found) + ", expected " + expected);
  return std::nullopt;
}

std::optional<int64_t> NodeValues::count(const Node &node,
                                         const std::string &what) {
  std::optional<Value> found = value(node, what);
  if (!found)
    return std::nullopt;
  const int64_t *integer = found->asInt();
  if (!integer || *integer < 1 || *integer > kMostCount)
    return refuse(node, what, *found,
                  "an integer from 1 to " + std::to_string(kMostCount));
  return *integer;
}

std::optional<double> NodeValues::real(const Node &node,
                                       const std::string &what) {
  std::optional<Value> found = value(node, what);
  if (!found)
    return std::nullopt;
  if (std::optional<double> real = found->asReal())
    return real;
  return refuse(node, what, *found, "a number");
}

std::optional<bool> NodeValues::boolean(const Node &node,
                                        const std::string &what) {
  std::optional<Value> found = value(node, what);
  if (!found)
    return std::nullopt;
  if (const bool *boolean = found->asBool())
    return *boolean;
  return refuse(node, what, *found, "true or false");
}

std::optional<std::string> NodeValues::text(const Node &node,
                                            const std::string &what) {
  std::optional<Value> found = value(node, what);
  if (!found)
    return std::nullopt;
  if (const std::string *text = found->asText())
    return *text;
  return refuse(node, what, *found, "text");
}

} // namespace llmc::frontend

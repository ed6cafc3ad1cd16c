// Declaring the parameters of an architecture.
#include "frontend/spec/TensorTable.h"
#include "frontend/spec/Glob.h"
#include "frontend/spec/Library.h"
#include "frontend/spec/Scalars.h"

namespace llmc::frontend {

TensorTable::TensorTable(const Node &libraryRoot, NodeValues &values,
                         Architecture &arch, DiagnosticList &diagnostics)
    : values(values), arch(arch), diagnostics(diagnostics) {
  if (const Node *list = libraryRoot.find("initialise"))
    readInitialise(*list);
  else
    diagnostics.error(libraryRoot.mark, "initialise is missing, expected a "
                                        "list of {tensor, value}");
  if (const Node *node = libraryRoot.find("decay"))
    readDecay(*node);
}

std::string TensorTable::globOf(const Node &rule, const std::string &where) {
  const Node *tensor = rule.find("tensor");
  if (tensor && tensor->isScalar())
    return tensor->text;
  diagnostics.error(rule.mark, "a rule of " + where +
                                   " has no tensor, expected a name with * "
                                   "for any text");
  return "";
}

void TensorTable::readInitialise(const Node &list) {
  if (!list.isSequence())
    diagnostics.error(list.mark, "initialise is " + describe(list) +
                                     ", expected a list of {tensor, value}");
  for (const Node &rule : list.items) {
    checkMapKeys(rule, "initialise", {"tensor", "value"}, diagnostics);
    std::string glob = globOf(rule, "initialise");
    const Node *value = rule.find("value");
    std::optional<Init> init = readInit(value ? *value : rule);
    if (init)
      initRules.push_back({glob, *init});
  }
}

std::optional<Init> TensorTable::readInit(const Node &node) {
  const std::string expected = "zeros, ones or normal(std)";
  if (node.isScalar() && node.text == "zeros")
    return Init{Init::Kind::Zeros, 0};
  if (node.isScalar() && node.text == "ones")
    return Init{Init::Kind::Ones, 0};
  if (!node.isScalar() || !node.text.starts_with("normal(") ||
      !node.text.ends_with(")")) {
    diagnostics.error(node.mark, "value of initialise is " + describe(node) +
                                     ", expected " + expected);
    return std::nullopt;
  }
  Node inner = node;
  inner.text = node.text.substr(7, node.text.size() - 8);
  std::optional<double> std = values.real(inner, "normal");
  if (std && !(*std >= 0 && fitsFloat(*std))) {
    values.refuse(inner, "normal", Value{*std},
                  *std >= 0 ? floatRange : "a number of at least 0");
    return std::nullopt;
  }
  if (!std)
    return std::nullopt;
  if (*std == 0)
    return Init{Init::Kind::Zeros, 0};
  return Init{Init::Kind::Normal, *std};
}

void TensorTable::readDecay(const Node &node) {
  std::vector<const Node *> rules;
  if (node.isSequence())
    for (const Node &item : node.items)
      rules.push_back(&item);
  else
    rules.push_back(&node);
  for (const Node *rule : rules) {
    checkMapKeys(*rule, "decay", {"tensor", "when"}, diagnostics);
    decayRules.push_back({globOf(*rule, "decay"), rule->find("when")});
  }
}

bool TensorTable::decays(const std::string &name, size_t dimensions) {
  for (const DecayRule &rule : decayRules) {
    if (!matchesGlob(rule.glob, name))
      continue;
    if (!rule.when)
      return true;
    values.word = [&](const std::string &word) -> std::optional<Value> {
      if (word == "dimensions")
        return Value{int64_t(dimensions)};
      return std::nullopt;
    };
    std::optional<bool> yes = values.boolean(*rule.when, "when of decay");
    values.word = nullptr;
    return yes.value_or(false);
  }
  return false;
}

bool TensorTable::add(const std::string &name, std::vector<int64_t> shape,
                      int64_t layer, const SourceMark &mark) {
  if (!names.insert(name).second) {
    diagnostics.error(mark, "tensor " + name + " is declared twice");
    return false;
  }
  int64_t elements = 1, total = arch.parameters;
  bool tooLarge = false;
  for (int64_t dimension : shape)
    tooLarge |= __builtin_mul_overflow(elements, dimension, &elements);
  tooLarge |= __builtin_add_overflow(total, elements, &total);
  if (tooLarge || total > (int64_t(1) << 60)) {
    diagnostics.error(mark,
                      "the model has more than 2^60 parameters at " + name);
    return false;
  }
  arch.parameters = total;
  TensorInfo tensor;
  tensor.name = name;
  tensor.shape = std::move(shape);
  tensor.layer = layer;
  tensor.mark = mark;
  tensor.decay = decays(name, tensor.shape.size());
  for (const InitRule &rule : initRules) {
    if (!matchesGlob(rule.glob, name))
      continue;
    tensor.init = rule.init;
    arch.tensors.push_back(std::move(tensor));
    return true;
  }
  diagnostics.error(mark, "no rule of initialise matches " + name);
  return false;
}

void TensorTable::excludeFromDecay(const Spec &spec) {
  for (const std::string &glob : spec.train.optimizer.weightDecayExclude) {
    bool any = false;
    for (TensorInfo &tensor : arch.tensors) {
      if (!matchesGlob(glob, tensor.name))
        continue;
      tensor.decay = false;
      any = true;
    }
    if (!any)
      diagnostics.error(
          spec.markOf("train.optimizer.weight_decay_exclude"),
          "train.optimizer.weight_decay_exclude " + glob +
              " matches no tensor, expected a name such as " +
              (arch.tensors.empty() ? "*.bias" : arch.tensors[0].name));
  }
}

} // namespace llmc::frontend

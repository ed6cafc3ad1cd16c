// Rules, embedding, layers and head of a library file.
#include "frontend/spec/Evaluate.h"
#include "frontend/spec/BlockReader.h"
#include "frontend/spec/NodeValues.h"
#include "frontend/spec/Scalars.h"
#include "frontend/spec/TensorTable.h"

namespace llmc::frontend {

int64_t TensorInfo::elements() const {
  int64_t product = 1;
  for (int64_t dimension : shape)
    product *= dimension;
  return product;
}

const TensorInfo *Architecture::findTensor(const std::string &name) const {
  for (const TensorInfo &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

const Value *Architecture::findSize(const std::string &name) const {
  for (const auto &[each, value] : sizes)
    if (each == name)
      return &value;
  return nullptr;
}

namespace {

class ModelReader {
public:
  ModelReader(const Library &library, const SizeTable &sizes, const Spec &spec,
              DiagnosticList &diagnostics)
      : library(library), root(library.root), sizes(sizes), spec(spec),
        diagnostics(diagnostics), values(sizes, spec, diagnostics) {}

  std::optional<Architecture> run() {
    const int errors = diagnostics.errorCount();
    checkRules();
    // What breaks a rule would break the evaluation too, in other words.
    if (diagnostics.errorCount() != errors || !readNames())
      return std::nullopt;
    TensorTable tensors(root, values, arch, diagnostics);
    BlockReader blocks(values, tensors, arch, diagnostics);
    blocks.enter("", -1);
    readEmbedding(blocks);
    if (diagnostics.errorCount() == errors)
      readLayers(blocks, errors);
    blocks.enter("", -1);
    if (diagnostics.errorCount() == errors)
      readHead(blocks);
    if (diagnostics.errorCount() == errors)
      tensors.excludeFromDecay(spec);
    if (diagnostics.errorCount() != errors)
      return std::nullopt;
    return std::move(arch);
  }

private:
  void checkRules() {
    const Node *rules = root.find("rules");
    if (!rules)
      return;
    if (!rules->isSequence())
      diagnostics.error(rules->mark, "rules is " + describe(*rules) +
                                         ", expected a list of {require, say}");
    for (const Node &rule : rules->items) {
      checkMapKeys(rule, "rules", {"require", "say"}, diagnostics);
      const Node *require = rule.find("require");
      const Node *say = rule.find("say");
      if (!require || !say || !say->isScalar()) {
        diagnostics.error(rule.mark, "a rule needs require and say");
        continue;
      }
      std::optional<bool> holds = values.boolean(*require, "require");
      if (holds && !*holds)
        diagnostics.error(userMark(*require), fillSizes(say->text, sizes));
    }
  }

  /// A rule is the user's mistake, wherever the sizes came from.
  SourceMark userMark(const Node &node) const {
    SourceMark mark = values.markOf(node);
    return mark.file == library.file ? spec.markOf("model.use") : mark;
  }

  bool readNames() {
    arch.name = library.name;
    arch.modelType = library.modelType;
    arch.hfClass = library.hfClass;
    arch.optionalPrefix = library.optionalPrefix;
    for (const LibrarySize &size : library.sizes) {
      const Value &value = sizes.find(size.name)->value;
      arch.sizes.emplace_back(size.name, value);
      arch.configKeys.emplace_back(size.writtenAs, value);
    }
    std::optional<int64_t> vocab = sizeCount("vocab_size");
    std::optional<int64_t> hidden = sizeCount("hidden_size");
    arch.vocabSize = vocab.value_or(0);
    arch.hiddenSize = hidden.value_or(0);
    return vocab && hidden;
  }

  std::optional<int64_t> sizeCount(const std::string &name) {
    Node node;
    node.kind = Node::Kind::Scalar;
    node.text = "$" + name;
    node.mark = root.mark;
    return values.count(node, name);
  }

  const Node *section(const Node &map, const std::string &key) {
    const Node *node = map.find(key);
    if (!node)
      diagnostics.error(map.mark, key + " is missing");
    return node;
  }

  void readEmbedding(BlockReader &blocks) {
    const Node *node = section(root, "embedding");
    if (!node)
      return;
    checkMapKeys(*node, "embedding", {"tokens", "positions"}, diagnostics);
    const Node *tokens = section(*node, "tokens");
    if (!tokens)
      return;
    checkMapKeys(*tokens, "tokens", {"weight", "multiply"}, diagnostics);
    if (auto weight = blocks.tensor(*tokens, "weight", "tokens",
                                    {arch.vocabSize, arch.hiddenSize}))
      arch.embedding.tokens = *weight;
    if (const Node *multiply = tokens->find("multiply"))
      arch.embedding.multiply = values.real(*multiply, "multiply");
    const Node *positions = node->find("positions");
    if (!positions)
      return;
    checkMapKeys(*positions, "positions", {"weight", "count"}, diagnostics);
    const Node *count = section(*positions, "count");
    std::optional<int64_t> n;
    if (count)
      n = values.count(*count, "positions.count");
    if (!n)
      return;
    if (auto weight = blocks.tensor(*positions, "weight", "positions",
                                    {*n, arch.hiddenSize}))
      arch.embedding.positions = PositionEmbedding{*weight, *n};
  }

  void readLayers(BlockReader &blocks, int errors) {
    const Node *groups = section(root, "layers");
    if (!groups)
      return;
    if (!groups->isSequence())
      diagnostics.error(groups->mark, "layers is " + describe(*groups) +
                                          ", expected a list of {repeat, "
                                          "name, block}");
    for (const Node &group : groups->items) {
      checkMapKeys(group, "layers", {"repeat", "name", "block"}, diagnostics);
      const Node *repeat = section(group, "repeat");
      const Node *name = section(group, "name");
      const Node *block = section(group, "block");
      if (repeat && name && block)
        repeatLayer(blocks, *repeat, *name, *block, errors);
    }
  }

  void repeatLayer(BlockReader &blocks, const Node &repeat, const Node &name,
                   const Node &block, int errors) {
    std::optional<int64_t> count = values.count(repeat, "repeat");
    if (!count)
      return;
    constexpr size_t most = 10000;
    if (size_t(*count) + arch.layers.size() > most) {
      values.refuse(repeat, "repeat", Value{*count},
                    "at most " + std::to_string(most) + " layers");
      return;
    }
    for (int64_t i = 0; i < *count; ++i) {
      Layer layer;
      layer.index = int64_t(arch.layers.size());
      layer.mark = repeat.mark;
      blocks.enter("", layer.index);
      layer.prefix = blocks.fullName(name.text);
      blocks.enter(layer.prefix, layer.index);
      layer.items = blocks.block(block);
      arch.layers.push_back(std::move(layer));
      // The next layer would fail in the same way.
      if (diagnostics.errorCount() != errors)
        return;
    }
  }

  void readHead(BlockReader &blocks) {
    const Node *head = section(root, "head");
    if (!head)
      return;
    arch.head.mark = head->mark;
    bool haveOutput = false;
    for (const Node &item : head->items) {
      checkMapKeys(item, "head",
                   {"rms_norm", "layer_norm", "output", "softcap"},
                   diagnostics);
      for (const Entry &entry : item.entries) {
        if (entry.key == "softcap") {
          blocks.refuseSoftcap(entry.value, "head.softcap");
        } else if (entry.key == "output") {
          haveOutput = true;
          readOutput(blocks, entry.value);
        } else if (haveOutput) {
          diagnostics.error(entry.keyMark, entry.key + " stands after output, "
                                                       "expected before it");
        } else if (auto norm =
                       blocks.norm(entry.value, entry.key == "rms_norm"
                                                    ? NormKind::Rms
                                                    : NormKind::Layer)) {
          arch.head.norms.push_back(*norm);
        }
      }
    }
    if (!haveOutput)
      diagnostics.error(head->mark, "head has no output");
  }

  void readOutput(BlockReader &blocks, const Node &node) {
    checkMapKeys(node, "output", {"weight", "bias", "tied_to", "when_tied"},
                 diagnostics);
    const Node *tiedTo = node.find("tied_to");
    bool tied = tiedTo != nullptr;
    if (const Node *when = node.find("when_tied"); tied && when)
      tied = values.boolean(*when, "when_tied").value_or(false);
    Linear &output = arch.head.output;
    output.inFeatures = arch.hiddenSize;
    output.outFeatures = arch.vocabSize;
    arch.head.tied = tied;
    if (tied) {
      if (tiedTo->text != arch.embedding.tokens.name)
        diagnostics.error(tiedTo->mark, "tied_to is " + describe(*tiedTo) +
                                            ", expected " +
                                            arch.embedding.tokens.name);
      output.weight = arch.embedding.tokens;
    } else if (auto weight = blocks.tensor(node, "weight", "output",
                                           {arch.vocabSize, arch.hiddenSize})) {
      output.weight = *weight;
    }
    if (const Node *bias = node.find("bias"))
      diagnostics.error(bias->mark,
                        "a bias of the output is not implemented yet, "
                        "expected none");
  }

  const Library &library;
  const Node &root;
  const SizeTable &sizes;
  const Spec &spec;
  DiagnosticList &diagnostics;
  NodeValues values;
  Architecture arch;
};

} // namespace

std::optional<Architecture> evaluateArchitecture(const Library &library,
                                                 const SizeTable &sizes,
                                                 const Spec &spec,
                                                 DiagnosticList &diagnostics) {
  return ModelReader(library, sizes, spec, diagnostics).run();
}

} // namespace llmc::frontend

// Reading the items of a block and declaring their tensors.
#include "frontend/spec/BlockReader.h"
#include "frontend/spec/Library.h"
#include "frontend/spec/Scalars.h"

#include <algorithm>
#include <cmath>

namespace llmc::frontend {

void BlockReader::enter(std::string newPrefix, int64_t newLayer) {
  prefix = std::move(newPrefix);
  layer = newLayer;
  values.layer = layer < 0 ? 0 : layer;
}

std::string BlockReader::fullName(const std::string &name) const {
  std::string out = prefix + name;
  for (size_t at = out.find("{i}"); at != std::string::npos;
       at = out.find("{i}", at))
    out.replace(at, 3, std::to_string(layer));
  return out;
}

const Node *BlockReader::need(const Node &map, const std::string &key,
                              const std::string &where) {
  const Node *node = map.find(key);
  if (!node)
    diagnostics.error(map.mark, where + " has no " + key);
  return node;
}

std::vector<BlockItem> BlockReader::block(const Node &node) {
  std::vector<BlockItem> items;
  if (!node.isSequence() || node.items.empty()) {
    diagnostics.error(node.mark, "block is " + describe(node) +
                                     ", expected a list of residual, "
                                     "rms_norm, layer_norm, attention and mlp");
    return items;
  }
  if (++depth > 8) {
    diagnostics.error(node.mark, "residuals are nested more than 8 deep");
    --depth;
    return items;
  }
  for (const Node &each : node.items)
    if (std::optional<BlockItem> made = item(each))
      items.push_back(std::move(*made));
  --depth;
  return items;
}

std::optional<BlockItem> BlockReader::item(const Node &node) {
  if (!node.isMap() || node.entries.size() != 1) {
    diagnostics.error(node.mark, "an item of a block is " + describe(node) +
                                     ", expected a map of one key");
    return std::nullopt;
  }
  checkMapKeys(node, "a block",
               {"residual", "rms_norm", "layer_norm", "attention", "mlp"},
               diagnostics);
  const Entry &entry = node.entries[0];
  auto wrap = [](auto made) -> std::optional<BlockItem> {
    if (!made)
      return std::nullopt;
    return BlockItem(std::move(*made));
  };
  if (entry.key == "residual")
    return BlockItem(Residual{block(entry.value), entry.keyMark});
  if (entry.key == "rms_norm")
    return wrap(norm(entry.value, NormKind::Rms));
  if (entry.key == "layer_norm")
    return wrap(norm(entry.value, NormKind::Layer));
  if (entry.key == "attention")
    return wrap(attention(entry.value));
  if (entry.key == "mlp")
    return wrap(mlp(entry.value));
  return std::nullopt;
}

std::optional<TensorRef> BlockReader::tensor(const Node &map,
                                             const std::string &key,
                                             const std::string &where,
                                             std::vector<int64_t> shape) {
  const Node *name = need(map, key, where);
  if (!name)
    return std::nullopt;
  if (!name->isScalar() || name->text.empty()) {
    diagnostics.error(name->mark, key + " of " + where + " is " +
                                      describe(*name) +
                                      ", expected the name of a tensor");
    return std::nullopt;
  }
  TensorRef ref;
  ref.name = fullName(name->text);
  ref.mark = name->mark;
  if (!tensors.add(ref.name, std::move(shape), layer, name->mark))
    return std::nullopt;
  return ref;
}

std::optional<Norm> BlockReader::norm(const Node &node, NormKind kind) {
  const std::string where = kind == NormKind::Rms ? "rms_norm" : "layer_norm";
  if (kind == NormKind::Rms)
    checkMapKeys(node, where, {"weight", "eps", "plus_one"}, diagnostics);
  else
    checkMapKeys(node, where, {"weight", "bias", "eps", "plus_one"},
                 diagnostics);
  Norm norm;
  norm.kind = kind;
  norm.mark = node.mark;
  const Node *epsNode = need(node, "eps", where);
  std::optional<TensorRef> weight =
      tensor(node, "weight", where, {arch.hiddenSize});
  if (node.find("bias"))
    norm.bias = tensor(node, "bias", where, {arch.hiddenSize});
  if (const Node *plusOne = node.find("plus_one")) {
    norm.plusOne = values.boolean(*plusOne, "plus_one").value_or(false);
    if (norm.plusOne && kind == NormKind::Layer)
      diagnostics.error(plusOne->mark,
                        "layer_norm.plus_one true is not implemented yet, "
                        "expected false");
  }
  if (!epsNode || !weight)
    return std::nullopt;
  std::optional<double> eps = values.real(*epsNode, where + ".eps");
  if (eps && !(*eps > 0 && fitsFloat(*eps)))
    return values.refuse(*epsNode, where + ".eps", Value{*eps},
                         *eps > 0 ? floatRange : "a number above 0");
  norm.weight = *weight;
  norm.eps = eps.value_or(1);
  return norm;
}

std::optional<Linear> BlockReader::linear(const Node &map,
                                          const std::string &key, int64_t in,
                                          int64_t out) {
  const Node *node = need(map, key, "the block");
  if (!node)
    return std::nullopt;
  checkMapKeys(*node, key, {"weight", "bias", "when_bias", "layout"},
               diagnostics);
  bool transposed = false;
  if (const Node *layout = node->find("layout")) {
    transposed = layout->text == "in_out";
    if (!transposed && layout->text != "out_in")
      diagnostics.error(layout->mark, "layout of " + key + " is " +
                                          describe(*layout) +
                                          ", expected in_out or out_in");
  }
  Linear linear;
  linear.inFeatures = in;
  linear.outFeatures = out;
  std::optional<TensorRef> weight =
      tensor(*node, "weight", key,
             transposed ? std::vector{in, out} : std::vector{out, in});
  bool hasBias = node->find("bias") != nullptr;
  if (const Node *when = node->find("when_bias"))
    hasBias &= values.boolean(*when, "when_bias").value_or(false);
  if (hasBias)
    linear.bias = tensor(*node, "bias", key, {out});
  if (!weight)
    return std::nullopt;
  linear.weight = *weight;
  linear.weight.transposed = transposed;
  return linear;
}

void BlockReader::refuseSoftcap(const Node &node, const std::string &what) {
  std::optional<Value> cap = values.value(node, what);
  if (cap && !cap->isNull())
    diagnostics.error(values.markOf(node), what + " " + toJson(*cap) +
                                               " is not implemented yet, "
                                               "expected null");
}

std::optional<Attention> BlockReader::attention(const Node &node) {
  checkMapKeys(node, "attention",
               {"heads", "kv_heads", "head_dim", "scale", "softcap", "rope",
                "window", "qkv", "q", "k", "v", "out"},
               diagnostics);
  const Node *heads = need(node, "heads", "attention");
  const Node *kvHeads = need(node, "kv_heads", "attention");
  const Node *headDim = need(node, "head_dim", "attention");
  const Node *scale = need(node, "scale", "attention");
  if (!heads || !kvHeads || !headDim || !scale)
    return std::nullopt;
  auto h = values.count(*heads, "attention.heads");
  auto k = values.count(*kvHeads, "attention.kv_heads");
  auto d = values.count(*headDim, "attention.head_dim");
  auto s = values.real(*scale, "attention.scale");
  if (!h || !k || !d || !s)
    return std::nullopt;
  // q, k and v side by side are one tensor of some models.
  if (std::max(*h, *k) * *d > NodeValues::kMostCount / 4) {
    diagnostics.error(values.markOf(*headDim),
                      std::to_string(std::max(*h, *k)) + " heads of " +
                          std::to_string(*d) + " are more than " +
                          std::to_string(NodeValues::kMostCount / 4) +
                          " features");
    return std::nullopt;
  }
  Attention attention;
  attention.mark = node.mark;
  attention.heads = *h;
  attention.kvHeads = *k;
  attention.headDim = *d;
  attention.scale = *s;
  if (const Node *softcap = node.find("softcap"))
    refuseSoftcap(*softcap, "attention.softcap");
  if (const Node *ropeNode = node.find("rope"))
    attention.rope = rope(*ropeNode);
  if (const Node *windowNode = node.find("window"))
    window(*windowNode, attention);
  if (!projections(node, attention))
    return std::nullopt;
  return attention;
}

bool BlockReader::projections(const Node &node, Attention &attention) {
  const int64_t c = arch.hiddenSize;
  const int64_t qFeatures = attention.heads * attention.headDim;
  const int64_t kvFeatures = attention.kvHeads * attention.headDim;
  if (node.find("qkv")) {
    for (const char *key : {"q", "k", "v"})
      if (node.find(key))
        diagnostics.error(node.find(key)->mark,
                          std::string("attention has qkv and ") + key +
                              ", expected qkv, or q, k and v");
    attention.qkv = linear(node, "qkv", c, qFeatures + 2 * kvFeatures);
  } else {
    attention.q = linear(node, "q", c, qFeatures);
    attention.k = linear(node, "k", c, kvFeatures);
    attention.v = linear(node, "v", c, kvFeatures);
  }
  std::optional<Linear> out = linear(node, "out", qFeatures, c);
  if (out)
    attention.out = *out;
  return out && (attention.qkv || (attention.q && attention.k && attention.v));
}

void BlockReader::window(const Node &node, Attention &attention) {
  std::optional<Value> found = values.value(node, "attention.window");
  if (!found || found->isNull())
    return;
  const int64_t *width = found->asInt();
  if (!width || *width < 1) {
    values.refuse(node, "attention.window", *found,
                  "an integer of at least 1 or null");
    return;
  }
  attention.window = *width;
}

std::optional<Rope> BlockReader::rope(const Node &node) {
  checkMapKeys(node, "rope", {"theta", "scaling", "layout"}, diagnostics);
  Rope rope;
  if (const Node *layout = node.find("layout");
      layout && layout->text != "half")
    diagnostics.error(layout->mark,
                      layout->text == "pairs"
                          ? "rope layout pairs is not implemented yet, "
                            "expected half"
                          : "rope layout is " + describe(*layout) +
                                ", expected half or pairs");
  const Node *thetaNode = need(node, "theta", "rope");
  if (!thetaNode)
    return std::nullopt;
  std::optional<double> theta = values.real(*thetaNode, "rope.theta");
  if (!theta)
    return std::nullopt;
  if (!(*theta > 0))
    return values.refuse(*thetaNode, "rope.theta", Value{*theta},
                         "a number above 0");
  rope.theta = *theta;
  if (const Node *scaling = node.find("scaling")) {
    std::optional<RopeScaling> made = ropeScaling(*scaling);
    if (!made)
      return std::nullopt;
    rope.scaling = *made;
  }
  return rope;
}

std::optional<double> BlockReader::realKey(const Value &map,
                                           const std::string &key,
                                           const Node &node) {
  const Value *value = map.find(key);
  std::optional<double> real;
  if (value)
    real = value->asReal();
  if (real && *real > 0)
    return real;
  diagnostics.error(values.markOf(node),
                    "rope_scaling." + key + " is " +
                        (value ? toJson(*value) : "missing") +
                        ", expected a number above 0");
  return std::nullopt;
}

std::optional<RopeScaling> BlockReader::ropeScaling(const Node &node) {
  std::optional<Value> found = values.value(node, "rope.scaling");
  if (!found)
    return std::nullopt;
  RopeScaling scaling;
  if (found->isNull())
    return scaling;
  const std::string expected =
      "null, {rope_type: linear, factor} or {rope_type: llama3, factor, "
      "low_freq_factor, high_freq_factor, original_max_position_embeddings}";
  const Value *type = found->find("rope_type");
  std::vector<std::string> keys = {"rope_type", "factor"};
  if (type && *type == Value{std::string("linear")}) {
    scaling.kind = RopeScalingKind::Linear;
  } else if (type && *type == Value{std::string("llama3")}) {
    scaling.kind = RopeScalingKind::Llama3;
    keys.insert(keys.end(), {"low_freq_factor", "high_freq_factor",
                             "original_max_position_embeddings"});
  } else {
    return values.refuse(node, "rope.scaling", *found, expected);
  }
  for (const auto &[key, value] : *found->asMap())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      return values.refuse(node, "rope.scaling", *found, expected);
  std::optional<double> factor = realKey(*found, "factor", node);
  scaling.factor = factor.value_or(1);
  if (scaling.kind == RopeScalingKind::Linear)
    return factor ? std::optional(scaling) : std::nullopt;
  auto low = realKey(*found, "low_freq_factor", node);
  auto high = realKey(*found, "high_freq_factor", node);
  auto original = realKey(*found, "original_max_position_embeddings", node);
  if (!factor || !low || !high || !original)
    return std::nullopt;
  if (!(*high > *low) || *original != std::floor(*original) ||
      *original > double(NodeValues::kMostCount))
    return values.refuse(node, "rope.scaling", *found,
                         "high_freq_factor above low_freq_factor and an "
                         "integer original_max_position_embeddings");
  scaling.lowFreqFactor = *low;
  scaling.highFreqFactor = *high;
  scaling.originalMaxPositions = int64_t(*original);
  return scaling;
}

std::optional<Mlp> BlockReader::mlp(const Node &node) {
  checkMapKeys(node, "mlp", {"width", "activation", "gate", "up", "down"},
               diagnostics);
  const Node *widthNode = need(node, "width", "mlp");
  const Node *activation = need(node, "activation", "mlp");
  if (!widthNode || !activation)
    return std::nullopt;
  std::optional<int64_t> width = values.count(*widthNode, "mlp.width");
  std::optional<std::string> name = values.text(*activation, "mlp.activation");
  if (!width || !name)
    return std::nullopt;
  Mlp mlp;
  mlp.mark = node.mark;
  mlp.width = *width;
  if (*name == "gelu_new" || *name == "gelu_pytorch_tanh")
    mlp.activation = Activation::GeluTanh;
  else if (*name == "gelu")
    mlp.activation = Activation::Gelu;
  else if (*name == "silu")
    mlp.activation = Activation::Silu;
  else if (*name == "relu")
    mlp.activation = Activation::Relu;
  else
    return values.refuse(*activation, "mlp.activation", Value{*name},
                         "silu, gelu, gelu_new, gelu_pytorch_tanh or relu");
  if (node.find("gate"))
    mlp.gate = linear(node, "gate", arch.hiddenSize, *width);
  std::optional<Linear> up = linear(node, "up", arch.hiddenSize, *width);
  std::optional<Linear> down = linear(node, "down", *width, arch.hiddenSize);
  if (!up || !down)
    return std::nullopt;
  mlp.up = *up;
  mlp.down = *down;
  return mlp;
}

} // namespace llmc::frontend

// A model of the library, evaluated: what the IR builder turns into ops.
#ifndef LLMC_FRONTEND_SPEC_ARCHITECTURE_H
#define LLMC_FRONTEND_SPEC_ARCHITECTURE_H

#include "frontend/spec/Value.h"
#include "frontend/yaml/SourceMark.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace llmc::frontend {

/// A parameter by its full Hugging Face name, layer prefix included. Its shape,
/// initialisation and decay class stand in Architecture::tensors.
struct TensorRef {
  std::string name;
  bool transposed = false; // the file has (in, out): layout in_out
  SourceMark mark;
};

struct Linear {
  TensorRef weight;
  std::optional<TensorRef> bias;
  int64_t inFeatures = 0;
  int64_t outFeatures = 0;
};

enum class NormKind { Rms, Layer };

struct Norm {
  NormKind kind = NormKind::Rms;
  TensorRef weight;
  std::optional<TensorRef> bias; // layer norm only
  double eps = 0;
  bool plusOne = false; // multiplies by 1 + weight
  SourceMark mark;
};

enum class RopeScalingKind { None, Linear, Llama3 };

struct RopeScaling {
  RopeScalingKind kind = RopeScalingKind::None;
  double factor = 1;
  double lowFreqFactor = 1;
  double highFreqFactor = 1;
  int64_t originalMaxPositions = 0;
};

/// Half-split rotation: dimension d pairs with d + headDim / 2.
struct Rope {
  double theta = 10000;
  RopeScaling scaling;
};

struct Attention {
  int64_t heads = 0;
  int64_t kvHeads = 0;
  int64_t headDim = 0;
  double scale = 1;
  std::optional<int64_t> window; // W keys, the query's own included
  std::optional<Rope> rope;
  /// Either qkv (q, k, v side by side along out), or q, k and v.
  std::optional<Linear> qkv;
  std::optional<Linear> q, k, v;
  Linear out;
  SourceMark mark;
};

enum class Activation { GeluTanh, Gelu, Silu, Relu };

/// down(act(gate x) * up x), or down(act(up x)) without a gate.
struct Mlp {
  int64_t width = 0;
  Activation activation = Activation::GeluTanh;
  std::optional<Linear> gate;
  Linear up;
  Linear down;
  SourceMark mark;
};

struct Residual;
using BlockItem = std::variant<Norm, Attention, Mlp, Residual>;

/// Adds the result of its list to its input.
struct Residual {
  std::vector<BlockItem> items;
  SourceMark mark;
};

struct Layer {
  int64_t index = 0;
  std::string prefix; // "h.3."
  std::vector<BlockItem> items;
  SourceMark mark;
};

struct PositionEmbedding {
  TensorRef weight;
  int64_t count = 0;
};

struct Embedding {
  TensorRef tokens;
  std::optional<double> multiply;
  std::optional<PositionEmbedding> positions;
};

struct Head {
  std::vector<Norm> norms;
  Linear output;     // when tied, its weight is the token embedding's
  bool tied = false; // then no tensor of its own is in the file
  SourceMark mark;
};

struct Init {
  enum class Kind { Zeros, Ones, Normal };
  Kind kind = Kind::Zeros;
  double std = 0; // Normal
};

struct TensorInfo {
  std::string name;
  std::vector<int64_t> shape; // Hugging Face's
  Init init;
  bool decay = false; // weight_decay_exclude already applied
  int64_t layer = -1; // -1: outside the layers
  SourceMark mark;

  int64_t elements() const;
};

struct Architecture {
  std::string name;           // of the library file: "gpt2"
  std::string modelType;      // Hugging Face's model_type
  std::string hfClass;        // "GPT2LMHeadModel"
  std::string optionalPrefix; // "transformer."; may stand before every name
  int64_t vocabSize = 0;
  int64_t hiddenSize = 0;
  Embedding embedding;
  std::vector<Layer> layers;
  Head head;
  std::vector<TensorInfo> tensors; // in file order, each once
  int64_t parameters = 0;          // tied ones once

  /// Every size with its value, in the order of the library file.
  std::vector<std::pair<std::string, Value>> sizes;
  /// The sizes as Hugging Face's config.json of transformers 4 names them.
  std::vector<std::pair<std::string, Value>> configKeys;

  const TensorInfo *findTensor(const std::string &name) const;
  const Value *findSize(const std::string &name) const;
};

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_ARCHITECTURE_H

// The block grammar: norms, attention, mlp and residuals of one layer.
#ifndef LLMC_FRONTEND_SPEC_BLOCKREADER_H
#define LLMC_FRONTEND_SPEC_BLOCKREADER_H

#include "frontend/spec/Architecture.h"
#include "frontend/spec/Diagnostics.h"
#include "frontend/spec/NodeValues.h"
#include "frontend/spec/TensorTable.h"
#include "frontend/yaml/Document.h"

#include <optional>
#include <string>
#include <vector>

namespace llmc::frontend {

class BlockReader {
public:
  BlockReader(NodeValues &values, TensorTable &tensors, Architecture &arch,
              DiagnosticList &diagnostics)
      : values(values), tensors(tensors), arch(arch), diagnostics(diagnostics) {
  }

  /// The prefix of tensor names and the layer that what follows belongs to;
  /// -1 outside the layers.
  void enter(std::string newPrefix, int64_t newLayer);

  std::vector<BlockItem> block(const Node &node);
  std::optional<Norm> norm(const Node &node, NormKind kind);
  std::optional<Linear> linear(const Node &map, const std::string &key,
                               int64_t in, int64_t out);
  std::optional<TensorRef> tensor(const Node &map, const std::string &key,
                                  const std::string &where,
                                  std::vector<int64_t> shape);
  /// `softcap` is in the grammar, but not built.
  void refuseSoftcap(const Node &node, const std::string &what);

  /// The full name: prefix, then the name with {i} filled in.
  std::string fullName(const std::string &name) const;

private:
  std::optional<BlockItem> item(const Node &node);
  std::optional<Attention> attention(const Node &node);
  bool projections(const Node &node, Attention &attention);
  void window(const Node &node, Attention &attention);
  std::optional<Rope> rope(const Node &node);
  std::optional<RopeScaling> ropeScaling(const Node &node);
  std::optional<Mlp> mlp(const Node &node);
  const Node *need(const Node &map, const std::string &key,
                   const std::string &where);
  std::optional<double> realKey(const Value &map, const std::string &key,
                                const Node &node);

  NodeValues &values;
  TensorTable &tensors;
  Architecture &arch;
  DiagnosticList &diagnostics;
  std::string prefix;
  int64_t layer = -1;
  int depth = 0;
};

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_BLOCKREADER_H

// Typed values of the nodes of a library file, for one layer at a time.
#ifndef LLMC_FRONTEND_SPEC_NODEVALUES_H
#define LLMC_FRONTEND_SPEC_NODEVALUES_H

#include "frontend/spec/Diagnostics.h"
#include "frontend/spec/Expression.h"
#include "frontend/spec/Sizes.h"
#include "frontend/spec/Spec.h"

#include <optional>
#include <string>

namespace llmc::frontend {

/// Evaluates nodes: expressions, `cycle` by layer number, `by` another size's
/// entry of this layer. A wrong value is an error at the line of the user who
/// gave the size, else at the library's.
class NodeValues {
public:
  NodeValues(const SizeTable &sizes, const Spec &spec,
             DiagnosticList &diagnostics)
      : sizes(sizes), spec(spec), diagnostics(diagnostics) {}

  int64_t layer = 0;
  /// A meaning of bare words, for `dimensions`.
  std::function<std::optional<Value>(const std::string &)> word;

  /// `what` names the value in messages. Nothing after an error.
  std::optional<Value> value(const Node &node, const std::string &what);
  std::optional<int64_t> count(const Node &node, const std::string &what);
  std::optional<double> real(const Node &node, const std::string &what);
  std::optional<bool> boolean(const Node &node, const std::string &what);
  std::optional<std::string> text(const Node &node, const std::string &what);

  /// `what is found, expected ...` where the value came from.
  std::nullopt_t refuse(const Node &node, const std::string &what,
                        const Value &found, const std::string &expected);

  /// The place of the strongest size that the last value used, if a user gave
  /// it; else that of the node.
  SourceMark markOf(const Node &node) const;

  /// The largest count: a dimension must fit 31 bits.
  static constexpr int64_t kMostCount = 2147483647;

private:
  std::optional<Value> evaluate(const Node &node, std::string &fault,
                                int depth);
  std::optional<Value> lookup(const std::string &name, std::string &fault);
  std::optional<Value> pickBy(const Node &node, std::string &fault, int depth);
  void use(const KeyOrigin &from, const std::string &spelling);

  const SizeTable &sizes;
  const Spec &spec;
  DiagnosticList &diagnostics;
  KeyOrigin strongest; // of the last value
  std::string strongestName;
  int namesUsed = 0;
};

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_NODEVALUES_H

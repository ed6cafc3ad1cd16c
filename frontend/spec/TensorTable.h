// The parameters of an architecture while it is evaluated: names, shapes,
// initialisation and decay class.
#ifndef LLMC_FRONTEND_SPEC_TENSORTABLE_H
#define LLMC_FRONTEND_SPEC_TENSORTABLE_H

#include "frontend/spec/Architecture.h"
#include "frontend/spec/Diagnostics.h"
#include "frontend/spec/NodeValues.h"
#include "frontend/yaml/Document.h"

#include <set>
#include <string>
#include <vector>

namespace llmc::frontend {

/// Declares tensors in order; the `initialise` and `decay` lists of the
/// library decide the rest.
class TensorTable {
public:
  TensorTable(const Node &libraryRoot, NodeValues &values, Architecture &arch,
              DiagnosticList &diagnostics);

  /// Adds a tensor. A name given twice and a size beyond 62 bits are errors.
  bool add(const std::string &name, std::vector<int64_t> shape, int64_t layer,
           const SourceMark &mark);

  /// Takes the tensors that the globs name out of the decay class.
  void excludeFromDecay(const Spec &spec);

private:
  struct InitRule {
    std::string glob;
    Init init;
  };
  struct DecayRule {
    std::string glob;
    const Node *when = nullptr; // absent: always
  };

  void readInitialise(const Node &list);
  std::optional<Init> readInit(const Node &node);
  void readDecay(const Node &node);
  bool decays(const std::string &name, size_t dimensions);
  std::string globOf(const Node &rule, const std::string &where);

  NodeValues &values;
  Architecture &arch;
  DiagnosticList &diagnostics;
  std::vector<InitRule> initRules;
  std::vector<DecayRule> decayRules;
  std::set<std::string> names;
};

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_TENSORTABLE_H

// The global, named state of a model: what a step reads and writes.
#ifndef LLMC_CODEGEN_REFERENCE_STATE_H
#define LLMC_CODEGEN_REFERENCE_STATE_H

#include "codegen/Reference/Value.h"

#include <map>
#include <string>

namespace llmc::reference {

/// Values by parameter name. Gradients and optimiser state appear, as zeros,
/// when they are first written.
struct State {
  std::map<std::string, Value> parameters, gradients, moment1, moment2,
      momentum;

  /// The entry of `name`, created as zeros in the shape of `like`.
  static Value &entry(std::map<std::string, Value> &values,
                      const std::string &name, const Value &like) {
    auto [it, isNew] = values.try_emplace(name);
    if (isNew)
      it->second = Value::zeros(like.shape);
    return it->second;
  }
};

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_STATE_H

// Where initial weights come from, and what a checkpoint is made of.
#ifndef LLMC_RUNTIME_EXECUTOR_PARAMETERS_H
#define LLMC_RUNTIME_EXECUTOR_PARAMETERS_H

#include "runtime/checkpoint/CheckpointStore.h"
#include "runtime/executor/Program.h"

namespace llmc::rt {

class Parameters {
public:
  static Parameters of(const plan::Plan &plan, const Program &program);

  /// Values from the seed, as the model library says for each tensor.
  void initialise(uint64_t seed);
  /// Values from a file; every name and shape must match.
  Status loadWeights(const std::string &path, const std::string &prefix,
                     const std::vector<std::string> &buffers);
  /// The weights of a checkpoint, without its optimiser state.
  Status loadCheckpointWeights(const std::string &checkpoint);

  /// Weights and optimiser state.
  const CheckpointTensors &tensors() const { return all; }
  /// Elements of all trained tensors.
  uint64_t elements() const;

private:
  struct Initialisation {
    plan::InitKind kind;
    double std;
  };

  CheckpointTensors all;
  /// For each of the weights.
  std::vector<Initialisation> initialisations;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_PARAMETERS_H

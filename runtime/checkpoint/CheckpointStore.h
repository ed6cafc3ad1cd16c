// A directory of checkpoints, each of which is complete or absent.
#ifndef LLMC_RUNTIME_CHECKPOINT_CHECKPOINTSTORE_H
#define LLMC_RUNTIME_CHECKPOINT_CHECKPOINTSTORE_H

#include "runtime/checkpoint/TensorMapping.h"

#include <optional>

namespace llmc::rt {

/// The part of a checkpoint that is not tensors: state.json.
struct CheckpointState {
  static constexpr int64_t formatVersion = 1;

  int64_t step = 0;
  /// Windows of the training data that were consumed.
  uint64_t windows = 0;
  uint64_t seed = 0;
  std::string specHash;
  /// Counted tokens of all steps.
  uint64_t totalTokens = 0;
  /// Of the training data: other data under the same name are told apart.
  uint64_t windowsPerEpoch = 0;
};

/// One kind of optimiser state; in the file its tensors carry the prefix:
/// "moment1.", "moment2." or "momentum.".
struct OptimizerSlot {
  std::string prefix;
  std::vector<TensorRef> tensors;
};

/// A file that stands in the checkpoint as it is.
struct CheckpointFile {
  std::string name;
  std::string contents;
};

/// What is saved, or where it is loaded to.
struct CheckpointTensors {
  std::vector<TensorRef> weights;
  std::vector<OptimizerSlot> optimizer;
};

/// Checkpoints are DIRECTORY/step_00000123 with model.safetensors,
/// optimizer.safetensors (if the optimiser has state) and state.json. They are
/// written aside, synced and renamed.
class CheckpointStore {
public:
  /// Keeps the `keep` newest checkpoints, at least one.
  CheckpointStore(std::string directory, int64_t keep)
      : directory(std::move(directory)), keep(keep) {}

  /// Creates the directory and fails if nothing can be written to it: for the
  /// time before the first step.
  Status probe() const { return checkWritable(directory); }

  /// The path of the checkpoint of a step.
  std::string pathOf(int64_t step) const;

  /// Writes a checkpoint, then removes those that are too old. If it fails, the
  /// older ones are as they were.
  Status save(const CheckpointState &state, const CheckpointTensors &tensors,
              const std::vector<CheckpointFile> &files = {}) const;

  /// The path of the newest complete checkpoint of a directory, if it has one.
  static std::optional<std::string> newest(const std::string &directory);

  /// The newest complete checkpoint of the same directory that is older.
  static std::optional<std::string> before(const std::string &checkpoint);

  /// Removes what a run that did not end well left half written or half
  /// removed.
  static void removePartial(const std::string &directory);

  static Expected<CheckpointState> readState(const std::string &checkpoint);

  /// Loads weights and optimiser state; all names and shapes must match.
  static Status load(const std::string &checkpoint,
                     const CheckpointTensors &tensors);

private:
  /// Whatever its step, the one just written stays.
  void removeOld(int64_t written) const;

  std::string directory;
  int64_t keep;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_CHECKPOINT_CHECKPOINTSTORE_H

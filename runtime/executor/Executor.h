// Owns bundle, device, memory and parameters, and runs the entries.
#ifndef LLMC_RUNTIME_EXECUTOR_EXECUTOR_H
#define LLMC_RUNTIME_EXECUTOR_EXECUTOR_H

#include "runtime/executor/Parameters.h"
#include "runtime/plan/Bundle.h"

namespace llmc::rt {

/// The names of entries.
namespace entry {
inline constexpr const char *trainStep = "train_step";
inline constexpr const char *evaluate = "evaluate";
inline constexpr const char *logits = "logits";
} // namespace entry

/// Where the tokens and labels of micro-batches come from.
class MicroBatches {
public:
  virtual ~MicroBatches() = default;
  /// Writes [sequence_length, micro_batch_size] tokens and labels; false ends
  /// the entry before this micro-batch. `labels` is null where an entry has
  /// none.
  virtual bool fill(int64_t micro, int32_t *tokens, int32_t *labels) = 0;
};

/// What the host writes before a step.
struct StepScalars {
  double lr = 0;
  /// The number of the step, from 1.
  int64_t t = 1;
  /// Infinite: no clipping.
  double clip = 0;
  /// 1 / counted tokens of the global batch.
  double seed = 0;
};

struct StepResult {
  /// False: the source of micro-batches ended the step, nothing was updated.
  bool complete = true;
  /// Sum over the counted tokens.
  double lossSum = 0;
  double normSquared = 0;
  bool ok = true;
};

class Executor {
public:
  /// Allocates everything that the bundle's plan says and loads its code. The
  /// device is that of the plan's target, unless one is given.
  static Expected<std::unique_ptr<Executor>>
  create(Bundle bundle, std::unique_ptr<Device> device = nullptr);

  const plan::Plan &plan() const { return *bundle.plan; }
  const Bundle &source() const { return bundle; }
  Device &runsOn() { return *device; }
  Parameters &parameters() { return tensors; }
  /// Bytes of all arenas.
  uint64_t memoryBytes() const { return program.bytes(); }
  bool has(const char *entry) const { return findEntry(plan(), entry); }

  /// Fails unless an entry has the inputs and scalars that its function below
  /// uses, with [sequenceLength, microBatchSize] tokens and labels.
  Status checkTraining(int64_t sequenceLength, int64_t microBatchSize,
                       int64_t microBatches) const;

  Expected<StepResult> trainStep(const StepScalars &scalars,
                                 MicroBatches &batches);
  /// The sum of the losses of one micro-batch's counted tokens.
  Expected<double> evaluate(MicroBatches &batches);
  /// Runs the entry `logits` on its T tokens; the result is [T, 1, vocabulary],
  /// valid until the next call.
  Expected<std::span<const float>> logits(std::span<const int32_t> tokens);

  /// Must outlive the executor.
  void observe(InstructionObserver &observer) {
    observers.push_back(&observer);
  }

private:
  Executor(Bundle bundle, std::unique_ptr<Device> device, Program program)
      : bundle(std::move(bundle)), device(std::move(device)),
        program(std::move(program)),
        tensors(Parameters::of(*this->bundle.plan, this->program)) {}

  template <typename T> T *scalar(const char *role) const;
  Status checkEntry(const char *name, int64_t sequenceLength,
                    int64_t microBatchSize) const;

  Bundle bundle;
  std::unique_ptr<Device> device;
  Program program;
  Parameters tensors;
  std::vector<InstructionObserver *> observers;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_EXECUTOR_H

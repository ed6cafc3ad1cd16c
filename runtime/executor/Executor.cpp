// Entries and the scalars around them.
#include "runtime/executor/Executor.h"

#include <cstring>

namespace llmc::rt {

Expected<std::unique_ptr<Executor>>
Executor::create(Bundle bundle, std::unique_ptr<Device> device) {
  const plan::Plan &plan = *bundle.plan;
  if (!device) {
    Expected<std::unique_ptr<Device>> made =
        createDevice(textOf(plan.target()), plan.threads());
    if (!made)
      return Status::error("'" + bundle.directory + "': " + made.message());
    device = std::move(*made);
  }
  Expected<Program> program =
      Program::create(plan, *device, bundle.path(bundle::kernels));
  if (!program)
    return program.takeStatus();
  return std::unique_ptr<Executor>(
      new Executor(std::move(bundle), std::move(device), std::move(*program)));
}

template <typename T> T *Executor::scalar(const char *role) const {
  const plan::Scalar *found = findScalar(plan(), role);
  return found ? reinterpret_cast<T *>(program.address(*found->ref()))
               : nullptr;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string shapeText(const flatbuffers::Vector<int64_t> &shape) {
  std::string text;
  for (int64_t dimension : shape)
    text += (text.empty() ? "" : " x ") + std::to_string(dimension);
  return text;
}

Status Executor::checkEntry(const char *name, int64_t sequenceLength,
                            int64_t microBatchSize) const {
  std::string where = "'" + bundle.directory + "', entry '" + name + "'";
  if (!has(name))
    return Status::error(where + ": missing");
  for (const char *role : {"tokens", "labels"}) {
    const plan::Input *input = findInput(plan(), name, role);
    if (!input)
      return Status::error(where + ": has no input '" + role + "'");
    const auto &shape = *input->shape();
    if (shape.size() != 2 || shape.Get(0) != sequenceLength ||
        shape.Get(1) != microBatchSize)
      return Status::error(where + ": input '" + role + "' is " +
                           shapeText(shape) + ", the settings say " +
                           std::to_string(sequenceLength) + " x " +
                           std::to_string(microBatchSize));
  }
  return Status::success();
}

Status Executor::checkTraining(int64_t sequenceLength, int64_t microBatchSize,
                               int64_t microBatches) const {
  if (Status status =
          checkEntry(entry::trainStep, sequenceLength, microBatchSize);
      !status)
    return status;
  int64_t found = microBatchesOf(*findEntry(plan(), entry::trainStep));
  if (found != microBatches)
    return Status::error("'" + bundle.directory +
                         "', entry 'train_step': " + std::to_string(found) +
                         " micro-batches, the settings say " +
                         std::to_string(microBatches));
  for (const char *role :
       {"lr", "t", "clip", "inv_scale", "seed", "loss", "norm_squared", "ok"})
    if (!findScalar(plan(), role))
      return Status::error("'" + bundle.directory + "': no scalar '" + role +
                           "'");
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

namespace {

/// Hands the addresses of an entry's inputs to the source of micro-batches.
class BatchFiller : public InputFiller {
public:
  BatchFiller(const plan::Plan &plan, const Program &program, const char *entry,
              MicroBatches &batches)
      : program(program), batches(batches),
        tokens(findInput(plan, entry, "tokens")),
        labels(findInput(plan, entry, "labels")) {}

  bool beginMicroBatch(int64_t micro, uint32_t slot) override {
    return batches.fill(micro, address(tokens, slot), address(labels, slot));
  }

private:
  int32_t *address(const plan::Input *input, uint32_t slot) const {
    return input ? reinterpret_cast<int32_t *>(
                       program.address(*input->ref(), slot))
                 : nullptr;
  }

  const Program &program;
  MicroBatches &batches;
  const plan::Input *tokens;
  const plan::Input *labels;
};

class GivenTokens : public MicroBatches {
public:
  explicit GivenTokens(std::span<const int32_t> given) : given(given) {}
  bool fill(int64_t, int32_t *tokens, int32_t *) override {
    std::memcpy(tokens, given.data(), given.size_bytes());
    return true;
  }

private:
  std::span<const int32_t> given;
};

} // namespace

Expected<StepResult> Executor::trainStep(const StepScalars &scalars,
                                         MicroBatches &batches) {
  *scalar<float>("lr") = float(scalars.lr);
  *scalar<int64_t>("t") = scalars.t;
  *scalar<float>("clip") = float(scalars.clip);
  *scalar<float>("inv_scale") = 1.0f;
  *scalar<float>("seed") = float(scalars.seed);
  BatchFiller filler(plan(), program, entry::trainStep, batches);
  Expected<bool> complete =
      program.run(*findEntry(plan(), entry::trainStep), filler, observers);
  if (!complete)
    return complete.takeStatus();
  StepResult result;
  result.complete = *complete;
  result.lossSum = *scalar<float>("loss");
  result.normSquared = *scalar<float>("norm_squared");
  // A device that only records writes no scalars.
  result.ok = !device->computes() || *scalar<uint8_t>("ok") != 0;
  return result;
}

Expected<double> Executor::evaluate(MicroBatches &batches) {
  BatchFiller filler(plan(), program, entry::evaluate, batches);
  Expected<bool> complete =
      program.run(*findEntry(plan(), entry::evaluate), filler, observers);
  if (!complete)
    return complete.takeStatus();
  return double(*scalar<float>("loss"));
}

Expected<std::span<const float>>
Executor::logits(std::span<const int32_t> tokens) {
  const plan::Input *input = findInput(plan(), entry::logits, "tokens");
  const plan::Input *output = findInput(plan(), entry::logits, "logits");
  if (!has(entry::logits) || !input || !output)
    return Status::error("'" + bundle.directory +
                         "': no entry 'logits' with tokens and logits");
  if (input->ref()->bytes() != tokens.size_bytes())
    return Status::error("'" + bundle.directory + "': entry 'logits' has " +
                         std::to_string(input->ref()->bytes() / 4) +
                         " tokens, expected " + std::to_string(tokens.size()));
  GivenTokens given(tokens);
  BatchFiller filler(plan(), program, entry::logits, given);
  Expected<bool> complete =
      program.run(*findEntry(plan(), entry::logits), filler, observers);
  if (!complete)
    return complete.takeStatus();
  return std::span<const float>(
      reinterpret_cast<const float *>(program.address(*output->ref())),
      output->ref()->bytes() / sizeof(float));
}

} // namespace llmc::rt

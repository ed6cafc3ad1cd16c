// Opens data, memory, checkpoints and outputs, and says what was found.
#include "runtime/executor/Trainer.h"

#include <algorithm>
#include <cstdio>

namespace llmc::rt {

Trainer::Trainer(std::unique_ptr<Executor> executor,
                 const RunSettings &settings, const RunOptions &options,
                 BatchReader reader, RunLocks locks)
    : settings(settings), options(options), locks(std::move(locks)),
      executor(std::move(executor)), reader(std::move(reader)),
      store(settings.checkpoint.directory, settings.checkpoint.keep) {
  summary.name = settings.name;
  summary.memoryBytes = int64_t(this->executor->memoryBytes());
  if (!options.traceFile.empty())
    this->executor->observe(trace.emplace(this->executor->plan()));
  if (options.checkFinite)
    this->executor->observe(finite.emplace(this->executor->plan()));
}

Expected<std::unique_ptr<Trainer>> Trainer::create(Bundle bundle,
                                                   const RunSettings &settings,
                                                   const RunOptions &options) {
  if (settings.data.train.empty())
    return Status::error("the spec has no data.train, expected files to train "
                         "on");
  RunLocks locks;
  for (const std::string &directory : lockedDirectories(settings))
    if (Status status = locks.takeExisting(directory); !status)
      return status;
  // Data first: a wrong path is said before gigabytes are allocated.
  Expected<BatchReader> reader = BatchReader::open(
      settings.data.train, settings.data.format, settings.train.seed,
      settings.data.shuffle, settings.batchOptions());
  if (!reader)
    return reader.takeStatus();
  Expected<std::unique_ptr<Executor>> executor =
      Executor::create(std::move(bundle));
  if (!executor)
    return executor.takeStatus();
  if (Status status = (*executor)->checkTraining(settings.train.sequenceLength,
                                                 settings.train.microBatchSize,
                                                 settings.microBatches());
      !status)
    return status;
  std::unique_ptr<Trainer> trainer(new Trainer(std::move(*executor), settings,
                                               options, std::move(*reader),
                                               std::move(locks)));
  for (Status (Trainer::*start)() :
       {&Trainer::openData, &Trainer::chooseLength, &Trainer::loadState,
        &Trainer::checkFirstTokens, &Trainer::openOutputs})
    if (Status status = (trainer.get()->*start)(); !status)
      return status;
  trainer->describe();
  return trainer;
}

Status Trainer::openData() {
  if (settings.data.validation.empty())
    return Status::success();
  if (!executor->has(entry::evaluate))
    return Status::error("'" + executor->source().directory +
                         "': no entry 'evaluate', but data.validation is "
                         "given");
  Expected<ValidationReader> opened = ValidationReader::open(
      settings.data.validation, settings.data.format, settings.validate.windows,
      settings.batchOptions());
  if (!opened)
    return Status::error("data.validation: " + opened.message());
  validation.emplace(std::move(*opened));
  return Status::success();
}

/// What single settings cannot show, as `--set` changes one after the other.
static Status checkSchedule(const RunSettings::Train &train) {
  const LearningRateSchedule &schedule = train.schedule;
  if (schedule.kind == ScheduleKind::Wsd && schedule.decaySteps < 1)
    return Status::error("train.lr_schedule wsd has no decay_steps, expected "
                         "decay_steps of at least 1");
  if (train.endStep && *train.endStep <= schedule.warmupSteps)
    return Status::error("train.lr_schedule.end_step " +
                         std::to_string(*train.endStep) +
                         " is not more than warmup_steps " +
                         std::to_string(schedule.warmupSteps));
  return Status::success();
}

Status Trainer::chooseLength() {
  if (Status status = checkSchedule(settings.train); !status)
    return status;
  if (settings.train.trainSteps) {
    lastStep = *settings.train.trainSteps;
    return Status::success();
  }
  Expected<EpochSteps> epochs =
      stepsOfEpochs(reader.windowsPerEpoch(), uint64_t(*settings.data.epochs),
                    uint64_t(settings.train.globalBatchSize));
  if (!epochs)
    return epochs.takeStatus();
  lastStep = int64_t(epochs->steps);
  summary.windowsLeft = epochs->windowsLeft;
  notes.push_back(
      "data: " + std::to_string(reader.windowsPerEpoch()) +
      " windows an epoch, " + std::to_string(*settings.data.epochs) +
      (*settings.data.epochs == 1 ? " epoch, " : " epochs, ") +
      std::to_string(lastStep) + " steps; " +
      (epochs->windowsLeft == 0
           ? std::string("no window is left")
           : "the last " + std::to_string(epochs->windowsLeft) +
                 " windows do not fill a global batch and are not trained on"));
  return Status::success();
}

Status Trainer::loadState() {
  Expected<std::optional<std::string>> checkpoint =
      chooseCheckpoint(settings, options.overwrite);
  if (!checkpoint)
    return checkpoint.takeStatus();
  const std::optional<std::string> &weights = settings.model.weights;
  Parameters &parameters = executor->parameters();
  if (!*checkpoint && !weights) {
    weightsFrom =
        "weights: from the seed " + std::to_string(settings.train.seed);
    parameters.initialise(settings.train.seed);
    return Status::success();
  }
  if (!*checkpoint) {
    weightsFrom = "weights: from '" + *weights + "'";
    return parameters.loadWeights(*weights, settings.model.weightsPrefix,
                                  settings.model.weightsBuffers);
  }

  Expected<ResumePoint> point =
      checkResume(**checkpoint, settings, reader.windowsPerEpoch());
  if (!point)
    return point.takeStatus();
  // Loading must succeed as a whole before the run directory is touched.
  if (Status status = CheckpointStore::load(**checkpoint, parameters.tensors());
      !status)
    return damagedCheckpoint(**checkpoint, settings, status.message());
  finished = point->state.step;
  totalTokens = point->state.totalTokens;
  reader.seek(point->state.windows);
  saved = settings.checkpoint.resume == "auto" ? finished : -1;
  summary.checkpoint = **checkpoint;
  weightsFrom =
      "weights: from checkpoint '" + **checkpoint + "', step " +
      std::to_string(finished) +
      (weights ? "; it wins over model.weights '" + *weights + "'" : "");
  for (const std::string &difference : point->notes)
    notes.push_back("note: " + difference);
  return Status::success();
}

/// Data of another vocabulary shows in the first batch: it is read before
/// anything is written.
Status Trainer::checkFirstTokens() {
  if (finished >= lastStep)
    return Status::success();
  uint64_t position = reader.position();
  Expected<int64_t> counted = reader.nextBatch();
  reader.seek(position);
  if (!counted || !validation)
    return counted ? Status::success() : counted.takeStatus();
  Expected<int64_t> labels = validation->load(0);
  return labels ? Status::success() : labels.takeStatus();
}

Status Trainer::openOutputs() {
  // Written when the run ends, which is late to find that it cannot be.
  if (!options.traceFile.empty())
    if (Status status = writeFileAtomically(options.traceFile, ""); !status)
      return status;
  if (Status status = prepareRunDirectory(settings, options.overwrite, locks);
      !status)
    return status;
  Expected<MetricsWriter> opened =
      MetricsWriter::open(settings.log.directory + "/metrics.jsonl", finished);
  if (!opened)
    return opened.takeStatus();
  metrics.emplace(std::move(*opened));
  firstStep = finished;
  stopStep = lastStep;
  if (options.steps && *options.steps < lastStep - finished)
    stopStep = finished + *options.steps;
  summary.plannedSteps = lastStep;
  settings.train.schedule.endStep = settings.train.endStep.value_or(lastStep);
  progress.emplace(options.output, stopStep, settings.log.every);
  return Status::success();
}

static std::string countText(uint64_t n, const std::string &what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

void Trainer::describe() {
  const RunSettings::Train &train = settings.train;
  progress->note(weightsFrom);
  char memory[64];
  std::snprintf(memory, sizeof(memory), "%.1f MiB",
                double(executor->memoryBytes()) / (1 << 20));
  progress->note(settings.name + ": " +
                 countText(executor->parameters().elements(), "parameter") +
                 ", " + memory + " in all arenas, " +
                 countText(executor->plan().threads(), "thread"));
  progress->note(
      "batch: " + std::to_string(train.globalBatchSize) + " x " +
      std::to_string(train.sequenceLength) + " = " +
      std::to_string(train.globalBatchSize * train.sequenceLength) +
      " tokens per step, " +
      countText(uint64_t(settings.microBatches()), "accumulation step") +
      " of " + std::to_string(train.microBatchSize));
  for (const std::string &note : notes)
    progress->note(note);
  if (!computes())
    progress->note("note: the null device computes nothing: no checkpoint is "
                   "saved");
}

} // namespace llmc::rt

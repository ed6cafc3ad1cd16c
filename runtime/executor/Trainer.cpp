// Steps, validations, checkpoints, and the ways in which a run ends.
#include "runtime/executor/Trainer.h"

#include "runtime/executor/AllocationMark.h"
#include "runtime/executor/Interrupts.h"
#include "test/faults/Fault.h"

#include <cmath>
#include <limits>

namespace llmc::rt {

namespace {

class TrainingBatches : public MicroBatches {
public:
  explicit TrainingBatches(const BatchReader &reader) : reader(reader) {}

  /// A step is left between micro-batches when the run was interrupted: a large
  /// batch may take minutes.
  bool fill(int64_t micro, int32_t *tokens, int32_t *labels) override {
    if (micro > 0 && Interrupts::pending())
      return false;
    reader.fill(micro, /*replica=*/0, tokens, labels);
    return true;
  }

private:
  const BatchReader &reader;
};

class ValidationBatches : public MicroBatches {
public:
  explicit ValidationBatches(const ValidationReader &reader) : reader(reader) {}

  bool fill(int64_t, int32_t *tokens, int32_t *labels) override {
    reader.fill(/*replica=*/0, tokens, labels);
    return true;
  }

private:
  const ValidationReader &reader;
};

/// A NaN that was computed may carry a sign, which means nothing.
double withoutSignOfNan(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

std::string numberText(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

} // namespace

RunEnd Trainer::run(Bundle bundle, const RunSettings &settings,
                    const RunOptions &options) {
  WriteSignalsIgnored ignored;
  Expected<std::unique_ptr<Trainer>> trainer =
      create(std::move(bundle), settings, options);
  if (!trainer)
    return {exitcode::wrong, trainer.message()};
  return (*trainer)->loop();
}

RunEnd Trainer::loop() {
  Interrupts interrupts;
  RunEnd end = trainSteps();
  progress->finish();
  writeOutcome(end);
  if (trace) {
    Status written = trace->write(options.traceFile);
    if (!written && end.code == exitcode::done)
      end = {exitcode::fault, written.message()};
  }
  return end;
}

RunEnd Trainer::trainSteps() {
  if (finished >= lastStep) {
    progress->note("nothing to do: step " + std::to_string(finished) + " of " +
                   std::to_string(lastStep) + " is reached");
    return {};
  }
  if (finished == 0 && validation)
    if (RunEnd end = validate(); end.code != exitcode::done)
      return end;
  markInterval("start");
  while (finished < stopStep) {
    if (Interrupts::pending())
      return interrupted();
    if (RunEnd end = step(); end.code != exitcode::done)
      return end;
    if (RunEnd end = afterStep(); end.code != exitcode::done)
      return end;
    if (timeIsUp())
      break;
  }
  return saved == finished ? RunEnd{} : save();
}

bool Trainer::computes() const {
  return executor->plan().target()->string_view() != "null";
}

bool Trainer::timeIsUp() const {
  std::chrono::duration<double> elapsed = Clock::now() - started;
  return settings.stopAfter && elapsed.count() >= *settings.stopAfter;
}

//===----------------------------------------------------------------------===//
// A step
//===----------------------------------------------------------------------===//

RunEnd Trainer::step() {
  Clock::time_point begin = Clock::now();
  uint64_t position = reader.position();
  Expected<int64_t> counted = reader.nextBatch();
  if (!counted) {
    reader.seek(position);
    return saveThenFail(exitcode::wrong, counted.message());
  }
  StepScalars scalars;
  scalars.lr = settings.train.schedule.at(
      finished + (LLMC_FAULT("trainer-next-lr") ? 1 : 0));
  scalars.t = finished + 1;
  scalars.clip =
      settings.train.clipGrad.value_or(std::numeric_limits<double>::infinity());
  // Without a label there is nothing to learn: all gradients are zero.
  scalars.seed = *counted > 0 ? 1.0 / double(*counted) : 0;
  if (LLMC_FAULT("trainer-seed-of-all-labels"))
    scalars.seed = 1.0 / double(settings.train.globalBatchSize *
                                settings.train.sequenceLength);
  if (trace)
    trace->beginStep(finished + 1);
  TrainingBatches batches(reader);
  Expected<StepResult> result = executor->trainStep(scalars, batches);
  if (!result)
    return {exitcode::fault,
            "step " + std::to_string(finished + 1) + ": " + result.message()};
  if (!result->complete) {
    reader.seek(position);
    return interrupted();
  }
  ++finished;
  double loss =
      withoutSignOfNan(*counted > 0 ? result->lossSum / double(*counted) : 0);
  if (Status status = report(*result, loss, *counted, scalars.lr, begin);
      !status)
    return {exitcode::fault, status.message()};
  return nonfinite(*result, loss);
}

Status Trainer::report(const StepResult &result, double loss, int64_t counted,
                       double lr, Clock::time_point begin) {
  totalTokens += uint64_t(counted);
  std::chrono::duration<double> elapsed = Clock::now() - begin;
  StepMetrics line;
  line.step = finished;
  line.loss = loss;
  line.gradNorm = withoutSignOfNan(std::sqrt(result.normSquared));
  line.lr = lr;
  line.tokens = counted;
  line.totalTokens = int64_t(totalTokens);
  line.stepSeconds = elapsed.count();
  line.tokensPerSecond = double(counted) / elapsed.count();
  line.memoryBytes = summary.memoryBytes;
  summary.loss = loss;
  progress->step(line);
  return metrics->writeStep(line);
}

RunEnd Trainer::nonfinite(const StepResult &result, double loss) {
  if (!computes())
    return {};
  std::optional<std::string> finding = finite ? finite->take() : std::nullopt;
  if (result.ok && std::isfinite(loss) && !finding) {
    skipped = 0;
    return {};
  }
  std::string text =
      "step " + std::to_string(finished) + ": loss " + numberText(loss) +
      ", gradient norm " +
      numberText(withoutSignOfNan(std::sqrt(result.normSquared))) +
      ", expected finite numbers";
  if (finding)
    text += "; first " + *finding;
  if (settings.train.skipNonfinite) {
    progress->note(text + "; the step is skipped");
    if (++skipped < mostSkipped)
      return {};
    return saveThenFail(exitcode::policy, std::to_string(skipped) +
                                              " steps in a row were skipped; " +
                                              text);
  }
  return {exitcode::policy,
          text +
              "; stopped, as train.on_nonfinite says; the weights before "
              "the step are " +
              (summary.checkpoint.empty()
                   ? std::string("not saved")
                   : "at best in '" + summary.checkpoint + "'")};
}

RunEnd Trainer::afterStep() {
  markInterval("step");
  bool last = finished == lastStep;
  RunEnd end;
  if (validation && (last || finished % settings.validate.every == 0))
    end = validate();
  if (end.code == exitcode::done &&
      (last || finished % settings.checkpoint.every == 0))
    end = save();
  markInterval("between");
  return end;
}

//===----------------------------------------------------------------------===//
// Validation and checkpoints
//===----------------------------------------------------------------------===//

RunEnd Trainer::validate() {
  double sum = 0;
  int64_t counted = 0;
  ValidationBatches batches(*validation);
  for (int64_t micro = 0; micro < validation->microBatches(); ++micro) {
    if (Interrupts::pending())
      return interrupted();
    Expected<int64_t> labels = validation->load(micro);
    if (!labels)
      return saveThenFail(exitcode::wrong, labels.message());
    Expected<double> loss = executor->evaluate(batches);
    if (!loss)
      return {exitcode::fault, "validation: " + loss.message()};
    sum += *loss;
    counted += *labels;
  }
  double mean = counted > 0 ? sum / double(counted) : 0;
  summary.validationLoss = mean;
  progress->validation(finished, mean);
  if (Status status = metrics->writeValidation(finished, mean); !status)
    return {exitcode::fault, status.message()};
  return {};
}

RunEnd Trainer::save() {
  if (!computes()) {
    saved = finished;
    return {};
  }
  CheckpointState state;
  state.step = finished;
  state.windows = reader.position();
  state.seed = settings.train.seed;
  state.specHash = settings.spec.hash;
  state.totalTokens = totalTokens;
  state.windowsPerEpoch = reader.windowsPerEpoch();
  Status status = store.save(state, executor->parameters().tensors(),
                             {{checkpointfile::settings, settings.toJson()},
                              {checkpointfile::spec, settings.spec.text},
                              {checkpointfile::config, settings.model.config}});
  if (!status)
    return {exitcode::fault,
            "step " + std::to_string(finished) +
                ": the checkpoint is not saved: " + status.message()};
  saved = finished;
  summary.checkpoint = store.pathOf(finished);
  progress->note("checkpoint '" + summary.checkpoint + "' saved");
  return {};
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

RunEnd Trainer::interrupted() {
  int signal = Interrupts::pending();
  progress->note("interrupted: saving, once more ends at once");
  if (saved != finished)
    if (RunEnd end = save(); end.code != exitcode::done)
      return end;
  return {128 + signal,
          "interrupted after step " + std::to_string(finished) +
              (computes() ? "; saved in '" + summary.checkpoint + "'"
                          : "; the null device has nothing to save")};
}

RunEnd Trainer::saveThenFail(int code, const std::string &message) {
  if (saved == finished || finished == firstStep)
    return {code, message};
  RunEnd end = save();
  return {code,
          end.code == exitcode::done ? message : message + "; " + end.message};
}

void Trainer::writeOutcome(const RunEnd &end) {
  std::chrono::duration<double> elapsed = Clock::now() - started;
  summary.outcome = end.code == exitcode::done     ? "finished"
                    : end.code == exitcode::policy ? "stopped"
                    : end.code > 128               ? "interrupted"
                                                   : "failed";
  if (end.code == exitcode::done && finished < lastStep)
    summary.outcome = "stopped";
  summary.reason = end.message;
  summary.steps = finished;
  summary.totalTokens = int64_t(totalTokens);
  summary.seconds = elapsed.count();
  Status status =
      writeSummary(settings.log.directory + "/summary.json", summary);
  // The run's own end is what matters; a full disk is told once.
  if (!status && end.code == exitcode::done)
    progress->note("note: " + status.message());
}

} // namespace llmc::rt

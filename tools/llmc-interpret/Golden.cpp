// Replays a golden trajectory in the interpreter.
#include "tools/llmc-interpret/Golden.h"
#include "runtime/base/Json.h"
#include "runtime/data/BatchReader.h"
#include "tools/llmc-interpret/ParameterFiles.h"

#include "llvm/Support/Format.h"

#include <cmath>

namespace llmc::interpret {
namespace {

using reference::Results;
using reference::Value;

/// Of loss and gradient norm, relative.
constexpr double kTrajectoryLimit = 1e-10;
/// Of a gradient: half a unit of the last place of float32, and what float64
/// sums in another order differ by, relative to the largest gradient.
constexpr double kFloat32Rounding = 6e-8;
constexpr double kSumRounding = 1e-12;

struct Step {
  double loss, gradientNorm, lr;
};

struct Recipe {
  rt::BatchOptions batch;
  double clip = std::numeric_limits<double>::infinity();
  std::vector<Step> steps;
};

/// Follows `path` through objects; fails unless it ends at a number.
rt::Status readNumber(const rt::Json &json, const std::string &key,
                      double &number) {
  auto it = json.find(key);
  if (!json.is_object() || it == json.end() || !it->is_number())
    return rt::Status::error("'" + key + "' is no number");
  number = it->get<double>();
  return rt::Status::success();
}

rt::Status readOptional(const rt::Json &json, const std::string &key,
                        std::optional<int64_t> &number) {
  auto it = json.find(key);
  if (it == json.end() || it->is_null())
    return rt::Status::success();
  double value = 0;
  rt::Status status = readNumber(json, key, value);
  number = static_cast<int64_t>(value);
  return status;
}

rt::Status readExpected(const rt::Json &json, Recipe &recipe) {
  double rows = 0;
  if (rt::Status status = readNumber(json, "global_batch_size", rows); !status)
    return status;
  recipe.batch.globalBatchSize = static_cast<int64_t>(rows);
  if (json.contains("clip_grad") && !json["clip_grad"].is_null())
    if (rt::Status status = readNumber(json, "clip_grad", recipe.clip); !status)
      return status;
  auto attention = json.find("attention"), steps = json.find("steps");
  if (attention == json.end() || !attention->is_object() ||
      steps == json.end() || !steps->is_array())
    return rt::Status::error("'attention' or 'steps' is missing");
  if (rt::Status status =
          readOptional(*attention, "ignore_label", recipe.batch.ignoreLabel);
      !status)
    return status;
  for (const rt::Json &entry : *steps) {
    Step step;
    for (auto [key, number] : {std::pair("loss", &step.loss),
                               {"grad_norm", &step.gradientNorm},
                               {"lr", &step.lr}})
      if (rt::Status status = readNumber(entry, key, *number); !status)
        return status;
    recipe.steps.push_back(step);
  }
  return rt::Status::success();
}

rt::Expected<Recipe> readRecipe(const std::string &directory) {
  rt::Expected<rt::Json> expected =
      rt::readJsonFile(directory + "/expected.json");
  if (!expected)
    return rt::Status::error(expected.message());
  rt::Expected<rt::Json> config = rt::readJsonFile(directory + "/config.json");
  if (!config)
    return rt::Status::error(config.message());
  Recipe recipe;
  double vocabulary = 0;
  if (rt::Status status = readNumber(*config, "vocab_size", vocabulary);
      !status)
    return rt::Status::error(directory + "/config.json: " + status.message());
  recipe.batch.vocabSize = static_cast<int64_t>(vocabulary);
  if (rt::Status status = readExpected(*expected, recipe); !status)
    return rt::Status::error(directory + "/expected.json: " + status.message());
  return recipe;
}

/// The arguments of one micro-batch of the batch read last.
Results microbatchArguments(const reference::Signature &signature,
                            const rt::BatchReader &reader, int64_t microbatch) {
  const rt::BatchOptions &options = reader.options();
  std::vector<int32_t> tokens(options.sequenceLength * options.microBatchSize);
  std::vector<int32_t> labels(tokens.size());
  reader.fill(microbatch, /*replica=*/0, tokens.data(), labels.data());
  std::vector<int64_t> shape{options.sequenceLength, options.microBatchSize};
  Results arguments;
  for (const reference::Signature::Argument &argument : signature.arguments) {
    if (argument.role == "tokens")
      arguments.push_back(
          {shape, std::vector<double>(tokens.begin(), tokens.end())});
    else if (argument.role == "labels")
      arguments.push_back(
          {shape, std::vector<double>(labels.begin(), labels.end())});
    else
      arguments.push_back(Value::scalar(0));
  }
  return arguments;
}

/// Takes the shapes of a micro-batch from the tokens.
rt::Status takeShapes(const reference::Signature &signature,
                      rt::BatchOptions &options) {
  for (const reference::Signature::Argument &argument : signature.arguments)
    if (argument.role == "tokens") {
      llvm::ArrayRef<int64_t> shape = reference::shapeOf(argument.type);
      options.sequenceLength = shape[0];
      options.microBatchSize = shape[1];
    }
  if (options.microBatchSize <= 0 ||
      options.globalBatchSize % options.microBatchSize != 0)
    return rt::Status::error("the module takes micro-batches of " +
                             std::to_string(options.microBatchSize) +
                             " rows, the case batches of " +
                             std::to_string(options.globalBatchSize));
  return rt::Status::success();
}

/// The largest |a - b| / max(1e-300, |b|).
void see(double a, double b, double &worst) {
  double relative = std::abs(a - b) / std::max(std::abs(b), 1e-300);
  worst = relative <= worst      ? worst
          : std::isnan(relative) ? std::numeric_limits<double>::infinity()
                                 : relative;
}

/// How far the gradients are outside their limit: 1 is at the limit.
double gradientExcess(const std::map<std::string, Value> &gradients,
                      const std::map<std::string, Value> &expected,
                      std::string &where) {
  double largest = 0, worst = 0;
  for (const auto &[name, value] : expected)
    for (double element : value.data)
      largest = std::max(largest, std::abs(element));
  for (const auto &[name, value] : expected) {
    auto it = gradients.find(name);
    for (int64_t i = 0; i < value.size(); ++i) {
      double got = it == gradients.end() ? 0 : it->second[i];
      double limit =
          kFloat32Rounding * std::abs(value[i]) + kSumRounding * largest;
      double excess = std::abs(got - value[i]) / limit;
      if (!(excess <= worst)) {
        worst = std::isnan(excess) ? std::numeric_limits<double>::infinity()
                                   : excess;
        where = name;
      }
    }
  }
  return worst;
}

/// Everything that a replay keeps between steps.
struct Replay {
  mlir::ModuleOp module;
  reference::Signature signature;
  rt::BatchReader reader;
  std::unique_ptr<reference::StepRunner> runner;

  /// Runs a step; `loss` becomes the mean over counted labels.
  mlir::FailureOr<reference::StepResult> run(reference::StepScalars scalars,
                                             double &loss) {
    rt::Expected<int64_t> counted = reader.nextBatch();
    if (!counted)
      return module.emitError(counted.message());
    scalars.seed = 1 / static_cast<double>(*counted);
    std::vector<Results> microbatches;
    for (int64_t m = 0; m < reader.options().microBatches(); ++m)
      microbatches.push_back(microbatchArguments(signature, reader, m));
    auto result = runner->runStep(microbatches, scalars);
    loss = 0;
    if (mlir::succeeded(result))
      for (const Results &yielded : result->microbatches)
        loss += yielded[0].number() * scalars.seed;
    return result;
  }
};

mlir::LogicalResult
replay(Replay &replay, const Recipe &recipe,
       const std::map<std::string, Value> &expectedGradients,
       llvm::raw_ostream &os) {
  double worstLoss = 0, worstNorm = 0, excess = 0;
  std::string where;
  int64_t number = 0;
  for (const Step &step : recipe.steps) {
    double loss = 0;
    reference::StepScalars scalars;
    scalars.lr = step.lr;
    scalars.step = ++number;
    scalars.clip = recipe.clip;
    auto result = replay.run(scalars, loss);
    mlir::FailureOr<reference::State> state = replay.runner->state();
    if (mlir::failed(result) || mlir::failed(state))
      return mlir::failure();
    see(loss, step.loss, worstLoss);
    see(result->gradientNorm, step.gradientNorm, worstNorm);
    if (number == 1)
      excess = gradientExcess(state->gradients, expectedGradients, where);
  }
  os << number << " steps: loss within " << llvm::format("%.1e", worstLoss)
     << ", gradient norm within " << llvm::format("%.1e", worstNorm)
     << ", gradients of step 1 at " << llvm::format("%.2f", excess)
     << " of their limit (" << where << ")\n";
  bool good = worstLoss <= kTrajectoryLimit && worstNorm <= kTrajectoryLimit &&
              excess <= 1;
  os << (good ? "agrees\n" : "differs\n");
  return mlir::success(good);
}

} // namespace

mlir::LogicalResult checkGolden(mlir::ModuleOp module,
                                const std::string &directory,
                                llvm::raw_ostream &os) {
  auto signature = reference::signatureOf(module, "train");
  if (mlir::failed(signature))
    return mlir::failure();
  rt::Expected<Recipe> recipe = readRecipe(directory);
  if (!recipe)
    return module.emitError(recipe.message());
  if (rt::Status status = takeShapes(*signature, recipe->batch); !status)
    return module.emitError(status.message());
  rt::Expected<rt::BatchReader> reader = rt::BatchReader::open(
      {{{directory + "/tokens.bin"}}}, rt::TokenFormat::Llmc, /*seed=*/1,
      /*shuffle=*/false, recipe->batch);
  if (!reader)
    return module.emitError(reader.message());
  auto parameters = readParameters(module, directory + "/model.safetensors");
  if (!parameters)
    return module.emitError(parameters.message());
  auto gradients = readParameters(module, directory + "/grads0.safetensors");
  if (!gradients)
    return module.emitError(gradients.message());
  reference::State initial;
  initial.parameters = std::move(*parameters);
  auto runner = reference::StepRunner::create(module, std::move(initial));
  if (!runner)
    return mlir::failure();
  Replay state{module, std::move(*signature), std::move(*reader),
               std::move(runner)};
  return replay(state, *recipe, *gradients, os);
}

} // namespace llmc::interpret

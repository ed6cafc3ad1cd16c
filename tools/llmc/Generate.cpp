// llmc generate: samples text from a checkpoint of a byte-level model.
#include "runtime/base/Philox.h"
#include "runtime/data/ByteTokenizer.h"
#include "runtime/executor/Executor.h"
#include "runtime/executor/RunDirectory.h"
#include "tools/llmc/BundleCache.h"
#include "tools/llmc/Commands.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace cl = llvm::cl;
using namespace llmc;

namespace {

cl::SubCommand generateCommand("generate", "Sample text from a checkpoint");
cl::opt<std::string> checkpoint(cl::Positional, cl::desc("CHECKPOINT"),
                                cl::Required, cl::sub(generateCommand));
cl::opt<std::string> prompt("prompt", cl::desc("The text to go on from"),
                            cl::value_desc("TEXT"), cl::Required,
                            cl::sub(generateCommand));
cl::opt<unsigned> tokenCount("tokens", cl::desc("Tokens to add, at most"),
                             cl::value_desc("N"), cl::init(256),
                             cl::sub(generateCommand));
cl::opt<double>
    temperature("temperature",
                cl::desc("Divides the logits; 0 takes the likeliest token"),
                cl::value_desc("T"), cl::init(1.0), cl::sub(generateCommand));
cl::opt<unsigned long long> seed("seed", cl::desc("Of the random numbers"),
                                 cl::value_desc("N"), cl::init(1),
                                 cl::sub(generateCommand));

/// A vocabulary may be padded a little; one that is much larger than the bytes
/// belongs to another tokenizer.
constexpr int64_t maxVocabSize = 2 * 256;

int fail(const std::string &message, int code = tool::kWrongInput) {
  llvm::errs() << "llmc generate: error: " << message << "\n";
  return code;
}

/// The options, taken before compiling: the linker in the compiler resets them.
struct Request {
  std::string prompt = ::prompt;
  unsigned tokens = tokenCount;
  double temperature = ::temperature;
  uint64_t seed = ::seed;
};

/// The token of a row of logits at place `position` of the text: a function of
/// the logits, the seed and the place only.
int32_t sample(std::span<const float> logits, uint64_t position,
               const Request &request) {
  auto likeliest = std::max_element(logits.begin(), logits.end());
  double temperature = request.temperature;
  if (temperature == 0)
    return int32_t(likeliest - logits.begin());
  std::vector<double> upTo;
  double sum = 0;
  for (float logit : logits)
    upTo.push_back(sum += std::exp((double(logit) - *likeliest) / temperature));
  uint64_t bits =
      rt::philox(request.seed, rt::hashName("generate"), position)[0];
  double drawn = double(bits >> 11) / double(uint64_t(1) << 53) * sum;
  auto chosen = std::upper_bound(upTo.begin(), upTo.end(), drawn);
  return int32_t(std::min<size_t>(chosen - upTo.begin(), upTo.size() - 1));
}

/// Prints the prompt and what follows. The program sees the last T tokens;
/// those behind the text are not looked at by the positions before.
int generate(rt::Executor &executor, int64_t sequenceLength, int64_t vocabSize,
             const Request &request) {
  size_t choices = size_t(std::min(vocabSize, rt::ByteTokenizer::vocabSize));
  std::vector<int32_t> text;
  for (unsigned char byte : request.prompt)
    text.push_back(byte);
  llvm::outs() << request.prompt;
  std::vector<int32_t> window(static_cast<size_t>(sequenceLength));
  for (unsigned i = 0; i < request.tokens; ++i) {
    size_t seen = std::min(text.size(), window.size());
    std::fill(window.begin(), window.end(), 0);
    std::copy(text.end() - ptrdiff_t(seen), text.end(), window.begin());
    rt::Expected<std::span<const float>> logits = executor.logits(window);
    if (!logits)
      return fail(logits.message(), tool::kFault);
    int32_t token =
        sample(logits->subspan((seen - 1) * size_t(vocabSize), choices),
               text.size(), request);
    if (token == int32_t(rt::ByteTokenizer::endOfDocument))
      break;
    text.push_back(token);
    llvm::outs() << char(token);
    llvm::outs().flush();
  }
  llvm::outs() << "\n";
  return tool::kDone;
}

int runGenerate() {
  if (prompt.empty())
    return fail("--prompt is empty, expected at least one byte");
  if (!(temperature >= 0) || !std::isfinite(temperature))
    return fail("--temperature " + std::to_string(temperature) +
                ", expected 0 or more");
  Request request;
  rt::Expected<std::string> found = rt::findCheckpoint(checkpoint);
  if (!found)
    return fail(found.message());
  frontend::DiagnosticList diagnostics;
  std::optional<frontend::LoadedSpec> loaded = frontend::loadSpec(
      *found + "/" + rt::checkpointfile::spec, {}, diagnostics);
  if (!loaded) {
    diagnostics.print(std::cerr);
    return tool::kWrongInput;
  }
  int64_t vocabSize = loaded->arch.vocabSize;
  if (vocabSize < 256 || vocabSize > maxVocabSize)
    return fail("a vocabulary of " + std::to_string(vocabSize) +
                " tokens, expected bytes: 256 to " +
                std::to_string(maxVocabSize));

  tool::CachedBundle cached = tool::cachedBundle(*loaded, /*generate=*/true);
  if (cached.code)
    return cached.code;
  rt::Expected<rt::Bundle> bundle = rt::openBundle(cached.directory);
  if (!bundle)
    return fail(bundle.message());
  auto executor = rt::Executor::create(std::move(*bundle));
  if (!executor)
    return fail(executor.message(), tool::kFault);
  if (rt::Status status =
          (*executor)->parameters().loadCheckpointWeights(*found);
      !status)
    return fail(status.message());
  return generate(**executor, loaded->spec.train.sequenceLength, vocabSize,
                  request);
}

tool::Command registration(generateCommand, runGenerate);

} // namespace

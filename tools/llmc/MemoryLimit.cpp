// Bytes needed against bytes there.
#include "tools/llmc/MemoryLimit.h"

#include "llvm/Support/FormatVariadic.h"

#include <unistd.h>

using namespace llmc::frontend;

namespace llmc::tool {

namespace {
/// In double: products of sizes may exceed every integer.
struct Limit {
  double bytes = 0; // 0: not known
  std::string name;
};
} // namespace

static Limit limitOf(const Spec &spec) {
  if (spec.target.memory)
    return {double(*spec.target.memory), "target.memory"};
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (spec.target.device != "cpu" || pages < 1 || size < 1)
    return {};
  return {double(pages) * double(size), "the memory of this machine"};
}

static std::string bytesText(double bytes) {
  constexpr double gibi = double(1 << 30);
  if (bytes < 1 << 20)
    return llvm::formatv("{0:f1} KiB", bytes / 1024).str();
  return bytes < gibi ? llvm::formatv("{0:f1} MiB", bytes / (1 << 20)).str()
                      : llvm::formatv("{0:f1} GiB", bytes / gibi).str();
}

static void check(const Spec &spec, double bytes, const std::string &atLeast,
                  const std::string &parts, DiagnosticList &diagnostics) {
  Limit limit = limitOf(spec);
  if (limit.bytes == 0 || bytes <= limit.bytes)
    return;
  std::string key =
      spec.target.memory ? "target.memory" : "train.micro_batch_size";
  diagnostics.error(spec.markOf(key),
                    "the program needs " + atLeast + bytesText(bytes) + " (" +
                        parts + "), expected at most the " +
                        bytesText(limit.bytes) + " of " + limit.name);
}

void checkLeastMemory(const LoadedSpec &loaded, DiagnosticList &diagnostics) {
  const TrainSection &train = loaded.spec.train;
  const OptimizerSection &optimizer = train.optimizer;
  int copies = optimizer.name == "adamw" ? 4 : optimizer.momentum > 0 ? 3 : 2;
  double weights = 4.0 * copies * double(loaded.arch.parameters);
  double stream =
      4.0 * double(train.microBatchSize) * double(train.sequenceLength) *
      double(loaded.arch.hiddenSize) * double(loaded.arch.layers.size());
  check(loaded.spec, weights + stream, "at least ",
        bytesText(weights) + " of parameters, gradients and moments, " +
            bytesText(stream) + " of activations",
        diagnostics);
}

void checkPlannedMemory(const LoadedSpec &loaded, const CompileSummary &summary,
                        DiagnosticList &diagnostics) {
  std::string largest;
  for (size_t i = 0; i < summary.arenas.size() && i < 3; ++i) {
    const CompileSummary::Arena &arena = summary.arenas[i];
    largest += (i ? ", " : "") + arena.name + " " +
               bytesText(double(arena.bytes) * double(arena.count));
  }
  check(loaded.spec, double(summary.totalBytes()), "", "largest: " + largest,
        diagnostics);
}

} // namespace llmc::tool

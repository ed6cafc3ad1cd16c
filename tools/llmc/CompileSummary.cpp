// What the compiler says of a program: model, memory, instructions.
#include "tools/llmc/CompileSummary.h"

#include "dialects/Exec/Exec.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace llmc::tool {

int64_t CompileSummary::totalBytes() const {
  int64_t total = 0;
  for (const Arena &arena : arenas)
    total += arena.bytes * arena.count;
  return total;
}

static std::string mebibytes(int64_t bytes) {
  return llvm::formatv("{0:f1} MiB", double(bytes) / (1 << 20));
}

/// The rotary convention of the first layer that has one: `half` pairs element
/// d of a head with d + D / 2.
static std::string ropeOf(const std::vector<frontend::BlockItem> &items) {
  for (const frontend::BlockItem &item : items) {
    std::string found;
    if (auto *residual = std::get_if<frontend::Residual>(&item))
      found = ropeOf(residual->items);
    else if (auto *attention = std::get_if<frontend::Attention>(&item);
             attention && attention->rope)
      found = llvm::formatv("half, theta {0:f1}", attention->rope->theta);
    if (!found.empty())
      return found;
  }
  return "";
}

std::string CompileSummary::text() const {
  std::string text = llvm::formatv(
      "{0}: {1}, {2:N} parameters, {3} and {4:N} tokens a step\n"
      "program: {5} kernels, {6} launches and {7} matmuls a micro-batch and "
      "update, {8:f2} GFLOP of matmuls a step\n"
      "memory: {9}\n",
      name, architecture, parameters,
      microbatches == 1
          ? std::string("1 micro-batch")
          : llvm::formatv("{0:N} micro-batches", microbatches).str(),
      tokensPerStep, kernels, launches, matmuls, double(matmulFlops) * 1e-9,
      mebibytes(totalBytes()));
  if (!rope.empty())
    text.insert(text.find('\n') + 1, "rope: layout " + rope + "\n");
  for (const Arena &arena : arenas)
    text += llvm::formatv(
        "  {0,-10} {1,12}{2}\n", arena.name,
        mebibytes(arena.bytes * arena.count),
        arena.count > 1 ? llvm::formatv(" in {0} slots", arena.count).str()
                        : std::string());
  return text;
}

std::string CompileSummary::json() const {
  llvm::json::Object memory;
  for (const Arena &arena : arenas)
    memory[arena.name] = arena.bytes * arena.count;
  llvm::json::Object object{{"name", name},
                            {"architecture", architecture},
                            {"rope", rope},
                            {"parameters", parameters},
                            {"microbatches", microbatches},
                            {"tokens_per_step", tokensPerStep},
                            {"kernels", kernels},
                            {"launches", launches},
                            {"matmuls", matmuls},
                            {"matmul_flops_per_step", matmulFlops},
                            {"memory_bytes", totalBytes()},
                            {"memory", std::move(memory)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
}

CompileSummary summarize(ModuleOp module, const frontend::LoadedSpec &loaded) {
  const frontend::TrainSection &train = loaded.spec.train;
  CompileSummary summary;
  summary.name = loaded.spec.name;
  summary.architecture = loaded.arch.name;
  for (const frontend::Layer &layer : loaded.arch.layers)
    if (summary.rope.empty())
      summary.rope = ropeOf(layer.items);
  summary.parameters = loaded.arch.parameters;
  summary.microbatches = train.globalBatchSize / train.microBatchSize;
  summary.tokensPerStep = train.tokensPerStep();
  module.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](exec::KernelOp) { ++summary.kernels; })
        .Case([&](exec::LaunchOp launch) {
          summary.launches += launch.getWhen() != exec::When::First;
        })
        .Case([&](exec::MatmulOp matmul) {
          // The first and the later micro-batches have one each.
          if (matmul.getWhen() == exec::When::First)
            return;
          ++summary.matmuls;
          summary.matmulFlops += summary.microbatches * 2 * matmul.getM() *
                                 matmul.getN() * matmul.getK();
        })
        .Case([&](exec::ArenaOp arena) {
          summary.arenas.push_back({arena.getSymName().str(),
                                    int64_t(arena.getBytes().value_or(0)),
                                    int64_t(arena.getCount())});
        });
  });
  llvm::sort(summary.arenas, [](const auto &a, const auto &b) {
    return std::pair(-a.bytes * a.count, a.name) <
           std::pair(-b.bytes * b.count, b.name);
  });
  return summary;
}

} // namespace llmc::tool

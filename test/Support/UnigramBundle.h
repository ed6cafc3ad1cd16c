// A bundle built by hand: a model of four logits, whose kernels are in
// Kernels.c. It learns the frequencies of four tokens.
#ifndef LLMC_TEST_SUPPORT_UNIGRAMBUNDLE_H
#define LLMC_TEST_SUPPORT_UNIGRAMBUNDLE_H

#include "runtime/device/cpu/Matmul.h"
#include "runtime/executor/RunSettings.h"
#include "runtime/plan/Bundle.h"
#include "test/Unit/RuntimeBase/TempFiles.h"

namespace llmc::rt {

namespace unigram {

inline constexpr int64_t sequenceLength = 4;
inline constexpr int64_t microBatchSize = 2;
inline constexpr int64_t vocabSize = 4;

using plan::Arena;
using plan::Ref;

// Where things lie. Slots hold tokens, then labels.
inline const Ref weight(Arena::parameter, 0, 16);
inline const Ref gradient(Arena::gradient, 0, 16);
inline const Ref tokens(Arena::slot, 0, 32);
inline const Ref labels(Arena::slot, 32, 32);
inline const Ref lr(Arena::step, 0, 4);
inline const Ref t(Arena::step, 8, 8);
inline const Ref clip(Arena::step, 16, 4);
inline const Ref inverseScale(Arena::step, 20, 4);
inline const Ref seed(Arena::step, 24, 4);
inline const Ref loss(Arena::step, 28, 4);
inline const Ref normSquared(Arena::step, 32, 4);
inline const Ref factor(Arena::step, 36, 4);
inline const Ref ok(Arena::step, 40, 1);

enum Kernel : uint32_t {
  fillLoss,
  fillGradient,
  forwardBackward,
  forward,
  clipFactor,
  descend
};

inline std::unique_ptr<plan::InstructionT>
launch(uint32_t kernel, std::vector<Ref> operands, uint32_t outputs,
       plan::When when = plan::When::always) {
  auto instruction = std::make_unique<plan::InstructionT>();
  instruction->index = kernel;
  instruction->operands = std::move(operands);
  instruction->outputs = outputs;
  instruction->when = when;
  instruction->op = "nn.op" + std::to_string(kernel);
  instruction->layer = int32_t(kernel);
  instruction->location =
      "spec.yaml:" + std::to_string(10 + kernel) + ": unigram";
  return instruction;
}

/// A matmul whose result nobody reads, so that a step has one: 6 x 8 x 4.
inline MatmulDesc matmulDesc() {
  MatmulDesc desc{.m = 6, .n = 8, .k = 4};
  desc.lhsStrides = {4, 1};
  desc.rhsStrides = {1, 4};
  desc.bias = desc.addend = true;
  return desc;
}

inline void addMatmul(plan::PlanT &plan, plan::BlockT &block) {
  MatmulDesc desc = matmulDesc();
  Expected<uint64_t> bytes = matmulWorkspaceBytes(desc, plan.threads);
  auto matmul = std::make_unique<plan::MatmulT>();
  matmul->m = desc.m, matmul->n = desc.n, matmul->k = desc.k;
  matmul->lhs_strides.assign(desc.lhsStrides.begin(), desc.lhsStrides.end());
  matmul->rhs_strides.assign(desc.rhsStrides.begin(), desc.rhsStrides.end());
  matmul->bias = matmul->addend = true;
  matmul->workspace = bytes ? *bytes : 0;
  plan.arenas.back()->bytes = matmul->workspace;
  plan.matmuls.push_back(std::move(matmul));
  auto instruction =
      launch(0,
             {Ref(Arena::scratch, 0, 96), Ref(Arena::scratch, 128, 128),
              Ref(Arena::scratch, 256, 32), Ref(Arena::scratch, 320, 192),
              Ref(Arena::scratch, 512, 192)},
             1);
  instruction->kind = plan::InstructionKind::matmul;
  block.instructions.push_back(std::move(instruction));
}

inline void addScalars(plan::PlanT &plan) {
  for (auto [role, ref] :
       {std::pair("lr", lr), std::pair("t", t), std::pair("clip", clip),
        std::pair("inv_scale", inverseScale), std::pair("seed", seed),
        std::pair("loss", loss), std::pair("norm_squared", normSquared),
        std::pair("factor", factor), std::pair("ok", ok)}) {
    auto scalar = std::make_unique<plan::ScalarT>();
    scalar->role = role;
    scalar->ref = std::make_unique<Ref>(ref);
    plan.scalars.push_back(std::move(scalar));
  }
}

inline void addParameter(plan::PlanT &plan) {
  auto parameter = std::make_unique<plan::ParameterT>();
  parameter->name = "w";
  parameter->shape = {4};
  parameter->out = 4;
  parameter->in = 1;
  parameter->file = "unigram.weight";
  parameter->file_shape = {4};
  parameter->init = plan::InitKind::normal;
  parameter->std = 0.5;
  for (auto [role, ref] :
       {std::pair("parameter", weight), std::pair("gradient", gradient)}) {
    auto buffer = std::make_unique<plan::StateBufferT>();
    buffer->role = role;
    buffer->ref = std::make_unique<Ref>(ref);
    parameter->buffers.push_back(std::move(buffer));
  }
  plan.parameters.push_back(std::move(parameter));
}

inline void addArenasAndKernels(plan::PlanT &plan, int64_t slots) {
  for (auto [arena, bytes] :
       {std::pair(Arena::parameter, 64), std::pair(Arena::gradient, 64),
        std::pair(Arena::slot, 64), std::pair(Arena::scratch, 704),
        std::pair(Arena::step, 64), std::pair(Arena::workspace, 0)}) {
    auto size = std::make_unique<plan::ArenaSizeT>();
    size->arena = arena;
    size->bytes = uint64_t(bytes);
    size->count = arena == Arena::slot ? uint64_t(slots) : 1;
    plan.arenas.push_back(std::move(size));
  }
  struct Entry {
    const char *symbol;
    int64_t extent;
    uint32_t operands;
  };
  for (Entry kernel : {Entry{"fill_zero", 1, 1}, Entry{"fill_zero", 4, 1},
                       Entry{"unigram", 1, 5}, Entry{"unigram_loss", 1, 3},
                       Entry{"clip_factor", 1, 6}, Entry{"descend", 4, 5}}) {
    auto table = std::make_unique<plan::KernelT>();
    table->symbol = kernel.symbol;
    table->extent = kernel.extent;
    table->operands = kernel.operands;
    plan.kernels.push_back(std::move(table));
  }
}

inline std::unique_ptr<plan::EntryT>
makeEntry(const char *name, std::vector<plan::ActionT> actions) {
  auto entry = std::make_unique<plan::EntryT>();
  entry->name = name;
  for (plan::ActionT &action : actions)
    entry->actions.push_back(std::make_unique<plan::ActionT>(action));
  return entry;
}

inline plan::ActionT action(std::string text, uint32_t block, uint32_t micro,
                            uint32_t slot, bool first, bool last) {
  plan::ActionT result;
  result.text = std::move(text);
  result.block = block;
  result.microbatch = micro;
  result.slot = slot;
  result.first = first;
  result.last = last;
  return result;
}

/// Two slots, used in turn.
inline plan::PlanT makePlan(const char *target, uint32_t threads,
                            int64_t microBatches) {
  plan::PlanT plan;
  plan.version = kPlanVersion;
  plan.llmc_version = llmcVersion();
  plan.target = target;
  plan.threads = threads;
  addArenasAndKernels(plan, 2);
  const char *names[] = {"FB0", "U0", "E0"};
  for (const char *name : names) {
    plan.blocks.push_back(std::make_unique<plan::BlockT>());
    plan.blocks.back()->name = name;
  }
  auto &train = *plan.blocks[0], &update = *plan.blocks[1],
       &evaluate = *plan.blocks[2];
  train.instructions.push_back(launch(fillLoss, {loss}, 1, plan::When::first));
  train.instructions.push_back(
      launch(fillGradient, {gradient}, 1, plan::When::first));
  train.instructions.push_back(
      launch(forwardBackward, {labels, weight, seed, loss, gradient}, 2));
  addMatmul(plan, train);
  update.instructions.push_back(launch(
      clipFactor, {gradient, clip, inverseScale, normSquared, factor, ok}, 3));
  update.instructions.push_back(
      launch(descend, {gradient, factor, ok, lr, weight}, 1));
  evaluate.instructions.push_back(launch(fillLoss, {loss}, 1));
  evaluate.instructions.push_back(launch(forward, {labels, weight, loss}, 1));

  std::vector<plan::ActionT> actions;
  for (int64_t m = 0; m < microBatches; ++m)
    actions.push_back(action("0FB" + std::to_string(m), 0, uint32_t(m),
                             uint32_t(m % 2), m == 0, m == microBatches - 1));
  actions.push_back(action("0U", 1, 0, 0, true, true));
  plan.entries.push_back(makeEntry("train_step", actions));
  plan.entries.push_back(
      makeEntry("evaluate", {action("0FB0", 2, 0, 0, true, true)}));
  for (const char *entry : {"train_step", "evaluate"})
    for (auto [role, ref] :
         {std::pair("tokens", tokens), std::pair("labels", labels)}) {
      auto input = std::make_unique<plan::InputT>();
      input->entry = entry;
      input->role = role;
      input->ref = std::make_unique<Ref>(ref);
      input->shape = {sequenceLength, microBatchSize};
      plan.inputs.push_back(std::move(input));
    }
  addScalars(plan);
  addParameter(plan);
  return plan;
}

inline std::string pack(const plan::PlanT &plan) {
  flatbuffers::FlatBufferBuilder builder;
  plan::FinishPlanBuffer(builder, plan::Plan::Pack(builder, &plan));
  return {reinterpret_cast<const char *>(builder.GetBufferPointer()),
          builder.GetSize()};
}

/// Tokens 0 to 3 with frequencies 1/2, 1/4, 1/8, 1/8, as bytes.
inline std::string tokenBytes(size_t n) {
  std::string bytes(n, '\0');
  for (size_t i = 0; i < n; ++i)
    bytes[i] = "\0\1\0\2\0\1\0\3"[i % 8];
  return bytes;
}

inline RunSettings makeSettings(const TempDir &dir, int64_t microBatches) {
  RunSettings settings;
  settings.name = "unigram";
  settings.model.vocabSize = vocabSize;
  settings.model.config = "{}\n";
  settings.train.sequenceLength = sequenceLength;
  settings.train.microBatchSize = microBatchSize;
  settings.train.globalBatchSize = microBatchSize * microBatches;
  settings.train.trainSteps = 10;
  settings.train.schedule.lr = 0.5;
  settings.data.train = {{{dir.path("tokens.u8")}}};
  settings.data.shuffle = false;
  settings.checkpoint.directory = dir.path("run/checkpoints");
  settings.log.directory = dir.path("run");
  settings.spec = {"hash", "llmc: 1\n"};
  return settings;
}

/// Writes the bundle of a plan and settings, and its data.
inline std::string writeBundle(const TempDir &dir, const plan::PlanT &plan,
                               const RunSettings &settings) {
  std::filesystem::create_directories(dir.path("bundle"));
  dir.write("tokens.u8", tokenBytes(4001));
  dir.write("bundle/plan.bin", pack(plan));
  dir.write("bundle/kernels.so", readText(TEST_KERNELS));
  dir.write("bundle/settings.json", settings.toJson());
  dir.write("bundle/summary.json", "{}\n");
  dir.write("bundle/spec.yaml", settings.spec.text);
  Manifest manifest;
  manifest.target = plan.target;
  manifest.threads = plan.threads;
  Status status = writeManifest(dir.path("bundle"), manifest);
  EXPECT_TRUE(status.ok()) << status.message();
  return dir.path("bundle");
}

} // namespace unigram
} // namespace llmc::rt

#endif // LLMC_TEST_SUPPORT_UNIGRAMBUNDLE_H

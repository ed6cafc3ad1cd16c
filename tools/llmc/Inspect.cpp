// llmc inspect: what is inside a bundle, a checkpoint or a token file.
#include "runtime/base/Json.h"
#include "runtime/executor/RunDirectory.h"
#include "runtime/plan/Bundle.h"
#include "tools/llmc/Commands.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <filesystem>

namespace cl = llvm::cl;
namespace fs = std::filesystem;
using namespace llmc;

namespace {

cl::SubCommand
    inspectCommand("inspect",
                   "Print what is in a bundle, a checkpoint or a token file");
cl::opt<std::string> path(cl::Positional,
                          cl::desc("BUNDLE-or-CHECKPOINT-or-TOKENS"),
                          cl::Required, cl::sub(inspectCommand));
cl::opt<bool> json("json", cl::desc("Print JSON"), cl::sub(inspectCommand));

rt::Json textOrNull(std::string_view text) {
  return text.empty() ? rt::Json(nullptr) : rt::Json(text);
}

rt::Json instructionTree(const plan::Plan &plan,
                         const plan::Instruction &instruction) {
  rt::Json tree;
  if (instruction.kind() == plan::InstructionKind::launch) {
    tree["kernel"] = plan.kernels()->Get(instruction.index())->symbol()->str();
  } else {
    const plan::Matmul &matmul = *plan.matmuls()->Get(instruction.index());
    tree["matmul"] = {matmul.m(), matmul.n(), matmul.k()};
  }
  tree["op"] = textOrNull(rt::textOf(instruction.op()));
  tree["when"] = EnumNameWhen(instruction.when());
  rt::Json operands = rt::Json::array();
  for (const plan::Ref *ref : *instruction.operands())
    operands.push_back(std::string(EnumNameArena(ref->arena())) + " + " +
                       std::to_string(ref->offset()) + " : " +
                       std::to_string(ref->bytes()));
  tree["operands"] = std::move(operands);
  tree["outputs"] = instruction.outputs();
  tree["location"] = textOrNull(rt::textOf(instruction.location()));
  return tree;
}

rt::Json planTree(const plan::Plan &plan) {
  rt::Json tree;
  tree["target"] = plan.target()->str();
  tree["llmc_version"] = plan.llmc_version()->str();
  tree["threads"] = plan.threads();
  tree["memory_bytes"] = rt::planBytes(plan);
  for (const plan::ArenaSize *arena : *plan.arenas())
    tree["arenas"][EnumNameArena(arena->arena())] = {{"bytes", arena->bytes()},
                                                     {"count", arena->count()}};
  tree["kernels"] = plan.kernels()->size();
  tree["matmuls"] = plan.matmuls()->size();
  tree["parameters"] = plan.parameters()->size();
  for (const plan::Entry *entry : *plan.entries()) {
    std::string actions;
    for (const plan::Action *action : *entry->actions())
      actions += (actions.empty() ? "" : " ") + action->text()->str();
    tree["entries"][entry->name()->str()] = actions;
  }
  for (const plan::Block *block : *plan.blocks()) {
    rt::Json list = rt::Json::array();
    for (const plan::Instruction *instruction : *block->instructions())
      list.push_back(instructionTree(plan, *instruction));
    tree["blocks"][block->name()->str()] = std::move(list);
  }
  return tree;
}

rt::Expected<rt::Json> inspectBundle() {
  rt::Expected<rt::Bundle> bundle = rt::openBundle(path);
  if (!bundle)
    return bundle.takeStatus();
  rt::Json tree;
  tree["kind"] = "bundle";
  tree["plan"] = planTree(*bundle->plan);
  for (const auto &[name, file] : bundle->manifest.files)
    tree["files"][name] = {{"bytes", file.bytes},
                           {"xxh3", rt::hashText(file.xxh3)}};
  return tree;
}

rt::Expected<rt::Json> inspectCheckpoint() {
  rt::Expected<std::string> found = rt::findCheckpoint(path);
  if (!found)
    return rt::Status::error("'" + path +
                             "': expected a bundle, a checkpoint, a directory "
                             "of checkpoints or a token file");
  rt::Expected<rt::CheckpointState> state =
      rt::CheckpointStore::readState(*found);
  if (!state)
    return state.takeStatus();
  rt::Expected<rt::WeightsFile> weights = rt::WeightsFile::open(*found);
  if (!weights)
    return weights.takeStatus();
  rt::Json tree;
  tree["kind"] = "checkpoint";
  tree["path"] = *found;
  tree["step"] = state->step;
  tree["windows"] = state->windows;
  tree["total_tokens"] = state->totalTokens;
  tree["seed"] = state->seed;
  tree["spec_hash"] = state->specHash;
  uint64_t elements = 0;
  for (const auto &[name, view] : weights->tensors()) {
    tree["tensors"][name] = view.entry->shape;
    elements += view.entry->elements;
  }
  tree["parameters"] = elements;
  return tree;
}

rt::Expected<rt::Json> inspectTokens() {
  rt::Expected<rt::TokenFile> file =
      rt::TokenFile::open(path, rt::TokenFormat::Auto);
  if (!file)
    return file.takeStatus();
  std::vector<uint32_t> first(std::min<uint64_t>(file->tokens(), 16));
  file->read(0, first.size(), first.data());
  rt::Json tree;
  tree["kind"] = "tokens";
  tree["format"] = rt::tokenFormatName(file->format());
  tree["tokens"] = file->tokens();
  tree["bytes_per_token"] = file->bytesPerToken();
  tree["first"] = first;
  return tree;
}

/// One line for each leaf, with the keys that lead to it.
void printText(const std::string &prefix, const rt::Json &tree) {
  bool leaf = !tree.is_object();
  if (leaf && tree.is_array() && !tree.empty() && tree[0].is_object()) {
    for (size_t i = 0; i < tree.size(); ++i)
      llvm::outs() << prefix << "[" << i << "]: " << rt::dumpJson(tree[i])
                   << "\n";
    return;
  }
  if (leaf) {
    llvm::outs() << prefix << ": "
                 << (tree.is_string() ? tree.get<std::string>()
                                      : rt::dumpJson(tree))
                 << "\n";
    return;
  }
  for (auto &[key, value] : tree.items())
    printText(prefix.empty() ? key : prefix + "." + key, value);
}

int runInspect() {
  std::error_code ignored;
  bool directory = fs::is_directory(path.getValue(), ignored);
  bool isBundle = fs::exists(path + "/" + rt::Manifest::fileName, ignored);
  rt::Expected<rt::Json> tree = !directory ? inspectTokens()
                                : isBundle ? inspectBundle()
                                           : inspectCheckpoint();
  if (!tree) {
    llvm::errs() << "llmc inspect: error: " << tree.message() << "\n";
    return tool::kWrongInput;
  }
  if (json)
    llvm::outs() << tree->dump(2, ' ', false,
                               rt::Json::error_handler_t::replace)
                 << "\n";
  else
    printText("", *tree);
  return tool::kDone;
}

tool::Command registration(inspectCommand, runInspect);

} // namespace

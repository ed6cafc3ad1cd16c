// Builds the pieces of an exec.program: arenas, buffers, scalars, kernels.
#include "passes/Exec/Program.h"

using namespace mlir;

namespace llmc::exec {

int64_t bytesOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getNumElements() * bytesOf(tensor.getElementType());
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

ProgramBuilder::ProgramBuilder(ModuleOp module)
    : module(module), outside(module.getContext()),
      inside(module.getContext()) {
  outside.setInsertionPointToEnd(module.getBody());
  program = ProgramOp::create(outside, module.getLoc(),
                              outside.getStringAttr("pp0"), nullptr, nullptr);
  program.getBody().emplaceBlock();
  outside.setInsertionPointToEnd(&program.getBody().front());
}

BlockOp ProgramBuilder::beginBlock(StringRef name, Location loc) {
  Block &body = program.getBody().front();
  OpBuilder end = OpBuilder::atBlockEnd(&body);
  auto block = BlockOp::create(end, loc, name);
  block.getBody().emplaceBlock();
  if (llvm::range_size(program.getOps<BlockOp>()) == 1)
    outside.setInsertionPoint(block);
  inside.setInsertionPointToEnd(&block.getBody().front());
  return block;
}

ArenaOp ProgramBuilder::arena(Role role) {
  ArenaOp &found = arenas[role];
  if (!found) {
    OpBuilder start(module.getContext());
    start.setInsertionPointToStart(&program.getBody().front());
    found = ArenaOp::create(start, program.getLoc(), stringifyRole(role), role,
                            IntegerAttr());
  }
  return found;
}

void ProgramBuilder::setSlots(int64_t count) {
  arena(Role::Slot).setCount(count);
}

Value ProgramBuilder::buffer(Role role, int64_t bytes, StringRef value,
                             Location loc, StringRef entry) {
  return BufferOp::create(outside, loc, BufferType::get(module.getContext()),
                          FlatSymbolRefAttr::get(arena(role).getSymNameAttr()),
                          outside.getI64IntegerAttr(bytes), IntegerAttr(),
                          outside.getStringAttr(value),
                          entry.empty() ? StringAttr()
                                        : outside.getStringAttr(entry));
}

Value ProgramBuilder::view(Value source, int64_t offset, int64_t bytes) {
  return ViewOp::create(outside, source.getLoc(), source.getType(), source,
                        outside.getI64IntegerAttr(offset),
                        outside.getI64IntegerAttr(bytes), nullptr, nullptr);
}

Value ProgramBuilder::scalar(StringRef role, Type type) {
  Value &found = scalars[role.str()];
  if (!found) {
    found = buffer(Role::Step, bytesOf(type), role, program.getLoc());
    ScalarOp::create(outside, program.getLoc(), found, role);
  }
  return found;
}

/// `_6x4x8`: the shape of the first result, else of the first argument.
static std::string shapeSuffix(const KernelSpec &spec) {
  for (Type type : llvm::concat<const Type>(spec.results, spec.arguments))
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      std::string suffix = "_";
      llvm::raw_string_ostream out(suffix);
      llvm::interleave(tensor.getShape(), out, "x");
      return suffix;
    }
  return "";
}

/// Kernel names become file symbols: long stems keep their first ops.
static std::string shorten(StringRef stem) {
  constexpr size_t limit = 64;
  return stem.take_front(limit).str();
}

FlatSymbolRefAttr ProgramBuilder::kernel(const KernelSpec &spec, Location loc) {
  SmallVector<bool> accumulate = spec.accumulate;
  accumulate.resize(spec.results.size(), false);
  SmallVector<int64_t> aliases = spec.aliases;
  aliases.resize(spec.results.size(), -1);
  OperationState state(loc, KernelOp::getOperationName());
  state.addAttribute("sym_name", outside.getStringAttr("kernel"));
  state.addAttribute("function_type", TypeAttr::get(outside.getFunctionType(
                                          spec.arguments, spec.results)));
  state.addAttribute("accumulate", outside.getDenseBoolArrayAttr(accumulate));
  state.addAttribute("aliases", outside.getDenseI64ArrayAttr(aliases));
  Block *body = new Block();
  state.addRegion()->push_back(body);
  for (Type type : spec.arguments)
    body->addArgument(type, loc);
  auto op = cast<KernelOp>(outside.create(state));
  OpBuilder builder = OpBuilder::atBlockEnd(body);
  ReturnOp::create(builder, loc, spec.body(builder, body->getArguments()));
  // Where an op came from must not distinguish kernels.
  op.walk([](Operation *inner) {
    for (StringRef name :
         {"layer", "direction", "anchor", "end_of_layer", "weight_gradient"})
      inner->removeAttr(name);
  });
  std::string content;
  llvm::raw_string_ostream stream(content);
  op->print(stream, OpPrintingFlags().useLocalScope().enableDebugInfo(false));
  auto [found, isNew] = kernelNames.try_emplace(content);
  if (!isNew) {
    op.erase();
    return FlatSymbolRefAttr::get(module.getContext(), found->second);
  }
  std::string name = shorten(spec.stem) + shapeSuffix(spec);
  if (llvm::is_contained(accumulate, true))
    name += "_add";
  std::string unique = name;
  for (int i = 2; program.lookupSymbol(unique); ++i)
    unique = name + "_v" + std::to_string(i);
  op.setSymName(unique);
  found->second = unique;
  return FlatSymbolRefAttr::get(op.getSymNameAttr());
}

void ProgramBuilder::launch(FlatSymbolRefAttr kernel, ValueRange inputs,
                            ValueRange outputs, When when, Location loc,
                            Operation *origin) {
  auto op =
      LaunchOp::create(inside, loc, kernel.getValue(), inputs, outputs, when);
  if (origin)
    if (Attribute layer = origin->getAttr("layer"))
      op->setAttr("layer", layer);
}

} // namespace llmc::exec

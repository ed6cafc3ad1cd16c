// exec-serialize: from the exec dialect to the plan file.
#include "codegen/Plan/Serialize.h"

#include "dialects/Exec/Exec.h"
#include "dialects/Nn/Nn.h"
#include "runtime/plan/Plan.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
namespace plan = llmc::plan;

namespace llmc::codegen {

namespace {
template <typename T> using Offset = flatbuffers::Offset<T>;
template <typename T> using Offsets = std::vector<Offset<T>>;

class Serializer {
public:
  Serializer(ModuleOp module, const PlanTarget &target)
      : module(module), declared(module), target(target) {}
  FailureOr<std::string> run();

private:
  plan::Ref ref(Value value);
  Offset<plan::ArenaSize> arena(exec::ArenaOp op);
  Offset<plan::Kernel> kernel(exec::KernelOp op);
  Offset<plan::Instruction> launch(exec::LaunchOp op);
  Offset<plan::Instruction> matmul(exec::MatmulOp op);
  Offset<plan::Block> block(exec::BlockOp op);
  Offset<plan::Entry> entry(exec::EntryOp op);
  FailureOr<Offset<plan::Parameter>> parameter(exec::StateOp op);
  Offset<plan::Instruction> instruction(plan::InstructionKind kind,
                                        uint32_t index, ValueRange operands,
                                        uint32_t outputs, exec::When when,
                                        StringRef what, Operation *op);
  Offset<flatbuffers::String> text(StringRef value) {
    return fbb.CreateString(value.data(), value.size());
  }
  Offset<flatbuffers::Vector<int64_t>> numbers(ArrayRef<int64_t> values) {
    return fbb.CreateVector(values.data(), values.size());
  }

  ModuleOp module;
  SymbolTable declared; // the parameters
  const PlanTarget &target;
  exec::ProgramOp program;
  std::optional<SymbolTable> symbols; // of the program
  flatbuffers::FlatBufferBuilder fbb;
  llvm::StringMap<uint32_t> kernelIndex, blockIndex;
  Offsets<plan::Matmul> matmuls;
  std::map<std::string, uint32_t> matmulIndex; // attributes to number
};
} // namespace

plan::Ref Serializer::ref(Value value) {
  int64_t begin = 0, bytes = -1;
  while (auto view = value.getDefiningOp<exec::ViewOp>()) {
    begin += view.getOffset();
    if (bytes < 0)
      bytes = view.getBytes();
    value = view.getSource();
  }
  auto buffer = value.getDefiningOp<exec::BufferOp>();
  auto arena = symbols->lookup<exec::ArenaOp>(buffer.getArena());
  return plan::Ref(plan::Arena(arena.getRole()),
                   buffer.getOffset().value_or(0) + begin,
                   bytes < 0 ? int64_t(buffer.getBytes()) : bytes);
}

Offset<plan::ArenaSize> Serializer::arena(exec::ArenaOp op) {
  return plan::CreateArenaSize(fbb, plan::Arena(op.getRole()),
                               op.getBytes().value_or(0), op.getCount());
}

Offset<plan::Kernel> Serializer::kernel(exec::KernelOp op) {
  auto extent = target.extents.find(op.getSymName().str());
  auto symbol = text(op.getSymName());
  return plan::CreateKernel(fbb, symbol,
                            extent == target.extents.end() ? 1 : extent->second,
                            op.getFunctionType().getNumInputs() +
                                op.getFunctionType().getNumResults());
}

/// "spec.yaml:12: layers.3.mlp.up": what a message tells the user.
static std::string describe(Location loc) {
  std::string where;
  if (auto line = loc->findInstanceOf<FileLineColLoc>())
    where = llvm::sys::path::filename(line.getFilename().getValue()).str() +
            ":" + std::to_string(line.getLine()) + ": ";
  if (auto name = loc->findInstanceOf<NameLoc>())
    where += name.getName().str();
  return where;
}

Offset<plan::Instruction>
Serializer::instruction(plan::InstructionKind kind, uint32_t index,
                        ValueRange operands, uint32_t outputs, exec::When when,
                        StringRef what, Operation *op) {
  std::vector<plan::Ref> refs;
  for (Value operand : operands)
    refs.push_back(ref(operand));
  int32_t layer = -1;
  if (auto number = op->getAttrOfType<IntegerAttr>("layer"))
    layer = number.getInt();
  auto refsOffset = fbb.CreateVectorOfStructs(refs);
  auto whatOffset = text(what), location = text(describe(op->getLoc()));
  return plan::CreateInstruction(fbb, kind, index, refsOffset, outputs,
                                 plan::When(when), whatOffset, layer, location);
}

Offset<plan::Instruction> Serializer::launch(exec::LaunchOp op) {
  SmallVector<Value> operands(op.getInputs());
  llvm::append_range(operands, op.getOutputs());
  return instruction(plan::InstructionKind::launch,
                     kernelIndex.lookup(op.getKernel()), operands,
                     op.getOutputs().size(), op.getWhen(), op.getKernel(), op);
}

/// "matmul_24x32x8": the sizes of a product.
static std::string nameOf(exec::MatmulOp op) {
  return llvm::formatv("matmul_{0}x{1}x{2}", op.getM(), op.getN(), op.getK());
}

Offset<plan::Instruction> Serializer::matmul(exec::MatmulOp op) {
  SmallVector<Value> operands{op.getLhs(), op.getRhs()};
  for (Value optional : {op.getBias(), op.getAddend()})
    if (optional)
      operands.push_back(optional);
  operands.push_back(op.getOut());
  std::string key;
  llvm::raw_string_ostream stream(key);
  stream << nameOf(op) << ' ' << op.getAccumulate() << bool(op.getBias())
         << bool(op.getAddend()) << ' ';
  llvm::interleave(op.getLhsStrides(), stream, ",");
  stream << ' ';
  llvm::interleave(op.getRhsStrides(), stream, ",");
  auto [found, isNew] = matmulIndex.try_emplace(key, matmuls.size());
  if (isNew) {
    auto lhs = numbers(op.getLhsStrides()), rhs = numbers(op.getRhsStrides());
    matmuls.push_back(plan::CreateMatmul(
        fbb, op.getM(), op.getN(), op.getK(), lhs, rhs, op.getAccumulate(),
        bool(op.getBias()), bool(op.getAddend()),
        op.getWorkspace().value_or(0)));
  }
  return instruction(plan::InstructionKind::matmul, found->second, operands, 1,
                     op.getWhen(), nameOf(op), op);
}

Offset<plan::Block> Serializer::block(exec::BlockOp op) {
  Offsets<plan::Instruction> instructions;
  for (Operation &inner : op.getBody().front())
    instructions.push_back(isa<exec::LaunchOp>(inner)
                               ? launch(cast<exec::LaunchOp>(inner))
                               : matmul(cast<exec::MatmulOp>(inner)));
  auto name = text(op.getSymName());
  return plan::CreateBlock(fbb, name, fbb.CreateVector(instructions));
}

Offset<plan::Entry> Serializer::entry(exec::EntryOp op) {
  int64_t last = 0;
  for (int64_t microbatch : op.getMicrobatches())
    last = std::max(last, microbatch);
  Offsets<plan::Action> actions;
  for (auto [action, name, slot, microbatch] :
       llvm::zip(op.getActions().getAsValueRange<StringAttr>(),
                 op.getBlocks().getAsValueRange<StringAttr>(), op.getSlots(),
                 op.getMicrobatches())) {
    auto actionText = text(action);
    actions.push_back(
        plan::CreateAction(fbb, actionText, blockIndex.lookup(name), microbatch,
                           slot, microbatch == 0, microbatch == last));
  }
  auto name = text(op.getName());
  return plan::CreateEntry(fbb, name, fbb.CreateVector(actions));
}

static plan::InitKind initKind(nn::InitAttr init) {
  return llvm::StringSwitch<plan::InitKind>(init.getKind())
      .Case("ones", plan::InitKind::ones)
      .Case("normal", plan::InitKind::normal)
      .Default(plan::InitKind::zeros);
}

FailureOr<Offset<plan::Parameter>> Serializer::parameter(exec::StateOp op) {
  auto parameter = declared.lookup<nn::ParameterOp>(op.getParameter());
  if (!parameter || !parameter.getStorageAttr() || !parameter.getInitAttr())
    return op.emitError("internal: parameter @")
           << op.getParameter() << " has no storage or no initial value";
  nn::StorageAttr storage = parameter.getStorageAttr();
  nn::InitAttr init = parameter.getInitAttr();
  ArrayRef<int64_t> shape = parameter.getTensorType().getShape();
  int64_t elements = parameter.getTensorType().getNumElements();
  // The file's tensor is a matrix or a vector: its in-size is ours.
  int64_t in = storage.getShape().size() < 2
                   ? 1
                   : storage.getShape()[storage.getTransposed() ? 0 : 1];
  Offsets<plan::StateBuffer> buffers;
  for (auto [value, role] : llvm::zip(
           op.getBuffers(), op.getRoles().getAsValueRange<StringAttr>())) {
    plan::Ref where = ref(value);
    auto roleText = text(role);
    buffers.push_back(plan::CreateStateBuffer(fbb, roleText, &where));
  }
  auto name = text(parameter.getSymName()), file = text(storage.getFile());
  auto shapeOffset = numbers(shape), fileShape = numbers(storage.getShape());
  return plan::CreateParameter(fbb, name, shapeOffset, elements / in, in, file,
                               fileShape, storage.getOffset(),
                               storage.getTransposed(), initKind(init),
                               init.getStd(), fbb.CreateVector(buffers));
}

FailureOr<std::string> Serializer::run() {
  auto programs = llvm::to_vector(module.getOps<exec::ProgramOp>());
  if (programs.size() != 1)
    return module.emitError("internal: found ")
           << programs.size() << " programs, expected 1";
  program = programs.front();
  symbols.emplace(program);
  Offsets<plan::ArenaSize> arenas;
  for (auto op : program.getOps<exec::ArenaOp>())
    arenas.push_back(arena(op));
  Offsets<plan::Kernel> kernels;
  for (auto op : program.getOps<exec::KernelOp>()) {
    kernelIndex[op.getSymName()] = kernels.size();
    kernels.push_back(kernel(op));
  }
  Offsets<plan::Block> blocks;
  for (auto op : program.getOps<exec::BlockOp>()) {
    blockIndex[op.getSymName()] = blocks.size();
    blocks.push_back(block(op));
  }
  Offsets<plan::Entry> entries;
  for (auto op : program.getOps<exec::EntryOp>())
    entries.push_back(entry(op));
  Offsets<plan::Input> inputs;
  for (auto op : program.getOps<exec::InputOp>()) {
    plan::Ref where = ref(op.getBuffer());
    auto entryName = text(op.getEntry()), role = text(op.getRole());
    auto shape = numbers(op.getShape());
    inputs.push_back(plan::CreateInput(fbb, entryName, role, &where, shape));
  }
  Offsets<plan::Scalar> scalars;
  for (auto op : program.getOps<exec::ScalarOp>()) {
    plan::Ref where = ref(op.getBuffer());
    auto role = text(op.getRole());
    scalars.push_back(plan::CreateScalar(fbb, role, &where));
  }
  Offsets<plan::Parameter> parameters;
  for (auto op : program.getOps<exec::StateOp>()) {
    auto made = parameter(op);
    if (failed(made))
      return failure();
    parameters.push_back(*made);
  }
  auto version = text(target.llmcVersion), name = text(target.name),
       features = text(target.cpuFeatures);
  auto root = plan::CreatePlan(
      fbb, rt::kPlanVersion, version, name, features, target.threads,
      fbb.CreateVector(arenas), fbb.CreateVector(kernels),
      fbb.CreateVector(matmuls), fbb.CreateVector(blocks),
      fbb.CreateVector(entries), fbb.CreateVector(inputs),
      fbb.CreateVector(scalars), fbb.CreateVector(parameters));
  fbb.Finish(root, plan::PlanIdentifier());
  return std::string(reinterpret_cast<const char *>(fbb.GetBufferPointer()),
                     fbb.GetSize());
}

FailureOr<std::string> serializePlan(ModuleOp module,
                                     const PlanTarget &target) {
  return Serializer(module, target).run();
}

} // namespace llmc::codegen

// convert-to-exec: turns values into buffers and ops into instructions.
#include "passes/Exec/Passes.h"

#include "dialects/Interfaces/Interfaces.h"
#include "passes/Exec/Converter.h"
#include "passes/Scheduling/Action.h"
#include "test/faults/Fault.h"

using namespace mlir;

namespace llmc::exec {
#define GEN_PASS_DEF_CONVERTTOEXECPASS
#include "passes/Exec/Passes.h.inc"

/// Gives an instruction the layer of the op that it came from.
static void copyLayer(Operation *from, Operation *to) {
  if (Attribute layer = from ? from->getAttr("layer") : Attribute())
    to->setAttr("layer", layer);
}

static Role arenaOf(dist::Role role) {
  switch (role) {
  case dist::Role::parameter:
  case dist::Role::compute:
    return Role::Parameter;
  case dist::Role::master:
    return Role::Master;
  case dist::Role::gradient:
    return Role::Gradient;
  case dist::Role::moment1:
  case dist::Role::moment2:
  case dist::Role::momentum:
    return Role::State;
  }
  llvm_unreachable("every role has an arena");
}

Value Converter::bucketBuffer(dist::BucketOp bucket, dist::Role role) {
  Value &found = bucketBuffers[{bucket.getSymName().str(), role}];
  if (!found)
    found = program.buffer(
        arenaOf(role), bucket.getPadded() * 4,
        (bucket.getSymName() + "." + dist::stringifyRole(role)).str(),
        bucket.getLoc());
  return found;
}

dist::BucketOp Converter::bucketOf(Value handle) {
  auto type = cast<dist::BucketType>(handle.getType());
  return symbols.lookup<dist::BucketOp>(type.getBucket().getAttr());
}

Value Converter::bucketView(Value handle, StringRef parameter) {
  dist::EntryAttr entry = bucketOf(handle).lookup(parameter);
  return program.view(bufferOf(handle), entry.getOffset() * 4,
                      bytesOf(entry.getType()));
}

Value Converter::bufferOf(Value value) {
  Value &found = buffers[value];
  if (found)
    return found;
  std::string name = "value";
  if (auto named = value.getLoc()->findInstanceOf<NameLoc>())
    name = named.getName().str();
  return found = program.buffer(Role::Scratch, bytesOf(value.getType()), name,
                                value.getLoc(), entry);
}

dist::AccumulateOp Converter::soleAccumulate(Value value) {
  if (!value.hasOneUse())
    return {};
  return dyn_cast<dist::AccumulateOp>(*value.user_begin());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult Converter::bindArguments(dist::FuncOp func) {
  for (BlockArgument argument : func.getBody().getArguments()) {
    if (isa<dist::BucketType>(argument.getType())) {
      auto role = cast<dist::BucketType>(argument.getType()).getRole();
      buffers[argument] = bucketBuffer(bucketOf(argument), role);
      continue;
    }
    auto source = func.getArgAttrOfType<pipe::SourceAttr>(
        argument.getArgNumber(), "pipe.source");
    if (!source)
      return func.emitError("internal: argument ")
             << argument.getArgNumber() << " has no pipe.source";
    if (source.getKind() == pipe::SourceKind::saved) {
      buffers[argument] = saved[{source.getName().str(), source.getIndex()}];
      continue;
    }
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type) {
      buffers[argument] = program.scalar(source.getName(), argument.getType());
      continue;
    }
    if (source.getKind() != pipe::SourceKind::input)
      return func.emitError("internal: on one rank argument ")
             << argument.getArgNumber() << " must be an input";
    Value &buffer = inputs[{entry, source.getName().str()}];
    if (!buffer) {
      buffer = program.buffer(Role::Slot, bytesOf(type), source.getName(),
                              argument.getLoc(), entry);
      InputOp::create(program.declarations(), argument.getLoc(), buffer,
                      source.getName(), type.getShape(), entry);
    }
    buffers[argument] = buffer;
  }
  return success();
}

/// Values that outlive the block get their place before it is converted.
void Converter::bindResults(dist::FuncOp func) {
  Operation *terminator = func.getBody().front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    auto result =
        func.getResultAttrOfType<pipe::ResultAttr>(number, "pipe.result");
    Value value = operand.get();
    if (result.getKind() == pipe::ResultKind::loss) {
      buffers[value] = program.scalar("loss", value.getType());
      continue;
    }
    if (!buffers.lookup(value)) {
      std::string name =
          result.getKind() == pipe::ResultKind::logits ? "logits" : "saved";
      if (auto named = value.getLoc()->findInstanceOf<NameLoc>())
        name = named.getName().str();
      buffers[value] = program.buffer(Role::Slot, bytesOf(value.getType()),
                                      name, value.getLoc(), entry);
    }
    if (result.getKind() == pipe::ResultKind::logits)
      InputOp::create(
          program.declarations(), value.getLoc(), buffers[value], "logits",
          cast<RankedTensorType>(value.getType()).getShape(), entry);
    saved[{func.getSymName().str(), number}] = buffers[value];
  }
}

LogicalResult Converter::convertFunc(dist::FuncOp func) {
  buffers.clear();
  switch (func.getKind()) {
  case dist::FragmentKind::evaluate:
    entry = "evaluate";
    break;
  case dist::FragmentKind::logits:
    entry = "logits";
    break;
  default:
    entry = "train_step";
  }
  if (failed(bindArguments(func)))
    return failure();
  bindResults(func);
  program.beginBlock(func.getSymName(), func.getLoc());
  for (Operation &op : func.getBody().front().without_terminator())
    if (failed(convertOp(op)))
      return failure();
  return success();
}

LogicalResult Converter::convertOp(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](DispatchOp dispatch) { return convertDispatch(dispatch); })
      .Case([&](nn::CrossEntropyOp loss) { return convertCrossEntropy(loss); })
      .Case([&](dist::AccumulateContractOp contract) {
        return convertAccumulateContract(contract);
      })
      .Case([&](dist::ViewOp view) { return convertView(view), success(); })
      .Case([&](dist::AccumulateOp accumulate) {
        return convertAccumulate(accumulate), success();
      })
      .Case([&](dist::NormSquaredOp norm) {
        return convertNorm(norm), success();
      })
      .Case([&](nn::ClipFactorOp clip) { return convertClip(clip), success(); })
      .Case(
          [&](dist::AdamwOp update) { return convertAdamw(update), success(); })
      .Case([&](dist::SgdOp update) { return convertSgd(update), success(); })
      .Default([](Operation *other) {
        return other->emitError("internal: no conversion to exec for this op");
      });
}

void Converter::convertView(dist::ViewOp view) {
  for (auto [parameter, tensor] :
       llvm::zip(view.getParameters().getAsRange<FlatSymbolRefAttr>(),
                 view.getTensors()))
    buffers[tensor] = bucketView(view.getBucket(), parameter.getValue());
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

void Converter::emitMatmul(const MatmulCall &call, Value out, bool accumulate,
                           When when, Location loc, Operation *origin) {
  OpBuilder &builder = program.instructions();
  const MatmulShape &shape = call.shape;
  auto op = MatmulOp::create(builder, loc, shape.swapped ? call.rhs : call.lhs,
                             shape.swapped ? call.lhs : call.rhs, call.bias,
                             call.addend, out, shape.m, shape.n, shape.k,
                             shape.lhsStrides, shape.rhsStrides, accumulate,
                             IntegerAttr(), when);
  copyLayer(origin, op);
}

void Converter::emitMatmulGradient(const MatmulCall &call, Value bucket,
                                   StringRef parameter, Location loc,
                                   Operation *origin) {
  Value out = bucketView(bucket, parameter);
  if (!contributesFirst(parameter))
    return emitMatmul(call, out, true, When::Always, loc, origin);
  emitMatmul(call, out, false, When::First, loc, origin);
  emitMatmul(call, out, true, When::NotFirst, loc, origin);
}

static FailureOr<MatmulShape> shapeOf(Operation *op, StringRef indices,
                                      Value lhs, Value rhs) {
  auto shape = matmulShape(indices, cast<RankedTensorType>(lhs.getType()),
                           cast<RankedTensorType>(rhs.getType()));
  if (!shape)
    return op->emitError("internal: contraction '")
           << indices << "' is no single matrix product";
  return *shape;
}

LogicalResult
Converter::convertAccumulateContract(dist::AccumulateContractOp contract) {
  auto shape = shapeOf(contract, contract.getIndices(), contract.getLhs(),
                       contract.getRhs());
  if (failed(shape))
    return failure();
  MatmulCall call{*shape, bufferOf(contract.getLhs()),
                  bufferOf(contract.getRhs()), Value(), Value()};
  emitMatmulGradient(call, contract.getBucket(), contract.getParameter(),
                     contract.getLoc(), contract);
  return success();
}

/// A dispatch that begins with a contraction: `+ bias`, `+ addend` follow.
LogicalResult Converter::convertLibrary(DispatchOp dispatch) {
  Block &body = dispatch.getBody().front();
  auto contract = cast<nn::ContractOp>(body.front());
  auto outer = [&](Value inner) {
    return bufferOf(
        dispatch.getInputs()[cast<BlockArgument>(inner).getArgNumber()]);
  };
  auto shape = shapeOf(contract, contract.getIndices(), contract.getLhs(),
                       contract.getRhs());
  if (failed(shape))
    return failure();
  MatmulCall call{*shape, outer(contract.getLhs()), outer(contract.getRhs()),
                  Value(), Value()};
  Location loc = contract.getLoc();
  for (Operation &op : llvm::drop_begin(body.without_terminator())) {
    if (auto bias = dyn_cast<nn::AddBiasOp>(op)) {
      call.bias =
          LLMC_FAULT("exec-drops-bias") ? Value() : outer(bias.getBias());
    } else {
      auto add = cast<nn::AddOp>(op);
      bool left = isa<BlockArgument>(add.getLhs());
      Value addend = outer(left ? add.getLhs() : add.getRhs());
      call.addend = LLMC_FAULT("exec-drops-addend") ? Value() : addend;
    }
  }
  emitMatmul(call, bufferOf(dispatch.getResult(0)), false, When::Always, loc,
             dispatch);
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult Converter::convertDispatch(DispatchOp dispatch) {
  if (isa<nn::ContractOp>(dispatch.getBody().front().front()))
    return convertLibrary(dispatch);
  convertKernel(dispatch);
  return success();
}

/// The number of an input that the only output may overwrite, or -1: an
/// elementwise kernel, a scratch value of the same type that dies here.
static int64_t findAlias(DispatchOp dispatch,
                         llvm::function_ref<bool(Value)> isScratch) {
  bool careless = LLMC_FAULT("exec-aliases-live");
  auto ops = dispatch.getBody().front().without_terminator();
  bool elementwise = llvm::all_of(ops, [](Operation &op) {
    auto kernel = dyn_cast<KernelOpInterface>(op);
    return kernel && kernel.getKernelKind() == KernelKind::Elementwise;
  });
  if (dispatch.getNumResults() != 1 || !(elementwise || careless))
    return -1;
  for (auto [number, input] : llvm::enumerate(dispatch.getInputs())) {
    if (input.getType() != dispatch.getResult(0).getType() || !isScratch(input))
      continue;
    bool dies = llvm::all_of(input.getUsers(), [&](Operation *user) {
      return user == dispatch || user->isBeforeInBlock(dispatch);
    });
    if (dies || careless)
      return number;
  }
  return -1;
}

void Converter::convertKernel(DispatchOp dispatch) {
  Block &body = dispatch.getBody().front();
  KernelSpec spec;
  spec.stem = dispatch.getStem().str();
  llvm::append_range(spec.arguments, body.getArgumentTypes());
  llvm::append_range(spec.results, dispatch.getResultTypes());
  auto emitBody = [&](OpBuilder &builder, ValueRange arguments) {
    IRMapping map;
    map.map(body.getArguments(), arguments);
    for (Operation &op : body.without_terminator())
      builder.clone(op, map);
    SmallVector<Value> results;
    for (Value value : body.getTerminator()->getOperands())
      results.push_back(map.lookup(value));
    return results;
  };
  spec.body = emitBody;

  SmallVector<Value> operands, outputs;
  for (Value input : dispatch.getInputs())
    operands.push_back(bufferOf(input));
  // Results with a place of their own, saved values and gradients, stay there.
  bool hasPlace = llvm::any_of(dispatch.getResults(), [&](Value result) {
    return buffers.lookup(result) || soleAccumulate(result);
  });
  auto isScratch = [&](Value input) {
    auto buffer = bufferOf(input).getDefiningOp<BufferOp>();
    return buffer && buffer.getArena() == stringifyRole(Role::Scratch);
  };
  int64_t alias = hasPlace ? -1 : findAlias(dispatch, isScratch);
  // The first contributions of a micro-batch overwrite when it is the first.
  SmallVector<bool> addsAlways, addsFirst;
  for (auto [number, result] : llvm::enumerate(dispatch.getResults())) {
    dist::AccumulateOp accumulate = soleAccumulate(result);
    addsAlways.push_back(bool(accumulate));
    addsFirst.push_back(accumulate &&
                        !contributesFirst(accumulate.getParameter()));
    if (accumulate)
      buffers[result] =
          bucketView(accumulate.getBucket(), accumulate.getParameter());
    else if (alias >= 0)
      buffers[result] = operands[alias];
    outputs.push_back(bufferOf(result));
  }
  if (alias >= 0)
    spec.aliases = {alias};
  Location loc = dispatch.getLoc();
  spec.accumulate = addsAlways;
  FlatSymbolRefAttr kernel = program.kernel(spec, loc);
  if (addsAlways == addsFirst)
    return program.launch(kernel, operands, outputs, When::Always, loc,
                          dispatch);
  spec.accumulate = addsFirst;
  program.launch(program.kernel(spec, loc), operands, outputs, When::First, loc,
                 dispatch);
  program.launch(kernel, operands, outputs, When::NotFirst, loc, dispatch);
}

/// Contributions that no kernel or product wrote in place.
void Converter::convertAccumulate(dist::AccumulateOp accumulate) {
  Value value = accumulate.getValue();
  Operation *producer = value.getDefiningOp();
  bool inPlace = soleAccumulate(value) == accumulate &&
                 (isa_and_nonnull<nn::CrossEntropyOp>(producer) ||
                  (isa_and_nonnull<DispatchOp>(producer) &&
                   !isa<nn::ContractOp>(
                       cast<DispatchOp>(producer).getBody().front().front())));
  if (inPlace)
    return;
  KernelSpec spec;
  spec.stem = "accumulate";
  spec.arguments = {value.getType()};
  spec.results = {value.getType()};
  auto emitBody = [](OpBuilder &, ValueRange arguments) {
    return SmallVector<Value>(arguments);
  };
  spec.body = emitBody;
  Value out = bucketView(accumulate.getBucket(), accumulate.getParameter());
  Location loc = accumulate.getLoc();
  bool first = contributesFirst(accumulate.getParameter());
  if (first) {
    spec.stem = "copy";
    program.launch(program.kernel(spec, loc), bufferOf(value), out, When::First,
                   loc, accumulate);
    spec.stem = "accumulate";
  }
  spec.accumulate = {true};
  program.launch(program.kernel(spec, loc), bufferOf(value), out,
                 first ? When::NotFirst : When::Always, loc, accumulate);
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// Parameters, their gradients and optimiser state, as views of buckets.
void Converter::declareParameters() {
  OpBuilder &builder = program.declarations();
  for (auto bucket : module.getOps<dist::BucketOp>())
    for (dist::EntryAttr entry : bucket.entries()) {
      SmallVector<Value> views;
      SmallVector<StringRef> roles;
      for (int role = 0; role <= int(dist::Role::momentum); ++role) {
        auto found =
            bucketBuffers.find({bucket.getSymName().str(), dist::Role(role)});
        if (found == bucketBuffers.end())
          continue;
        views.push_back(program.view(found->second, entry.getOffset() * 4,
                                     bytesOf(entry.getType())));
        roles.push_back(dist::stringifyRole(dist::Role(role)));
      }
      StateOp::create(builder, bucket.getLoc(), entry.getParameter(), views,
                      builder.getStrArrayAttr(roles));
    }
}

/// The block that an action runs: "F0", "B0", "U0".
static std::string blockOf(const sched::Action &action) {
  StringRef letter = action.kind == sched::ActionKind::Forward    ? "F"
                     : action.kind == sched::ActionKind::Backward ? "B"
                                                                  : "U";
  return letter.str() + std::to_string(action.stage);
}

LogicalResult Converter::declareEntries() {
  OpBuilder builder =
      OpBuilder::atBlockEnd(&program.getProgram().getBody().front());
  auto declare = [&](StringRef name, ArrayRef<StringRef> actions,
                     ArrayRef<StringRef> blocks, ArrayRef<int64_t> slots,
                     ArrayRef<int64_t> microbatches) {
    EntryOp::create(builder, module.getLoc(), builder.getStringAttr(name),
                    builder.getStrArrayAttr(actions),
                    builder.getStrArrayAttr(blocks),
                    builder.getDenseI64ArrayAttr(slots),
                    builder.getDenseI64ArrayAttr(microbatches));
  };
  for (auto func : module.getOps<dist::FuncOp>())
    if (func.getKind() == dist::FragmentKind::evaluate ||
        func.getKind() == dist::FragmentKind::logits)
      declare(dist::stringifyFragmentKind(func.getKind()), {"0F0"},
              {func.getSymName()}, {0}, {0});
  auto pipeline = llvm::to_vector(module.getOps<pipe::ProgramOp>());
  for (pipe::ProgramOp each : pipeline)
    for (auto schedule : each.getOps<pipe::ScheduleOp>()) {
      std::string error;
      auto text = cast<StringAttr>(schedule.getRanks()[0]).getValue();
      auto actions = sched::parseActions(std::string_view(text), error);
      if (!actions)
        return schedule.emitError("internal: ") << error;
      int64_t live = schedule.getLive()[0];
      std::vector<std::string> texts, blocks;
      SmallVector<int64_t> slots, microbatches;
      for (const sched::Action &action : *actions) {
        texts.push_back(sched::print(action));
        blocks.push_back(blockOf(action));
        slots.push_back(action.microbatch % live);
        microbatches.push_back(action.microbatch);
      }
      program.setSlots(live);
      declare("train_step", llvm::to_vector_of<StringRef>(texts),
              llvm::to_vector_of<StringRef>(blocks), slots, microbatches);
    }
  return success();
}

/// F before B before U, then the programs without gradients.
static int orderOf(dist::FuncOp func) { return int(func.getKind()); }

LogicalResult Converter::run() {
  auto funcs = llvm::to_vector(module.getOps<dist::FuncOp>());
  llvm::stable_sort(funcs, [](dist::FuncOp a, dist::FuncOp b) {
    return orderOf(a) < orderOf(b);
  });
  for (dist::FuncOp func : funcs)
    if (failed(convertFunc(func)))
      return failure();
  declareParameters();
  if (failed(declareEntries()))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<dist::FuncOp, dist::BucketOp, dist::MeshOp, pipe::ProgramOp>(op))
      op.erase();
  return success();
}

namespace {
struct ConvertToExec : impl::ConvertToExecPassBase<ConvertToExec> {
  void runOnOperation() override {
    if (failed(Converter(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace

} // namespace llmc::exec

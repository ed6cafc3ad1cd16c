// Execution of fragments and local functions in the order of the schedule.
#include "codegen/Reference/ProgramRunner.h"
#include "codegen/Reference/Frame.h"
#include "codegen/Reference/Schedule.h"

#include <cmath>

namespace llmc::reference {
namespace {

using dist::FragmentKind;
using mlir::FailureOr;
using mlir::FunctionOpInterface;
using mlir::LogicalResult;

/// The functions of a program by stage and kind, on global tensors or local.
struct ProgramFunctions {
  using Key = std::pair<int64_t, FragmentKind>;

  explicit ProgramFunctions(mlir::ModuleOp module) {
    program = *module.getOps<pipe::ProgramOp>().begin();
    for (auto fragment : program.getBody().getOps<pipe::FragmentOp>())
      add(fragment, fragment.getStage(), fragment.getKind());
    for (auto function : module.getOps<dist::FuncOp>()) {
      add(function, function.getStage(), function.getKind());
      isLocal = true;
    }
  }

  FunctionOpInterface find(int64_t stage, FragmentKind kind) const {
    auto it = byKey.find({stage, kind});
    return it == byKey.end() ? FunctionOpInterface() : it->second;
  }

  pipe::ProgramOp program;
  std::map<Key, FunctionOpInterface> byKey;
  int64_t stages = 1;
  bool isLocal = false;

private:
  void add(mlir::Operation *op, int64_t stage, FragmentKind kind) {
    byKey[{stage, kind}] = llvm::cast<FunctionOpInterface>(op);
    stages = std::max(stages, stage + 1);
  }
};

std::optional<Mesh> meshOf(mlir::ModuleOp module, pipe::ProgramOp program) {
  auto op = module.lookupSymbol<dist::MeshOp>(program.getMeshAttr());
  if (!op) {
    program.emitOpError() << "has no mesh " << program.getMeshAttr();
    return std::nullopt;
  }
  return Mesh{axesOf(op.getAxes()), op.getSizes().vec()};
}

/// The axes that split dimension `d` of an input: those of the argument's
/// sharding, or else what every plan does, sequence over the model's axes and
/// batch over dp.
std::vector<std::string> splittingAxes(FunctionOpInterface function,
                                       unsigned argument, size_t d,
                                       const Mesh &mesh) {
  auto sharding = function.getArgAttrOfType<dist::ShardingAttr>(
      argument, dist::DistDialect::kSharding);
  if (sharding && d < sharding.getDimensions().size())
    return axesOf(llvm::cast<mlir::ArrayAttr>(sharding.getDimensions()[d]));
  if (d == 0)
    return mesh.modelAxes();
  return d == 1 ? std::vector<std::string>{"dp"} : std::vector<std::string>{};
}

class ProgramRunner : public StepRunner {
public:
  ProgramRunner(mlir::ModuleOp module, Mesh mesh, Schedule schedule,
                State initial)
      : module(module), functions(module), schedule(std::move(schedule)),
        current(std::move(initial)), buckets(module, mesh),
        world{std::move(mesh), &buckets, &current,
              static_cast<int64_t>(functions.program.getMicrobatches())} {}

  /// Makes every bucket that a stage's functions take.
  LogicalResult createBuckets() {
    for (auto &[key, function] : functions.byKey)
      for (mlir::Type type : function.getArgumentTypes())
        if (dist::getBucketName(type))
          for (int64_t rank : ranksOf(key.first))
            if (mlir::failed(buckets.add(rank, type, current)))
              return mlir::failure();
    return mlir::success();
  }

  FailureOr<StepResult> runStep(llvm::ArrayRef<Results> microbatches,
                                const StepScalars &scalars) override;
  FailureOr<Results> runEntry(llvm::StringRef entry,
                              llvm::ArrayRef<Value> arguments,
                              const StepScalars &scalars) override;
  FailureOr<State> state() override;

private:
  std::vector<int64_t> ranksOf(int64_t stage);
  FailureOr<PerRank> argumentOf(FunctionOpInterface function, unsigned i,
                                int64_t microbatch,
                                const std::vector<int64_t> &ranks);
  FailureOr<PerRank> sliced(FunctionOpInterface function, unsigned i,
                            const Value &whole,
                            const std::vector<int64_t> &ranks);
  FailureOr<PerRank> resultOf(FunctionOpInterface function, unsigned argument,
                              llvm::StringRef name, int64_t microbatch,
                              int64_t index);
  LogicalResult runFragments(llvm::ArrayRef<ScheduledFragment> fragments);
  std::optional<Value> leaving(FunctionOpInterface function,
                               int64_t microbatch);

  mlir::ModuleOp module;
  ProgramFunctions functions;
  Schedule schedule;
  /// What the module holds by name; with buckets, the initial values.
  State current;
  BucketStore buckets;
  World world;
  /// The inputs of the step.
  llvm::ArrayRef<Results> inputs;
  StepScalars numbers;
  std::map<std::pair<std::string, int64_t>, std::vector<PerRank>> results;
};

/// At the pipe level values are global: one rank stands for all.
std::vector<int64_t> ProgramRunner::ranksOf(int64_t stage) {
  if (!functions.isLocal)
    return {0};
  std::vector<int64_t> ranks;
  for (int64_t rank = 0; rank < world.mesh.ranks(); ++rank)
    if (world.mesh.coordinate(rank, "pp") == schedule.rankOfStage[stage])
      ranks.push_back(rank);
  return ranks;
}

FailureOr<PerRank> ProgramRunner::sliced(FunctionOpInterface function,
                                         unsigned i, const Value &whole,
                                         const std::vector<int64_t> &ranks) {
  llvm::ArrayRef<int64_t> local = shapeOf(function.getArgumentTypes()[i]);
  PerRank parts;
  for (int64_t rank : ranks) {
    Part part{std::vector<int64_t>(local.size(), 0), local.vec()};
    for (size_t d = 0; d < local.size(); ++d) {
      if (whole.shape.size() != local.size())
        return function->emitOpError()
               << "argument " << i << " has rank " << local.size()
               << ", its input " << whole.shape.size();
      if (whole.dim(d) == local[d])
        continue;
      auto axes = splittingAxes(function, i, d, world.mesh);
      if (whole.dim(d) != local[d] * world.mesh.jointSize(axes))
        return function->emitOpError()
               << "argument " << i << " has " << local[d]
               << " elements along dimension " << d << ", its input "
               << whole.dim(d);
      part.start[d] = world.mesh.jointCoordinate(rank, axes) * local[d];
    }
    parts.push_back(slice(whole, part));
  }
  return parts;
}

FailureOr<PerRank> ProgramRunner::resultOf(FunctionOpInterface function,
                                           unsigned argument,
                                           llvm::StringRef name,
                                           int64_t microbatch, int64_t index) {
  auto it = results.find({name.str(), microbatch});
  if (it == results.end())
    return function->emitOpError()
           << "reads a result of @" << name << ", which has not run for "
           << "micro-batch " << microbatch;
  if (index < 0 || index >= static_cast<int64_t>(it->second.size()))
    return function->emitOpError()
           << "reads result " << index << " of @" << name << ", which has "
           << it->second.size();
  const PerRank &found = it->second[index];
  mlir::Type wanted = function.getArgumentTypes()[argument];
  if (found.empty() || shapeOf(wanted) != llvm::ArrayRef(found.front().shape))
    return function->emitOpError()
           << "reads result " << index << " of @" << name << " as argument "
           << argument << " of type " << wanted << ", which is another shape";
  return found;
}

FailureOr<PerRank>
ProgramRunner::argumentOf(FunctionOpInterface function, unsigned i,
                          int64_t microbatch,
                          const std::vector<int64_t> &ranks) {
  if (dist::getBucketName(function.getArgumentTypes()[i]))
    return PerRank();
  pipe::SourceAttr source = pipe::getSource(function, i);
  llvm::StringRef name = source.getName().getValue();
  switch (source.getKind()) {
  case pipe::SourceKind::input: {
    if (name == "seed")
      return PerRank(ranks.size(), Value::scalar(numbers.seed));

    const Results &values = inputs[microbatch];
    if (source.getIndex() >= static_cast<int64_t>(values.size()))
      return function->emitOpError()
             << "reads input " << source.getIndex() << " of " << values.size();
    return sliced(function, i, values[source.getIndex()], ranks);
  }
  case pipe::SourceKind::scalar: {
    std::optional<double> number = numbers.find(name);
    if (!number)
      return function->emitOpError()
             << "reads the number '" << name
             << "', expected lr, t, clip, inv_scale or seed";
    return PerRank(ranks.size(), Value::scalar(*number));
  }
  case pipe::SourceKind::parameter: {
    auto it = current.parameters.find(name.str());
    if (it == current.parameters.end())
      return function->emitOpError()
             << "parameter @" << name << " has no value";
    return PerRank(ranks.size(), it->second);
  }
  case pipe::SourceKind::saved:
    return resultOf(function, i, name, microbatch, source.getIndex());
  case pipe::SourceKind::transfer: {
    auto transfer = functions.program.lookupSymbol<pipe::TransferOp>(name);
    if (!transfer)
      return function->emitOpError()
             << "reads @" << name << ", which is no transfer";
    return resultOf(function, i, transfer.getSource(), microbatch,
                    transfer.getResult());
  }
  }
  llvm_unreachable("all kinds are handled");
}

LogicalResult
ProgramRunner::runFragments(llvm::ArrayRef<ScheduledFragment> fragments) {
  std::vector<Frame> frames;
  for (const ScheduledFragment &fragment : fragments) {
    FunctionOpInterface function =
        functions.find(fragment.stage, fragment.kind);
    if (!function)
      return functions.program.emitOpError()
             << "has no " << dist::stringifyFragmentKind(fragment.kind)
             << " of stage " << fragment.stage;
    std::vector<int64_t> ranks = ranksOf(fragment.stage);
    std::vector<PerRank> arguments;
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      FailureOr<PerRank> argument =
          argumentOf(function, i, fragment.microbatch, ranks);
      if (mlir::failed(argument))
        return mlir::failure();
      arguments.push_back(std::move(*argument));
    }
    frames.emplace_back(world, function, fragment.microbatch, std::move(ranks));
    frames.back().enter(std::move(arguments));
  }
  if (mlir::failed(runTogether(frames)))
    return mlir::failure();
  for (Frame &frame : frames)
    results[{mlir::SymbolTable::getSymbolName(frame.function).str(),
             frame.microbatch}] = frame.results();
  return mlir::success();
}

/// The loss or logits among the results of a function. The loss of a rank is a
/// term of the sum over all ranks.
std::optional<Value> ProgramRunner::leaving(FunctionOpInterface function,
                                            int64_t microbatch) {
  const std::vector<PerRank> &values =
      results[{mlir::SymbolTable::getSymbolName(function).str(), microbatch}];
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    pipe::ResultKind kind = pipe::getResult(function, i).getKind();
    if (kind == pipe::ResultKind::logits)
      return values[i][0];
    if (kind != pipe::ResultKind::loss)
      continue;
    Value sum = Value::scalar(0);
    for (const Value &term : values[i])
      addInto(sum, term);
    return sum;
  }
  return std::nullopt;
}

FailureOr<StepResult>
ProgramRunner::runStep(llvm::ArrayRef<Results> microbatches,
                       const StepScalars &scalars) {
  if (static_cast<int64_t>(microbatches.size()) != world.microbatches)
    return functions.program.emitOpError()
           << "has " << world.microbatches << " micro-batches, but "
           << microbatches.size() << " were given";

  inputs = microbatches;
  numbers = scalars;
  results.clear();
  current.gradients.clear();
  buckets.poisonGradients();
  StepResult result;
  result.microbatches.resize(microbatches.size());
  std::vector<ScheduledFragment> updates;
  for (const ScheduledFragment &fragment : schedule.order) {
    if (fragment.kind == FragmentKind::update) {
      updates.push_back(fragment);
      continue;
    }
    if (mlir::failed(runFragments(fragment)))
      return mlir::failure();
    if (auto loss = leaving(functions.find(fragment.stage, fragment.kind),
                            fragment.microbatch))
      result.microbatches[fragment.microbatch].push_back(*loss);
  }
  if (mlir::failed(runFragments(updates)))
    return mlir::failure();
  FailureOr<State> whole = state();
  if (mlir::failed(whole))
    return mlir::failure();
  result.gradientNorm =
      std::sqrt(gradientNormSquared(*whole)) * scalars.inverseScale;
  return result;
}

FailureOr<Results> ProgramRunner::runEntry(llvm::StringRef entry,
                                           llvm::ArrayRef<Value> arguments,
                                           const StepScalars &scalars) {
  std::optional<FragmentKind> kind = dist::symbolizeFragmentKind(entry);
  if (!kind ||
      (*kind != FragmentKind::evaluate && *kind != FragmentKind::logits))
    return functions.program.emitOpError()
           << "has no entry '" << entry << "', expected evaluate or logits";
  Results values(arguments.begin(), arguments.end());
  inputs = values;
  numbers = scalars;
  results.clear();
  Results left;
  for (int64_t stage = 0; stage < functions.stages; ++stage) {
    if (mlir::failed(runFragments(ScheduledFragment{*kind, stage, 0})))
      return mlir::failure();
    if (auto value = leaving(functions.find(stage, *kind), 0))
      left.push_back(*value);
  }
  return left;
}

FailureOr<State> ProgramRunner::state() {
  // Between localising and forming buckets, state is still held by name.
  if (module.getOps<dist::BucketOp>().empty())
    return current;
  State whole;
  if (mlir::failed(buckets.assemble(whole)))
    return mlir::failure();
  // Before buckets are formed, local functions still name parameters.
  whole.parameters.insert(current.parameters.begin(), current.parameters.end());
  whole.gradients.insert(current.gradients.begin(), current.gradients.end());
  return whole;
}

/// A local type times the sizes of the axes that split it.
mlir::Type globalType(FunctionOpInterface function, unsigned i,
                      const Mesh &mesh) {
  auto type =
      llvm::dyn_cast<mlir::RankedTensorType>(function.getArgumentTypes()[i]);
  if (!type || !function.getArgAttrOfType<dist::ShardingAttr>(
                   i, dist::DistDialect::kSharding))
    return function.getArgumentTypes()[i];
  std::vector<int64_t> shape = type.getShape().vec();
  for (size_t d = 0; d < shape.size(); ++d)
    shape[d] *= mesh.jointSize(splittingAxes(function, i, d, mesh));
  return type.clone(shape);
}

} // namespace

std::unique_ptr<StepRunner> createProgramRunner(mlir::ModuleOp module,
                                                State initial) {
  ProgramFunctions functions(module);
  std::optional<Mesh> mesh = meshOf(module, functions.program);
  if (!mesh)
    return nullptr;
  FailureOr<Schedule> schedule =
      orderFragments(functions.program, functions.stages);
  if (mlir::failed(schedule))
    return nullptr;
  auto runner = std::make_unique<ProgramRunner>(
      module, std::move(*mesh), std::move(*schedule), std::move(initial));
  return mlir::succeeded(runner->createBuckets()) ? std::move(runner) : nullptr;
}

FailureOr<Signature> programSignature(mlir::ModuleOp module,
                                      llvm::StringRef entry) {
  ProgramFunctions functions(module);
  std::optional<Mesh> mesh = meshOf(module, functions.program);
  if (!mesh)
    return mlir::failure();
  std::optional<FragmentKind> kind = dist::symbolizeFragmentKind(entry);
  Signature signature;
  if (!kind)
    signature.microbatches = functions.program.getMicrobatches();
  for (auto &[key, function] : functions.byKey) {
    bool isStep = key.second == FragmentKind::forward ||
                  key.second == FragmentKind::backward;
    if (kind ? key.second != *kind : !isStep)
      continue;
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      pipe::SourceAttr source = pipe::getSource(function, i);
      if (!source || source.getKind() != pipe::SourceKind::input)
        continue;
      // A micro-batch has a handful of arguments.
      if (source.getIndex() >= 64)
        return function->emitOpError() << "reads input " << source.getIndex()
                                       << ", expected less than 64";
      if (source.getIndex() >= static_cast<int64_t>(signature.arguments.size()))
        signature.arguments.resize(source.getIndex() + 1);
      signature.arguments[source.getIndex()] = {
          source.getName().str(), functions.isLocal
                                      ? globalType(function, i, *mesh)
                                      : function.getArgumentTypes()[i]};
    }
  }
  return signature;
}

} // namespace llmc::reference

// The walk over blocks, and the ops that read or write named state.
#include "codegen/Reference/Interpreter.h"
#include "codegen/Reference/Update.h"

#include "llvm/ADT/DenseMap.h"

#include <limits>

namespace llmc::reference {
namespace {

using mlir::FailureOr;
using mlir::LogicalResult;

constexpr int64_t everywhere = std::numeric_limits<int64_t>::max();

/// The value of a parameter, or an error at the op that wants it.
FailureOr<Value *> parameterOf(mlir::Operation *op, llvm::StringRef name,
                               State &state) {
  auto it = state.parameters.find(name.str());
  if (it == state.parameters.end())
    return op->emitOpError() << "parameter @" << name << " has no value";
  return &it->second;
}

FailureOr<Results> runGet(nn::GetOp op, Operands, State &state) {
  FailureOr<Value *> parameter = parameterOf(op, op.getParameter(), state);
  if (mlir::failed(parameter))
    return mlir::failure();
  return Results{**parameter};
}

FailureOr<Results> runAccumulate(nn::AccumulateOp op, Operands in,
                                 State &state) {
  addInto(State::entry(state.gradients, op.getParameter().str(), *in[0]),
          *in[0]);
  return Results{};
}

FailureOr<Results> runGradNorm(nn::GradNormSquaredOp, Operands, State &state) {
  return Results{Value::scalar(gradientNormSquared(state))};
}

FailureOr<Results> runAdamw(nn::AdamwOp op, Operands in, State &state) {
  FailureOr<Value *> found = parameterOf(op, op.getParameter(), state);
  if (mlir::failed(found))
    return mlir::failure();
  if (in[1]->number() == 0)
    return Results{};
  Value &parameter = **found;
  std::string name = op.getParameter().str();
  adamwStep(adamwRecipe(op, in[0]->number(), in[2]->number(), in[3]->number(),
                        everywhere),
            parameter.data, State::entry(state.gradients, name, parameter).data,
            State::entry(state.moment1, name, parameter).data,
            State::entry(state.moment2, name, parameter).data);
  return Results{};
}

FailureOr<Results> runSgd(nn::SgdOp op, Operands in, State &state) {
  FailureOr<Value *> found = parameterOf(op, op.getParameter(), state);
  if (mlir::failed(found))
    return mlir::failure();
  if (in[1]->number() == 0)
    return Results{};
  Value &parameter = **found;
  std::string name = op.getParameter().str();
  SgdRecipe recipe =
      sgdRecipe(op, in[0]->number(), in[2]->number(), everywhere);
  llvm::MutableArrayRef<double> momentum;
  if (recipe.momentum != 0)
    momentum = State::entry(state.momentum, name, parameter).data;
  sgdStep(recipe, parameter.data,
          State::entry(state.gradients, name, parameter).data, momentum);
  return Results{};
}

using StateKernel = FailureOr<Results> (*)(mlir::Operation *, Operands,
                                           State &);

template <typename OpTy, FailureOr<Results> (*run)(OpTy, Operands, State &)>
void add(llvm::StringMap<StateKernel> &table) {
  table[OpTy::getOperationName()] = [](mlir::Operation *op, Operands operands,
                                       State &state) {
    return run(llvm::cast<OpTy>(op), operands, state);
  };
}

/// The ops that refer to parameters by name.
const llvm::StringMap<StateKernel> &stateKernels() {
  static const llvm::StringMap<StateKernel> table = [] {
    llvm::StringMap<StateKernel> built;
    add<nn::GetOp, runGet>(built);
    add<nn::AccumulateOp, runAccumulate>(built);
    add<nn::GradNormSquaredOp, runGradNorm>(built);
    add<nn::AdamwOp, runAdamw>(built);
    add<nn::SgdOp, runSgd>(built);
    return built;
  }();
  return table;
}

LogicalResult checkArguments(mlir::Operation *op, mlir::TypeRange types,
                             llvm::ArrayRef<Value> values) {
  if (types.size() != values.size())
    return op->emitOpError() << "takes " << types.size() << " values, but "
                             << values.size() << " were given";
  for (auto [i, type] : llvm::enumerate(types))
    if (shapeOf(type) != llvm::ArrayRef(values[i].shape))
      return op->emitOpError() << "value " << i << " has shape ["
                               << llvm::ArrayRef(values[i].shape)
                               << "], expected the shape of " << type;
  return mlir::success();
}

} // namespace

double gradientNormSquared(const State &state) {
  double sum = 0;
  for (const auto &[name, gradient] : state.gradients)
    for (double element : gradient.data)
      sum += element * element;
  return sum;
}

FailureOr<Results> evaluateOp(mlir::Operation *op, Operands operands,
                              State *state) {
  if (Kernel kernel = KernelTable::get().find(op))
    return kernel(op, operands);
  StateKernel kernel = stateKernels().lookup(op->getName().getStringRef());
  if (kernel && state)
    return kernel(op, operands, *state);
  return op->emitOpError() << (kernel ? "needs a model's state, which this "
                                        "block has not"
                                      : "is unknown to the interpreter");
}

FailureOr<Results> evaluateOp(mlir::Operation *op,
                              llvm::ArrayRef<Value> operands) {
  if (mlir::failed(checkArguments(op, op->getOperandTypes(), operands)))
    return mlir::failure();
  llvm::SmallVector<const Value *> pointers;
  for (const Value &operand : operands)
    pointers.push_back(&operand);
  return evaluateOp(op, pointers, /*state=*/nullptr);
}

FailureOr<Results> evaluateBlock(mlir::Block &block,
                                 llvm::ArrayRef<Value> arguments,
                                 const Surroundings &surroundings) {
  if (mlir::failed(checkArguments(block.getParentOp(), block.getArgumentTypes(),
                                  arguments)))
    return mlir::failure();
  llvm::DenseMap<mlir::Value, Value> values;
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = value;
  for (mlir::Operation &op : block.without_terminator()) {
    llvm::SmallVector<const Value *> operands;
    for (mlir::Value operand : op.getOperands())
      operands.push_back(&values[operand]);
    FailureOr<Results> results = evaluateOp(&op, operands, surroundings.state);
    if (mlir::failed(results))
      return mlir::failure();
    if (surroundings.trace)
      surroundings.trace(&op, *results);
    for (auto [result, value] : llvm::zip_equal(op.getResults(), *results))
      values[result] = std::move(value);
  }
  Results yielded;
  for (mlir::Value operand : block.getTerminator()->getOperands())
    yielded.push_back(values[operand]);
  return yielded;
}

FailureOr<Results> runMicrobatch(nn::MicrobatchOp function, State &state,
                                 llvm::ArrayRef<Value> arguments) {
  return evaluateBlock(function.getBody().front(), arguments, {&state});
}

FailureOr<Results> runUpdate(nn::UpdateOp function, State &state,
                             llvm::ArrayRef<Value> arguments) {
  return evaluateBlock(function.getBody().front(), arguments, {&state});
}

} // namespace llmc::reference

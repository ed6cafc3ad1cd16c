// Builds closed fragments from the ops of a micro-batch or update.
#include "passes/Pipe/FragmentBuilder.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace llmc;
using namespace llmc::pipe;

/// What a list of ops reads, or `yielded` is, and no op of it defines.
static llvm::SetVector<Value>
findExternalValues(ArrayRef<Operation *> ops,
                   ArrayRef<FragmentPlan::Result> yielded) {
  llvm::DenseSet<Value> defined;
  llvm::SetVector<Value> external;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      if (!defined.contains(operand))
        external.insert(operand);
    defined.insert_range(op->getResults());
  }
  for (const FragmentPlan::Result &result : yielded)
    if (!defined.contains(result.value))
      external.insert(result.value);
  return external;
}

SmallVector<Value> pipe::findReadValues(ArrayRef<Operation *> producers,
                                        ArrayRef<Operation *> consumers) {
  llvm::SetVector<Value> external = findExternalValues(consumers, {});
  SmallVector<Value> read;
  for (Operation *op : producers)
    for (Value result : op->getResults())
      if (external.contains(result))
        read.push_back(result);
  return read;
}

namespace {

/// A fragment while its arguments are being added.
class Fragment {
public:
  Fragment(ProgramOp program, StringRef name, dist::FragmentKind kind,
           Location loc)
      : builder(OpBuilder::atBlockEnd(&program.getBody().front())) {
    op = FragmentOp::create(builder, loc, name, builder.getFunctionType({}, {}),
                            ArrayAttr(), ArrayAttr(), kind, /*stage=*/0);
    body = &op.getBody().emplaceBlock();
    builder.setInsertionPointToEnd(body);
  }

  Value addArgument(Type type, Location loc, SourceKind kind, StringAttr name,
                    int64_t index) {
    return addArgument(type, loc,
                       SourceAttr::get(op.getContext(), kind, name, index));
  }

  Value addArgument(Type type, Location loc, SourceAttr source) {
    sources.push_back(builder.getNamedAttr(PipeDialect::kSource, source));
    return body->addArgument(type, loc);
  }

  void clone(Operation *original) { builder.clone(*original, mapping); }

  void finish(ArrayRef<FragmentPlan::Result> results, Location loc);

  IRMapping mapping;

private:
  OpBuilder builder;
  FragmentOp op;
  Block *body;
  SmallVector<NamedAttribute> sources;
};

} // namespace

void Fragment::finish(ArrayRef<FragmentPlan::Result> results, Location loc) {
  SmallVector<Value> values;
  SmallVector<Attribute> argAttrs, resAttrs;
  for (NamedAttribute source : sources)
    argAttrs.push_back(builder.getDictionaryAttr(source));
  for (const FragmentPlan::Result &result : results) {
    values.push_back(mapping.lookup(result.value));
    resAttrs.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        PipeDialect::kResult, ResultAttr::get(op.getContext(), result.kind))));
  }
  auto yield = YieldOp::create(builder, loc, values);
  op.setFunctionType(builder.getFunctionType(body->getArgumentTypes(),
                                             yield.getOperandTypes()));
  if (!argAttrs.empty())
    op.setArgAttrsAttr(builder.getArrayAttr(argAttrs));
  if (!resAttrs.empty())
    op.setResAttrsAttr(builder.getArrayAttr(resAttrs));
}

/// Two reads of one parameter share an argument.
static void addParameters(Fragment &fragment, Block &block,
                          const llvm::SetVector<Value> &external) {
  llvm::MapVector<StringAttr, Value> arguments;
  for (auto get : block.getOps<nn::GetOp>()) {
    if (!external.contains(get.getResult()))
      continue;
    StringAttr name = get.getParameterAttr().getAttr();
    Value &argument = arguments[name];
    if (!argument)
      argument = fragment.addArgument(get.getResult().getType(), get.getLoc(),
                                      SourceKind::parameter, name, /*index=*/0);
    fragment.mapping.map(get.getResult(), argument);
  }
}

LogicalResult
pipe::buildFragment(nn::MicrobatchOp microbatch, const FragmentPlan &plan,
                    const llvm::MapVector<Value, SourceAttr> &saved,
                    ProgramOp program) {
  Fragment fragment(program, plan.name, plan.kind, microbatch.getLoc());
  llvm::SetVector<Value> external = findExternalValues(plan.ops, plan.results);
  for (BlockArgument argument : microbatch.getBody().getArguments()) {
    if (!external.contains(argument))
      continue;
    unsigned index = argument.getArgNumber();
    auto role = microbatch.getArgAttrOfType<StringAttr>(index, "nn.role");
    fragment.mapping.map(
        argument, fragment.addArgument(argument.getType(), argument.getLoc(),
                                       SourceKind::input, role, index));
  }
  for (auto [value, source] : saved)
    fragment.mapping.map(
        value, fragment.addArgument(value.getType(), value.getLoc(), source));
  addParameters(fragment, microbatch.getBody().front(), external);
  for (Operation *op : plan.ops) {
    for (Value operand : op->getOperands())
      if (!fragment.mapping.contains(operand))
        return op->emitOpError() << "found in fragment '" << plan.name
                                 << "' with an operand of the backward pass, "
                                    "expected forward values only";
    fragment.clone(op);
  }
  for (const FragmentPlan::Result &result : plan.results)
    if (!fragment.mapping.contains(result.value))
      return microbatch.emitOpError()
             << "found a result that fragment '" << plan.name
             << "' does not compute, expected one of its values";
  fragment.finish(plan.results, microbatch.getLoc());
  return success();
}

void pipe::buildUpdate(nn::UpdateOp update, ProgramOp program) {
  Fragment fragment(program, "U0", dist::FragmentKind::update, update.getLoc());
  for (BlockArgument argument : update.getBody().getArguments()) {
    auto role =
        update.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "nn.role");
    fragment.mapping.map(
        argument, fragment.addArgument(argument.getType(), argument.getLoc(),
                                       SourceKind::scalar, role, /*index=*/0));
  }
  for (Operation &op : update.getBody().front().without_terminator())
    fragment.clone(&op);
  fragment.finish({}, update.getLoc());
}

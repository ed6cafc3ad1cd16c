// Text form and verifiers of the pipe ops.
#include "dialects/Pipe/Pipe.h"
#include <set>

using namespace mlir;
using namespace llmc;
using namespace llmc::pipe;

#define GET_OP_CLASSES
#include "dialects/Pipe/PipeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// ProgramOp
//===----------------------------------------------------------------------===//

LogicalResult ProgramOp::verify() {
  if (static_cast<int64_t>(getMicrobatches()) < 1)
    return emitOpError() << "found " << static_cast<int64_t>(getMicrobatches())
                         << " micro-batches, expected at least 1";
  std::set<std::pair<uint64_t, dist::FragmentKind>> seen;
  bool hasSchedule = false;
  for (Operation &op : getBody().front()) {
    if (auto fragment = dyn_cast<FragmentOp>(op)) {
      if (!seen.insert({fragment.getStage(), fragment.getKind()}).second)
        return fragment.emitOpError()
               << "found a second "
               << dist::stringifyFragmentKind(fragment.getKind())
               << " of stage " << fragment.getStage() << ", expected one";
    } else if (isa<ScheduleOp>(op)) {
      if (hasSchedule)
        return op.emitOpError() << "found a second schedule, expected one";
      hasSchedule = true;
    } else if (!isa<TransferOp, TiedOp>(op)) {
      return op.emitOpError() << "found in 'pipe.program', expected fragments, "
                                 "transfers, tied parameters or a schedule";
    }
  }
  return success();
}

LogicalResult ProgramOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto mesh = llmc::lookupSymbol<dist::MeshOp>(*this, getMeshAttr(), tables);
  if (!mesh)
    return emitOpError() << "found " << getMeshAttr()
                         << ", expected the name of a 'dist.mesh'";
  int64_t stages = mesh.getAxisSize("pp").value_or(1);
  for (auto fragment : getBody().getOps<FragmentOp>())
    if (static_cast<int64_t>(fragment.getStage()) >= stages)
      return fragment.emitOpError() << "found stage " << fragment.getStage()
                                    << ", expected less than " << stages;
  for (auto schedule : getBody().getOps<ScheduleOp>())
    if (static_cast<int64_t>(schedule.getRanks().size()) != stages)
      return schedule.emitOpError() << "found " << schedule.getRanks().size()
                                    << " lists of actions, expected " << stages
                                    << ", one for each pipeline rank";
  return success();
}

//===----------------------------------------------------------------------===//
// FragmentOp and YieldOp
//===----------------------------------------------------------------------===//

ParseResult FragmentOp::parse(OpAsmParser &parser, OperationState &result) {
  return dist::parseStagedFunction(parser, result);
}

void FragmentOp::print(OpAsmPrinter &printer) {
  dist::printStagedFunction(printer, *this, getKind(), getStage());
}

LogicalResult FragmentOp::verify() {
  if (static_cast<int64_t>(getStage()) < 0)
    return emitOpError() << "found stage " << static_cast<int64_t>(getStage())
                         << ", expected at least 0";
  return success();
}

LogicalResult FragmentOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifySources(*this, getStage(), tables);
}

void YieldOp::build(OpBuilder &, OperationState &) {}

LogicalResult YieldOp::verify() { return dist::verifyReturn(*this); }

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// The stage of a fragment or local function.
static std::optional<uint64_t> stageOf(Operation *op) {
  if (auto fragment = dyn_cast<FragmentOp>(op))
    return fragment.getStage();
  if (auto function = dyn_cast<dist::FuncOp>(op))
    return function.getStage();
  return std::nullopt;
}

/// Fragments are found beside the function, or, from inside the program,
/// outside; transfers inside the program.
static Operation *findTarget(FunctionOpInterface function, SourceAttr source,
                             SymbolTableCollection &tables) {
  if (Operation *found = lookupSymbol(function, source.getName(), tables))
    return found;
  Operation *module = function->getParentOp();
  if (source.getKind() != SourceKind::transfer)
    return nullptr;
  for (auto program : module->getRegion(0).getOps<ProgramOp>())
    if (Operation *found = tables.lookupSymbolIn(program, source.getName()))
      return found;
  return nullptr;
}

/// The type that the source gives; fails where it gives none, and says what
/// was expected.
static Type typeOfSource(FunctionOpInterface function, SourceAttr source,
                         uint64_t stage, SymbolTableCollection &tables,
                         std::string &expected) {
  Operation *target = findTarget(function, source, tables);
  switch (source.getKind()) {
  case SourceKind::parameter:
    expected = "the name of an 'nn.parameter'";
    if (auto parameter = dyn_cast_or_null<nn::ParameterOp>(target))
      return parameter.getTensorType();
    return {};
  case SourceKind::transfer:
    expected = "a 'pipe.transfer' to this fragment";
    if (auto transfer = dyn_cast_or_null<TransferOp>(target))
      if (transfer.getTarget() == SymbolTable::getSymbolName(function))
        return transfer.getType();
    return {};
  case SourceKind::saved: {
    expected = "a saved result of a fragment of the same stage";
    auto saving = dyn_cast_or_null<FunctionOpInterface>(target);
    if (!saving || stageOf(saving) != stage ||
        source.getIndex() >= static_cast<int64_t>(saving.getNumResults()))
      return {};
    ResultAttr result = getResult(saving, source.getIndex());
    if (!result || result.getKind() != ResultKind::saved)
      return {};
    return saving.getResultTypes()[source.getIndex()];
  }
  case SourceKind::input:
  case SourceKind::scalar:
    return {};
  }
  llvm_unreachable("all kinds are handled");
}

static LogicalResult verifySource(FunctionOpInterface function,
                                  unsigned argument, uint64_t stage,
                                  SymbolTableCollection &tables) {
  Type type = function.getArgumentTypes()[argument];
  SourceAttr source = getSource(function, argument);
  if (!source) {
    if (dist::getBucketName(type))
      return success();
    return function->emitOpError()
           << "found argument " << argument << " without a source, expected '"
           << PipeDialect::kSource << "'";
  }
  if (source.getKind() == SourceKind::scalar) {
    if (type.isF32() || type.isInteger(64))
      return success();
    return function->emitOpError()
           << "found " << type << " for argument " << argument
           << ", a scalar, expected f32 or i64";
  }
  if (source.getKind() == SourceKind::input)
    return success();
  std::string expected;
  Type given = typeOfSource(function, source, stage, tables, expected);
  if (!given)
    return function->emitOpError()
           << "found source " << source << " of argument " << argument
           << ", expected " << expected;
  if (given == type)
    return success();
  return function->emitOpError()
         << "found " << type << " for argument " << argument << ", expected "
         << given << ", the type of its source " << source;
}

LogicalResult pipe::verifySources(FunctionOpInterface function, uint64_t stage,
                                  SymbolTableCollection &tables) {
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
    if (failed(verifySource(function, i, stage, tables)))
      return failure();
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    if (!getResult(function, i))
      return function->emitOpError()
             << "found result " << i << " without a use, expected '"
             << PipeDialect::kResult << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// TransferOp, TiedOp, ScheduleOp
//===----------------------------------------------------------------------===//

LogicalResult TransferOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto source =
      lookupSymbol<FunctionOpInterface>(*this, getSourceAttr(), tables);
  auto target =
      lookupSymbol<FunctionOpInterface>(*this, getTargetAttr(), tables);
  if (!source || !target)
    return emitOpError() << "found "
                         << (source ? getTargetAttr() : getSourceAttr())
                         << ", expected the name of a fragment";
  int64_t result = getResult();
  if (result < 0 || result >= static_cast<int64_t>(source.getNumResults()))
    return emitOpError() << "found result " << result << " of "
                         << getSourceAttr() << ", expected less than "
                         << source.getNumResults();
  if (source.getResultTypes()[result] != getType())
    return emitOpError() << "found type " << getType() << ", expected "
                         << source.getResultTypes()[result] << ", of result "
                         << result << " of " << getSourceAttr();
  if (stageOf(source) == stageOf(target))
    return emitOpError() << "found " << getSourceAttr() << " and "
                         << getTargetAttr()
                         << " on the same stage, expected two stages";
  return success();
}

LogicalResult TiedOp::verify() {
  ArrayRef<int64_t> stages = getStages();
  if (stages.size() == 2 && stages[0] >= 0 && stages[0] < stages[1])
    return success();
  return emitOpError() << "found stages [" << stages
                       << "], expected two in ascending order";
}

LogicalResult TiedOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (lookupSymbol<nn::ParameterOp>(*this, getParameterAttr(), tables))
    return success();
  return emitOpError() << "found " << getParameterAttr()
                       << ", expected the name of an 'nn.parameter'";
}

LogicalResult ScheduleOp::verify() {
  if (getLive().size() != getRanks().size())
    return emitOpError() << "found " << getLive().size()
                         << " numbers of live micro-batches for "
                         << getRanks().size() << " ranks, expected one each";
  return success();
}

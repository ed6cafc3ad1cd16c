// dist-convert-global-to-local: fragments become functions of one rank.
#include "dialects/Pipe/Pipe.h"
#include "passes/Dist/Passes.h"

namespace llmc::dist {
#define GEN_PASS_DEF_DISTCONVERTGLOBALTOLOCAL
#include "passes/Dist/Passes.h.inc"
} // namespace llmc::dist

using namespace mlir;
using namespace llmc;
using namespace llmc::dist;

namespace {

struct ConvertGlobalToLocal
    : llmc::dist::impl::DistConvertGlobalToLocalBase<ConvertGlobalToLocal> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<pipe::ProgramOp>())
      if (failed(convert(program)))
        return signalPassFailure();
  }

private:
  LogicalResult convert(pipe::ProgramOp program);
  LogicalResult checkNames(pipe::ProgramOp program);
  void convertFragment(pipe::FragmentOp fragment, OpBuilder &builder);
};

} // namespace

/// Fragments leave the program's symbol table for the module's.
LogicalResult ConvertGlobalToLocal::checkNames(pipe::ProgramOp program) {
  for (auto fragment : program.getBody().getOps<pipe::FragmentOp>())
    if (Operation *taken = getOperation().lookupSymbol(fragment.getSymName()))
      return taken->emitError() << "found symbol '@" << fragment.getSymName()
                                << "', expected the name free for a fragment";
  return success();
}

LogicalResult ConvertGlobalToLocal::convert(pipe::ProgramOp program) {
  auto mesh = getOperation().lookupSymbol<MeshOp>(program.getMeshAttr());
  if (mesh.getNumRanks() != 1)
    return program.emitOpError()
           << "found a mesh of " << mesh.getNumRanks()
           << " ranks, which is not implemented yet, expected 1";
  if (failed(checkNames(program)))
    return failure();
  OpBuilder builder(program.getContext());
  builder.setInsertionPointAfter(program);
  for (auto fragment :
       llvm::make_early_inc_range(program.getBody().getOps<pipe::FragmentOp>()))
    convertFragment(fragment, builder);
  return success();
}

void ConvertGlobalToLocal::convertFragment(pipe::FragmentOp fragment,
                                           OpBuilder &builder) {
  auto function = FuncOp::create(
      builder, fragment.getLoc(), fragment.getSymName(),
      fragment.getFunctionType(), fragment.getArgAttrsAttr(),
      fragment.getResAttrsAttr(), fragment.getKind(), fragment.getStage());
  function.getBody().takeBody(fragment.getBody());
  auto asFunction = cast<FunctionOpInterface>(function.getOperation());
  for (unsigned i = 0, e = asFunction.getNumArguments(); i != e; ++i)
    asFunction.removeArgAttr(i, StringRef(DistDialect::kSharding));
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    op.removeDiscardableAttr(DistDialect::kShardings);
    if (auto reshard = dyn_cast<ReshardOp>(op)) {
      reshard.getResult().replaceAllUsesWith(reshard.getInput());
      reshard.erase();
    } else if (auto yield = dyn_cast<pipe::YieldOp>(op)) {
      OpBuilder atEnd(yield);
      ReturnOp::create(atEnd, yield.getLoc(), yield.getOperands());
      yield.erase();
    }
  }
  fragment.erase();
}

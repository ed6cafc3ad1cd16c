// Verifiers of what depends on the mesh: coordinates and collectives.
#include "dialects/Dist/Dist.h"
#include "dialects/Exec/Exec.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace llmc::exec;

std::optional<int64_t> ProgramOp::getAxisSize(StringRef axis,
                                              SymbolTableCollection &tables) {
  if (!getMesh())
    return std::nullopt;
  auto mesh =
      llmc::lookupSymbol<llmc::dist::MeshOp>(*this, getMeshAttr(), tables);
  return mesh ? mesh.getAxisSize(axis) : std::nullopt;
}

LogicalResult ProgramOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (getMesh() &&
      !llmc::lookupSymbol<llmc::dist::MeshOp>(*this, getMeshAttr(), tables))
    return emitOpError("found no mesh ") << getMeshAttr();
  if (!getCoordinates())
    return success();
  for (auto axis : getCoordinates()->getAsValueRange<StringAttr>())
    if (!getAxisSize(axis, tables))
      return emitOpError("found coordinate '")
             << axis << "', expected an axis of its mesh";
  return success();
}

LogicalResult ViewOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (!getAxis())
    return success();
  auto program = (*this)->getParentOfType<ProgramOp>();
  std::optional<int64_t> ranks;
  if (program && program.getCoordinates() &&
      llvm::is_contained(*program.getCoordinates(), getAxisAttr()))
    ranks = program.getAxisSize(*getAxis(), tables);
  if (!ranks)
    return emitOpError("depends on axis '")
           << *getAxis() << "', expected one of the program's coordinates";
  std::optional<int64_t> source = sizeOf(getSource());
  int64_t last = getOffset() + getBytes() + (*ranks - 1) * *getStride();
  if (source && last > *source)
    return emitOpError("ends at byte ") << last << " on the last of " << *ranks
                                        << " ranks, in a buffer of " << *source;
  return success();
}

/// The axes are different ones of the mesh; the parts of all ranks of the
/// group make the whole.
template <typename OpTy>
static LogicalResult verifyGroup(OpTy op, SymbolTableCollection &tables) {
  if (op.getAxes().empty())
    return op.emitOpError("found no axes, expected at least one");
  auto program = op->template getParentOfType<ProgramOp>();
  llvm::StringSet<> seen;
  int64_t ranks = 1;
  for (auto axis : op.getAxes().template getAsValueRange<StringAttr>()) {
    auto size = program ? program.getAxisSize(axis, tables) : std::nullopt;
    if (!size)
      return op.emitOpError("found axis '")
             << axis << "', expected one of the program's mesh";
    if (!seen.insert(axis).second)
      return op.emitOpError("found axis '")
             << axis << "' twice, expected it at most once";
    ranks *= *size;
  }
  std::optional<int64_t> input = sizeOf(op.getInput());
  std::optional<int64_t> output = sizeOf(op.getOutput());
  if (!input || !output)
    return success();
  CollectiveKind kind = op.getKind();
  int64_t whole = kind == CollectiveKind::AllGather ? *input * ranks : *input;
  int64_t found =
      kind == CollectiveKind::ReduceScatter ? *output * ranks : *output;
  if (whole == found)
    return success();
  return op.emitOpError("has ")
         << *input << " bytes of input and " << *output << " of output, which "
         << stringifyCollectiveKind(kind) << " over " << ranks
         << " ranks does not give";
}

LogicalResult CollectiveOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyGroup(*this, tables);
}

LogicalResult
CollectiveStartOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyGroup(*this, tables);
}

LogicalResult CollectiveStartOp::verify() {
  int64_t waits = llvm::count_if(getToken().getUsers(), [&](Operation *user) {
    return isa<WaitOp>(user) && user->getBlock() == (*this)->getBlock();
  });
  if (waits == 1)
    return success();
  return emitOpError("has ")
         << waits << " waits in its block, expected exactly one";
}

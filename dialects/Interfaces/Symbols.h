// Symbol lookup that climbs: a fragment inside a program, which is a symbol
// table of its own, refers to parameters of the module around it.
#ifndef LLMC_DIALECTS_INTERFACES_SYMBOLS_H
#define LLMC_DIALECTS_INTERFACES_SYMBOLS_H

#include "mlir/IR/SymbolTable.h"

namespace llmc {

/// The op that `name` means at `from`: the innermost symbol table that has it
/// wins. Null if none does.
inline mlir::Operation *lookupSymbol(mlir::Operation *from,
                                     mlir::StringAttr name,
                                     mlir::SymbolTableCollection &tables) {
  mlir::Operation *table = mlir::SymbolTable::getNearestSymbolTable(from);
  while (table) {
    if (mlir::Operation *found = tables.lookupSymbolIn(table, name))
      return found;
    mlir::Operation *parent = table->getParentOp();
    table = parent ? mlir::SymbolTable::getNearestSymbolTable(parent) : nullptr;
  }
  return nullptr;
}

template <typename OpTy>
OpTy lookupSymbol(mlir::Operation *from, mlir::FlatSymbolRefAttr name,
                  mlir::SymbolTableCollection &tables) {
  return llvm::dyn_cast_or_null<OpTy>(
      lookupSymbol(from, name.getAttr(), tables));
}

} // namespace llmc

#endif // LLMC_DIALECTS_INTERFACES_SYMBOLS_H

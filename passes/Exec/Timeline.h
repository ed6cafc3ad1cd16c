// When instructions of an entry run, and what they read and write.
#ifndef LLMC_PASSES_EXEC_TIMELINE_H
#define LLMC_PASSES_EXEC_TIMELINE_H

#include "dialects/Exec/Exec.h"

namespace llmc::exec {

/// A range of bytes of a buffer.
struct Range {
  BufferOp buffer;
  int64_t begin = 0;
  int64_t bytes = 0;
};

/// The buffer behind a view of a view ..., and the bytes of it at coordinate 0
/// of every axis.
Range rangeOf(mlir::Value value);

/// The operands of an instruction in the order of its text; `symbols` is the
/// table of its program. What a started
/// collective uses, the wait for it uses too.
llvm::SmallVector<mlir::Value> readsOf(mlir::Operation *instruction,
                                       const mlir::SymbolTable &symbols);
llvm::SmallVector<mlir::Value> writesOf(mlir::Operation *instruction);

/// The blocks of an entry in the order in which a micro-batch meets them, each
/// once.
llvm::SmallVector<BlockOp> blocksOf(const mlir::SymbolTable &symbols,
                                    EntryOp entry);

} // namespace llmc::exec

#endif // LLMC_PASSES_EXEC_TIMELINE_H

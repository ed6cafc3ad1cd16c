// The pipe dialect: stages, fragments, transfers, schedules.
#ifndef LLMC_DIALECTS_PIPE_PIPE_H
#define LLMC_DIALECTS_PIPE_PIPE_H

#include "dialects/Dist/Dist.h"

#include "dialects/Pipe/PipeDialect.h.inc"

#include "dialects/Pipe/PipeEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Pipe/PipeAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Pipe/PipeOps.h.inc"

namespace llmc::pipe {

/// The source of an argument of a fragment or local function; null if none.
SourceAttr getSource(mlir::FunctionOpInterface function, unsigned argument);

/// What a result of a fragment or local function is for; null if unsaid.
ResultAttr getResult(mlir::FunctionOpInterface function, unsigned result);

/// Checks the source of every argument and the kind of every result of a
/// fragment or local function against parameters, transfers and the fragments
/// of the same stage. Arguments that are handles to buckets need no source.
llvm::LogicalResult verifySources(mlir::FunctionOpInterface function,
                                  uint64_t stage,
                                  mlir::SymbolTableCollection &tables);

} // namespace llmc::pipe

#endif // LLMC_DIALECTS_PIPE_PIPE_H

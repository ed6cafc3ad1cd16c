// The memory that one rank may use, and whether a spec or a program keeps to
// it.
#ifndef LLMC_TOOLS_LLMC_MEMORYLIMIT_H
#define LLMC_TOOLS_LLMC_MEMORYLIMIT_H

#include "tools/llmc/CompileSummary.h"

namespace llmc::tool {

/// What no plan could do without, which is known before anything is compiled:
/// parameters with their gradients and moments, and the residual stream that
/// each layer saves. An error if it is more than target.memory or, without
/// that, the memory of this machine.
void checkLeastMemory(const frontend::LoadedSpec &loaded,
                      frontend::DiagnosticList &diagnostics);

/// The same of the exact plan; names its largest arenas.
void checkPlannedMemory(const frontend::LoadedSpec &loaded,
                        const CompileSummary &summary,
                        frontend::DiagnosticList &diagnostics);

} // namespace llmc::tool

#endif // LLMC_TOOLS_LLMC_MEMORYLIMIT_H

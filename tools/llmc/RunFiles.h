// The files that a run reads, checked before the spec is compiled.
#ifndef LLMC_TOOLS_LLMC_RUNFILES_H
#define LLMC_TOOLS_LLMC_RUNFILES_H

#include "frontend/spec/Load.h"

namespace llmc::tool {

/// Token files without a window and weights that are not the model's, each an
/// error at the line that names the file. With `resumes` the weights come from
/// a checkpoint.
void checkRunFiles(const frontend::LoadedSpec &loaded, bool resumes,
                   frontend::DiagnosticList &diagnostics);

} // namespace llmc::tool

#endif // LLMC_TOOLS_LLMC_RUNFILES_H

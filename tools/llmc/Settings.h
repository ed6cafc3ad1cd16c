// What a bundle tells the runtime of its spec.
#ifndef LLMC_TOOLS_LLMC_SETTINGS_H
#define LLMC_TOOLS_LLMC_SETTINGS_H

#include "frontend/spec/Load.h"
#include "runtime/executor/RunSettings.h"

namespace llmc::tool {

/// The run-time part of a loaded spec.
rt::RunSettings settingsOf(const frontend::LoadedSpec &loaded);

/// config.json of the architecture, as transformers 4 writes it.
std::string configJson(const frontend::Architecture &arch);

/// Threads of one rank: what the spec says, else all processors.
unsigned threadsOf(const frontend::Spec &spec);

} // namespace llmc::tool

#endif // LLMC_TOOLS_LLMC_SETTINGS_H

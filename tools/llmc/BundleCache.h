// Compiled specs, kept by content: run and generate compile only once.
#ifndef LLMC_TOOLS_LLMC_BUNDLECACHE_H
#define LLMC_TOOLS_LLMC_BUNDLECACHE_H

#include "frontend/spec/Load.h"

#include <string>

namespace llmc::tool {

struct CachedBundle {
  /// An exit code; the error is printed.
  int code = 0;
  std::string directory;
};

/// The bundle of a spec, compiled now if the cache does not have it. Its key is
/// the resolved spec with the files that define its model, this program, and
/// the processor. `generate`: the program that `llmc generate` runs.
CachedBundle cachedBundle(const frontend::LoadedSpec &loaded, bool generate);

} // namespace llmc::tool

#endif // LLMC_TOOLS_LLMC_BUNDLECACHE_H

// The order of the files of a source.
#ifndef LLMC_RUNTIME_DATA_PATHLIST_H
#define LLMC_RUNTIME_DATA_PATHLIST_H

#include "runtime/base/Status.h"

#include <string>
#include <vector>

namespace llmc::rt {

/// Entries in the given order, each a path or a glob. The matches of a glob are
/// sorted by their bytes, whatever the locale; a glob without a match is an
/// error. An entry that exists as it is written is a path.
Expected<std::vector<std::string>>
expandPaths(const std::vector<std::string> &entries);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DATA_PATHLIST_H

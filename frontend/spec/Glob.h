// Patterns over tensor names.
#ifndef LLMC_FRONTEND_SPEC_GLOB_H
#define LLMC_FRONTEND_SPEC_GLOB_H

#include <string_view>

namespace llmc::frontend {

/// `*` stands for any text, also none, and for dots too.
bool matchesGlob(std::string_view pattern, std::string_view text);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_GLOB_H

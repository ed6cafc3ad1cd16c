// From a library file and sizes to the evaluated architecture.
#ifndef LLMC_FRONTEND_SPEC_EVALUATE_H
#define LLMC_FRONTEND_SPEC_EVALUATE_H

#include "frontend/spec/Architecture.h"
#include "frontend/spec/Diagnostics.h"
#include "frontend/spec/Library.h"
#include "frontend/spec/Sizes.h"
#include "frontend/spec/Spec.h"

#include <optional>

namespace llmc::frontend {

/// Checks the library's rules, then evaluates embedding, layers and head.
/// Nothing after an error.
std::optional<Architecture> evaluateArchitecture(const Library &library,
                                                 const SizeTable &sizes,
                                                 const Spec &spec,
                                                 DiagnosticList &diagnostics);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_EVALUATE_H

// The final value of every key, and where it came from.
#ifndef LLMC_FRONTEND_SPEC_RESOLVE_H
#define LLMC_FRONTEND_SPEC_RESOLVE_H

#include "frontend/spec/Load.h"

namespace llmc::frontend {

/// Every key that has an effect in this spec, in the order of the table, with
/// the sizes of the model among the model's keys.
std::vector<ResolvedKey> resolveKeys(const Spec &spec,
                                     const Architecture &arch);

} // namespace llmc::frontend

#endif // LLMC_FRONTEND_SPEC_RESOLVE_H

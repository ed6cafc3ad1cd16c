// Processor features under the names that LLVM gives them.
#ifndef LLMC_RUNTIME_PLAN_CPUFEATURES_H
#define LLMC_RUNTIME_PLAN_CPUFEATURES_H

#include <string>
#include <vector>

namespace llmc::rt {

/// Those of `features` (LLVM names such as "avx512f", without a sign) that the
/// operating system does not report for this machine.
std::vector<std::string>
missingCpuFeatures(const std::vector<std::string> &features);

/// All that the operating system reports, as one text: for keys of caches.
std::string cpuFeatureText();

} // namespace llmc::rt

#endif // LLMC_RUNTIME_PLAN_CPUFEATURES_H

// What the library of each target can do behind a matrix product.
#ifndef LLMC_PASSES_EXEC_TARGETS_H
#define LLMC_PASSES_EXEC_TARGETS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llmc::exec {

struct Target {
  llvm::StringLiteral name;
  bool bias;   // + a bias along the columns
  bool addend; // + a matrix of the result's shape
};

/// The CPU's row is what oneDNN's matmul takes as bias and as a binary post-op;
/// the null device records the program of the CPU.
inline constexpr Target kTargets[] = {
    {"cpu", /*bias=*/true, /*addend=*/true},
    {"null", /*bias=*/true, /*addend=*/true},
};

/// The row of a target; null if there is none.
inline const Target *findTarget(llvm::StringRef name) {
  auto found = llvm::find_if(
      kTargets, [&](const Target &target) { return target.name == name; });
  return found == std::end(kTargets) ? nullptr : found;
}

} // namespace llmc::exec

#endif // LLMC_PASSES_EXEC_TARGETS_H

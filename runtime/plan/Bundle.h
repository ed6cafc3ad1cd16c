// Opens the directory that the compiler wrote.
#ifndef LLMC_RUNTIME_PLAN_BUNDLE_H
#define LLMC_RUNTIME_PLAN_BUNDLE_H

#include "runtime/base/File.h"
#include "runtime/plan/Manifest.h"
#include "runtime/plan/Plan.h"

namespace llmc::rt {

/// The names of a bundle's files.
namespace bundle {
inline constexpr const char *plan = "plan.bin";
inline constexpr const char *kernels = "kernels.so";
inline constexpr const char *settings = "settings.json";
inline constexpr const char *summary = "summary.json";
inline constexpr const char *spec = "spec.yaml";
} // namespace bundle

struct Bundle {
  std::string directory;
  Manifest manifest;
  /// Holds what `plan` points to.
  MappedFile planFile;
  const plan::Plan *plan = nullptr;
  /// Text of the RunSettings.
  std::string settings;

  std::string path(const char *file) const { return directory + "/" + file; }
};

/// Checks the manifest, all files against it, and the plan.
Expected<Bundle> openBundle(const std::string &directory);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_PLAN_BUNDLE_H

// manifest.json of a bundle: written by the compiler, checked before anything
// else is opened. Its hashes guard against damage, not against malice.
#ifndef LLMC_RUNTIME_PLAN_MANIFEST_H
#define LLMC_RUNTIME_PLAN_MANIFEST_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace llmc::rt {

struct Manifest {
  static constexpr int64_t formatVersion = 1;
  static constexpr const char *fileName = "manifest.json";

  struct File {
    uint64_t bytes = 0;
    uint64_t xxh3 = 0;
  };

  std::string llmcVersion;
  std::string target;
  /// LLVM names of the features that the kernels use, without signs.
  std::vector<std::string> cpuFeatures;
  int64_t threads = 1;
  std::map<std::string, File> files;
};

/// The version of this program; a bundle is only run by the one that made it.
const char *llmcVersion();

/// The XXH3 hash of 64 bits.
uint64_t hashBytes(std::string_view bytes);
/// 16 digits.
std::string hashText(uint64_t hash);

/// Hashes every file of the directory and writes its manifest. The version and
/// the files of `manifest` are filled in.
Status writeManifest(const std::string &directory, Manifest manifest);

/// Reads the manifest and checks it against this program, this machine and the
/// files of the directory: nothing missing, nothing unlisted, sizes and hashes
/// as listed.
Expected<Manifest> checkManifest(const std::string &directory);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_PLAN_MANIFEST_H

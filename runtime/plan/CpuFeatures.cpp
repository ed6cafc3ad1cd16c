// The flags of /proc/cpuinfo: what the kernel reports is also what it saves and
// restores, which the processor's own registers do not say.
#include "runtime/plan/CpuFeatures.h"

#include <fstream>
#include <set>
#include <sstream>
#include <utility>

namespace llmc::rt {

/// LLVM's name and the kernel's, where they differ.
static constexpr std::pair<const char *, const char *> renamed[] = {
    {"64bit", "lm"},
    {"amx-bf16", "amx_bf16"},
    {"amx-int8", "amx_int8"},
    {"amx-tile", "amx_tile"},
    {"avx512bf16", "avx512_bf16"},
    {"avx512bitalg", "avx512_bitalg"},
    {"avx512fp16", "avx512_fp16"},
    {"avx512vbmi2", "avx512_vbmi2"},
    {"avx512vnni", "avx512_vnni"},
    {"avx512vp2intersect", "avx512_vp2intersect"},
    {"avx512vpopcntdq", "avx512_vpopcntdq"},
    {"avxvnni", "avx_vnni"},
    {"bmi", "bmi1"},
    {"crc32", "sse4_2"},
    {"lzcnt", "abm"},
    {"pclmul", "pclmulqdq"},
    {"prfchw", "3dnowprefetch"},
    {"rdrnd", "rdrand"},
    {"sahf", "lahf_lm"},
    {"sha", "sha_ni"},
    {"shstk", "user_shstk"},
    {"sse3", "pni"},
    {"sse4.1", "sse4_1"},
    {"sse4.2", "sse4_2"},
};

static std::string kernelName(const std::string &feature) {
  for (auto [llvm, kernel] : renamed)
    if (feature == llvm)
      return kernel;
  return feature;
}

static std::set<std::string> readFlags() {
  std::set<std::string> flags;
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    // x86 says "flags", AArch64 "Features".
    if (!line.starts_with("flags") && !line.starts_with("Features"))
      continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string flag; words >> flag;)
      flags.insert(flag);
    break;
  }
  return flags;
}

std::vector<std::string>
missingCpuFeatures(const std::vector<std::string> &features) {
  std::set<std::string> flags = readFlags();
  std::vector<std::string> missing;
  for (const std::string &feature : features)
    if (!flags.contains(kernelName(feature)))
      missing.push_back(feature);
  return missing;
}

std::string cpuFeatureText() {
  std::string text;
  for (const std::string &flag : readFlags())
    text += flag + " ";
  return text;
}

} // namespace llmc::rt

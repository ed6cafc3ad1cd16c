// Names of processor features, LLVM's and the kernel's.
#include "runtime/plan/CpuFeatures.h"

#include <gtest/gtest.h>

namespace llmc::rt {
namespace {

using Names = std::vector<std::string>;

TEST(CpuFeatures, NothingAskedIsNothingMissing) {
  EXPECT_EQ(missingCpuFeatures({}), Names());
}

#ifdef __x86_64__
TEST(CpuFeatures, KnowsWhatEveryProcessorHas) {
  // sse3 is one of those that the kernel names otherwise.
  EXPECT_EQ(missingCpuFeatures({"64bit", "sse2", "sse3", "cmov"}), Names());
}
#endif

TEST(CpuFeatures, ListsAllThatIsMissing) {
  EXPECT_EQ(missingCpuFeatures({"no-such", "neither"}),
            (Names{"no-such", "neither"}));
}

} // namespace
} // namespace llmc::rt

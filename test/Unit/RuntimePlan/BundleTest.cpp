// Bundles that are good, damaged, foreign, or not bundles at all.
#include "test/Support/UnigramBundle.h"

#include <gtest/gtest.h>

namespace fs = std::filesystem;

namespace llmc::rt {
namespace {

class BundleTest : public testing::Test {
protected:
  void SetUp() override {
    plan = unigram::makePlan("cpu", 2, 3);
    write();
  }
  void write() {
    bundle = unigram::writeBundle(dir, plan, unigram::makeSettings(dir, 3));
  }
  /// The manifest written again, after files were changed on purpose.
  void seal(Manifest manifest) {
    Status status = writeManifest(bundle, manifest);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  Manifest manifestOfPlan() {
    Manifest manifest;
    manifest.target = plan.target;
    manifest.threads = plan.threads;
    return manifest;
  }
  std::string open() { return openBundle(bundle).message(); }
  void replaceInManifest(const std::string &from, const std::string &to) {
    // Sealed again, so that what the seal guards is looked at.
    std::string text = readText(bundle + "/manifest.json");
    text = text.substr(0, text.rfind("  \"seal\""));
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    dir.write("bundle/manifest.json",
              text + "  \"seal\": \"" + hashText(hashBytes(text)) + "\"\n}\n");
  }

  TempDir dir;
  plan::PlanT plan;
  std::string bundle;
};

TEST_F(BundleTest, OpensWhatWasWritten) {
  Expected<Bundle> opened = openBundle(bundle);
  ASSERT_TRUE(opened.ok()) << opened.message();
  EXPECT_EQ(opened->manifest.target, "cpu");
  EXPECT_EQ(opened->manifest.files.size(), 5u);
  EXPECT_EQ(opened->path(bundle::kernels), bundle + "/kernels.so");
  EXPECT_EQ(opened->plan->threads(), 2u);
  EXPECT_TRUE(RunSettings::fromJson(opened->settings, "settings").ok());
}

TEST_F(BundleTest, EveryFlippedByteIsFound) {
  for (const auto &entry : fs::directory_iterator(bundle)) {
    std::string name = "bundle/" + entry.path().filename().string();
    std::string good = readText(dir.path(name));
    size_t stride = good.size() > 6000 ? good.size() / 500 : 1;
    for (size_t at = 0; at < good.size(); at += stride) {
      std::string damaged = good;
      damaged[at] = char(damaged[at] ^ (1 << at % 8));
      dir.write(name, damaged);
      ASSERT_NE(open(), "") << name << ", byte " << at;
    }
    dir.write(name, good);
  }
  EXPECT_EQ(open(), "");
}

TEST_F(BundleTest, RefusesAFileOfAnotherLength) {
  dir.write("bundle/summary.json", "{}\n\n");
  EXPECT_EQ(open(),
            "'" + bundle + "/summary.json': 4 bytes, the manifest says 3");
}

TEST_F(BundleTest, RefusesAFileThatIsMissing) {
  fs::remove(bundle + "/kernels.so");
  EXPECT_TRUE(contains(open(), "kernels.so': No such file")) << open();
}

TEST_F(BundleTest, RefusesAFileThatIsNotListed) {
  dir.write("bundle/extra.so", "x");
  EXPECT_EQ(open(),
            "'" + bundle + "/extra.so': not listed in the bundle's manifest");
}

TEST_F(BundleTest, RefusesABundleWithoutAPlan) {
  fs::remove(bundle + "/plan.bin");
  seal(manifestOfPlan());
  EXPECT_EQ(open(), "'" + bundle + "': the bundle has no plan.bin");
}

TEST_F(BundleTest, RefusesAnotherVersion) {
  replaceInManifest("\"llmc_version\": \"" + std::string(llmcVersion()),
                    "\"llmc_version\": \"0.0.1");
  EXPECT_TRUE(contains(open(), "made by llmc 0.0.1, this is llmc ")) << open();
}

TEST_F(BundleTest, RefusesAnotherFormat) {
  replaceInManifest("\"format\": 1", "\"format\": 2");
  EXPECT_TRUE(contains(open(), "format 2, expected 1")) << open();
}

TEST_F(BundleTest, RefusesAProcessorThatLacksFeatures) {
  Manifest manifest = manifestOfPlan();
  manifest.cpuFeatures = {"avx2048f", "sse2"};
  seal(manifest);
  EXPECT_TRUE(contains(open(), "features that this one lacks: avx2048f;"))
      << open();
}

TEST_F(BundleTest, RefusesAPlanOfAnotherBundle) {
  plan.threads = 1;
  dir.write("bundle/plan.bin", unigram::pack(plan));
  plan.threads = 2;
  seal(manifestOfPlan());
  EXPECT_TRUE(contains(open(), "and 1 threads, the manifest says cpu"))
      << open();
}

TEST_F(BundleTest, RefusesANameThatLeavesTheDirectory) {
  replaceInManifest("\"spec.yaml\"", "\"../spec.yaml\"");
  EXPECT_TRUE(contains(open(), "'../spec.yaml' is not a file of the bundle"))
      << open();
}

TEST_F(BundleTest, RefusesWhatIsNoDirectory) {
  EXPECT_TRUE(
      contains(openBundle(dir.path("tokens.u8")).message(), "Not a directory"));
  EXPECT_TRUE(
      contains(openBundle(dir.path("nothing")).message(), "No such file"));
}

} // namespace
} // namespace llmc::rt

// The keys of a summary and its unknown numbers.
#include "runtime/metrics/Summary.h"

#include "runtime/base/Json.h"
#include "test/Unit/RuntimeBase/TempFiles.h"

#include <cmath>

namespace llmc::rt {
namespace {

TEST(Summary, HasAllKeys) {
  TempDir dir;
  RunSummary summary;
  summary.outcome = "finished";
  summary.name = "tiny";
  summary.steps = summary.plannedSteps = 20;
  summary.totalTokens = 5120;
  summary.loss = 2.5;
  summary.seconds = 1.5;
  summary.memoryBytes = 1 << 20;
  summary.windowsLeft = 3;
  summary.checkpoint = "checkpoints/step_00000020";
  ASSERT_TRUE(writeSummary(dir.path("s"), summary).ok());
  EXPECT_EQ(*parseJson(readText(dir.path("s")), "s"), Json::parse(R"({
    "outcome": "finished", "reason": null, "name": "tiny", "steps": 20,
    "planned_steps": 20, "total_tokens": 5120, "loss": 2.5,
    "validation_loss": null, "seconds": 1.5, "memory_bytes": 1048576,
    "windows_left": 3, "checkpoint": "checkpoints/step_00000020"})"));
}

TEST(Summary, ALossThatIsNotFiniteIsAString) {
  TempDir dir;
  RunSummary summary;
  summary.outcome = "stopped";
  summary.loss = std::nan("");
  summary.validationLoss = -std::numeric_limits<double>::infinity();
  ASSERT_TRUE(writeSummary(dir.path("s"), summary).ok());
  Expected<Json> json = readJsonFile(dir.path("s"));
  EXPECT_EQ((*json)["loss"], "nan");
  EXPECT_EQ((*json)["validation_loss"], "-inf");
}

TEST(Summary, AMissingDirectoryIsNamed) {
  Status status = writeSummary("/nowhere/s", RunSummary());
  EXPECT_TRUE(contains(status.message(), "cannot write '/nowhere/s"));
}

} // namespace
} // namespace llmc::rt

// The text of a line, and what is cut when a run resumes.
#include "runtime/metrics/MetricsWriter.h"

#include "runtime/base/Json.h"
#include "test/Unit/RuntimeBase/TempFiles.h"

#include <cmath>
#include <limits>

namespace llmc::rt {
namespace {

StepMetrics makeStep(int64_t step) {
  StepMetrics metrics;
  metrics.step = step;
  metrics.loss = 4.574368754328968;
  metrics.gradNorm = 0.1;
  metrics.lr = 6e-4;
  metrics.tokens = 512;
  metrics.totalTokens = 512 * step;
  metrics.tokensPerSecond = 1000;
  metrics.stepSeconds = 0.512;
  metrics.memoryBytes = 5000000000;
  return metrics;
}

TEST(MetricsWriter, WritesOneObjectAStep) {
  TempDir dir;
  auto writer = MetricsWriter::open(dir.path("m"), 0);
  ASSERT_TRUE(writer) << writer.message();
  ASSERT_TRUE(writer->writeStep(makeStep(1)).ok());
  EXPECT_EQ(readText(dir.path("m")),
            "{\"step\": 1, \"loss\": 4.574368754328968, \"grad_norm\": 0.1, "
            "\"lr\": 6e-04, \"tokens\": 512, \"total_tokens\": 512, "
            "\"tokens_per_second\": 1000, \"step_seconds\": 0.512, \"mfu\": "
            "null, \"memory_bytes\": 5000000000}\n");
}

TEST(MetricsWriter, WritesValidationLines) {
  TempDir dir;
  auto writer = MetricsWriter::open(dir.path("m"), 0);
  ASSERT_TRUE(writer->writeValidation(0, 5.5).ok());
  EXPECT_EQ(readText(dir.path("m")),
            "{\"step\": 0, \"validation_loss\": 5.5}\n");
}

TEST(MetricsWriter, NumbersThatAreNotFiniteAreStrings) {
  TempDir dir;
  auto writer = MetricsWriter::open(dir.path("m"), 0);
  double inf = std::numeric_limits<double>::infinity();
  for (double value : {std::nan(""), -std::nan(""), inf, -inf})
    ASSERT_TRUE(writer->writeValidation(1, value).ok());
  EXPECT_EQ(readText(dir.path("m")),
            "{\"step\": 1, \"validation_loss\": \"nan\"}\n"
            "{\"step\": 1, \"validation_loss\": \"nan\"}\n"
            "{\"step\": 1, \"validation_loss\": \"inf\"}\n"
            "{\"step\": 1, \"validation_loss\": \"-inf\"}\n");
}

TEST(MetricsWriter, DoublesReadBackExactly) {
  TempDir dir;
  auto writer = MetricsWriter::open(dir.path("m"), 0);
  StepMetrics metrics = makeStep(1);
  metrics.loss = 0.1 + 0.2;
  metrics.gradNorm = 5e-324;
  metrics.lr = -1.7976931348623157e308;
  metrics.mfu = 1.0 / 3;
  ASSERT_TRUE(writer->writeStep(metrics).ok());
  Expected<Json> json = parseJson(readText(dir.path("m")), "m");
  ASSERT_TRUE(json) << json.message();
  EXPECT_EQ((*json)["loss"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ((*json)["grad_norm"].get<double>(), 5e-324);
  EXPECT_EQ((*json)["lr"].get<double>(), -1.7976931348623157e308);
  EXPECT_EQ((*json)["mfu"].get<double>(), 1.0 / 3);
}

TEST(MetricsWriter, TheLongestLineFits) {
  TempDir dir;
  auto writer = MetricsWriter::open(dir.path("m"), 0);
  StepMetrics metrics = makeStep(1);
  metrics.step = std::numeric_limits<int64_t>::min();
  metrics.loss = metrics.gradNorm = metrics.lr = metrics.tokensPerSecond =
      metrics.stepSeconds = -2.2250738585072014e-308;
  metrics.mfu = metrics.loss;
  metrics.tokens = metrics.totalTokens = metrics.memoryBytes = metrics.step;
  ASSERT_TRUE(writer->writeStep(metrics).ok());
  EXPECT_TRUE(parseJson(readText(dir.path("m")), "m"));
}

TEST(MetricsWriter, AFreshRunBeginsAnew) {
  TempDir dir;
  dir.write("m", "old\n");
  auto writer = MetricsWriter::open(dir.path("m"), 0);
  ASSERT_TRUE(writer);
  EXPECT_EQ(readText(dir.path("m")), "");
}

TEST(MetricsWriter, AResumedRunCutsWhatIsBeyondItsCheckpoint) {
  TempDir dir;
  {
    auto writer = MetricsWriter::open(dir.path("m"), 0);
    ASSERT_TRUE(writer->writeValidation(0, 5).ok());
    for (int64_t step = 1; step <= 5; ++step)
      ASSERT_TRUE(writer->writeStep(makeStep(step)).ok());
  }
  std::string before = readText(dir.path("m"));
  auto writer = MetricsWriter::open(dir.path("m"), 3);
  ASSERT_TRUE(writer);
  EXPECT_EQ(readText(dir.path("m")),
            before.substr(0, before.find("{\"step\": 4")));
  ASSERT_TRUE(writer->writeStep(makeStep(4)).ok());
  ASSERT_TRUE(writer->writeStep(makeStep(5)).ok());
  EXPECT_EQ(readText(dir.path("m")), before);
}

TEST(MetricsWriter, ALineThatACrashCutIsDropped) {
  TempDir dir;
  dir.write("m", "{\"step\": 1, \"loss\": 2}\n{\"step\": 2, \"lo");
  auto writer = MetricsWriter::open(dir.path("m"), 9);
  ASSERT_TRUE(writer);
  EXPECT_EQ(readText(dir.path("m")), "{\"step\": 1, \"loss\": 2}\n");
}

TEST(MetricsWriter, AMissingDirectoryIsNamed) {
  EXPECT_EQ(MetricsWriter::open("/nowhere/m", 0).message(),
            "cannot write '/nowhere/m': No such file or directory");
}

TEST(MetricsWriter, AFullDiskIsReported) {
  TempDir dir;
  auto writer = MetricsWriter::open(dir.path("m"), 0);
  FileSizeLimit limit(10);
  Status status = writer->writeStep(makeStep(1));
  EXPECT_TRUE(contains(status.message(), "cannot write '" + dir.path("m")))
      << status.message();
}

} // namespace
} // namespace llmc::rt

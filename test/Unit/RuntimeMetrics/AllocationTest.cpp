// Lines of a step without a call of the allocator.
#include "test/Unit/RuntimeBase/CountAllocations.h"

#include "runtime/metrics/MetricsWriter.h"
#include "runtime/metrics/ProgressLine.h"
#include "test/Unit/RuntimeBase/TempFiles.h"

#include <fcntl.h>
#include <unistd.h>

namespace llmc::rt {
namespace {

TEST(Allocations, NoneInTheLinesOfAStep) {
  TempDir dir;
  auto writer = MetricsWriter::open(dir.path("m"), 0);
  ASSERT_TRUE(writer) << writer.message();
  int terminal = ::open("/dev/null", O_WRONLY);
  ProgressLine line(terminal, 100, 10, true);
  StepMetrics metrics;
  metrics.loss = 4.574368754328968;
  long before = allocationCount;
  for (metrics.step = 1; metrics.step <= 20; ++metrics.step) {
    if (!writer->writeStep(metrics))
      break;
    line.step(metrics);
  }
  EXPECT_EQ(allocationCount, before);
  EXPECT_EQ(metrics.step, 21);
  ::close(terminal);
}

} // namespace
} // namespace llmc::rt

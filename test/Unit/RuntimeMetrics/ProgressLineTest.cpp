// What a terminal and a pipe see.
#include "runtime/metrics/ProgressLine.h"

#include "test/Unit/RuntimeBase/TempFiles.h"

#include <cmath>
#include <fcntl.h>
#include <unistd.h>

namespace llmc::rt {
namespace {

StepMetrics makeStep(int64_t step) {
  StepMetrics metrics;
  metrics.step = step;
  metrics.loss = 4.57436;
  metrics.gradNorm = 0.66734;
  metrics.lr = 6e-4;
  metrics.tokensPerSecond = 12345;
  metrics.stepSeconds = 2;
  return metrics;
}

/// Collects what is written to a descriptor.
class Capture {
public:
  Capture() {
    descriptor = ::open(dir.path("out").c_str(), O_CREAT | O_WRONLY, 0600);
  }
  ~Capture() { ::close(descriptor); }
  std::string text() const { return readText(dir.path("out")); }

  TempDir dir;
  int descriptor;
};

TEST(ProgressLine, APipeGetsPlainLinesWhenDue) {
  Capture out;
  ProgressLine line(out.descriptor, 7, 3);
  for (int64_t step = 1; step <= 7; ++step)
    line.step(makeStep(step));
  line.finish();
  auto text = [](const char *step, const char *eta) {
    return std::string("step ") + step +
           "/7  loss 4.5744  norm 0.667  lr 6.00e-04  12.3k tokens/s  eta " +
           eta + "\n";
  };
  EXPECT_EQ(out.text(), text("1", "12s") + text("3", "8s") + text("6", "2s") +
                            text("7", "0s"));
}

TEST(ProgressLine, ATerminalGetsOneLiveLine) {
  Capture out;
  ProgressLine line(out.descriptor, 100, 10, true);
  line.step(makeStep(1));
  line.step(makeStep(2));
  line.step(makeStep(3));
  line.finish();
  std::string text = out.text();
  EXPECT_TRUE(contains(text, "eta 3m18s\nstep 2/100")) << text;
  EXPECT_TRUE(contains(text, "eta 3m16s\r\x1b[Kstep 3/100")) << text;
  EXPECT_EQ(text.back(), '\n');
}

TEST(ProgressLine, NotesAndValidationsClearTheLiveLine) {
  Capture out;
  ProgressLine line(out.descriptor, 100, 10, true);
  line.step(makeStep(11));
  line.step(makeStep(12));
  line.validation(12, 3.25);
  line.note("checkpoint saved");
  EXPECT_TRUE(contains(out.text(),
                       "\r\x1b[Kstep 12/100  validation loss 3.2500\n"
                       "checkpoint saved\n"))
      << out.text();
}

TEST(ProgressLine, ALossThatIsNotFiniteIsShown) {
  Capture out;
  ProgressLine line(out.descriptor, 100, 1);
  StepMetrics metrics = makeStep(1);
  metrics.loss = std::nan("");
  line.step(metrics);
  EXPECT_TRUE(contains(out.text(), "loss nan ")) << out.text();
}

TEST(ProgressLine, AClosedPipeIsNoError) {
  ProgressLine line(-1, 100, 1);
  line.step(makeStep(1));
  line.finish();
}

TEST(DurationText, UsesTwoUnits) {
  EXPECT_EQ(durationText(0), "0s");
  EXPECT_EQ(durationText(59.4), "59s");
  EXPECT_EQ(durationText(185), "3m05s");
  EXPECT_EQ(durationText(7625), "2h07m");
  EXPECT_EQ(durationText(86400 * 3 + 3600 * 4), "3d04h");
  EXPECT_EQ(durationText(-1), "unknown");
  EXPECT_EQ(durationText(std::nan("")), "unknown");
}

} // namespace
} // namespace llmc::rt

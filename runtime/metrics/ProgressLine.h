// One live line on a terminal, plain lines in a pipe.
#ifndef LLMC_RUNTIME_METRICS_PROGRESSLINE_H
#define LLMC_RUNTIME_METRICS_PROGRESSLINE_H

#include "runtime/metrics/StepMetrics.h"

#include <string>

namespace llmc::rt {

/// "step 10/1000  loss 4.5123  norm 0.912  lr 6.00e-04  12.3k tokens/s  eta
/// 3m05s". On a terminal the line is redrawn at every step and stays when it is
/// due; in a pipe only the lines that are due are written: the first step,
/// every `every` steps and the last. Nothing is allocated while steps go on.
class ProgressLine {
public:
  /// Writes to the file descriptor; a terminal is recognised.
  ProgressLine(int descriptor, int64_t lastStep, int64_t every);
  /// The same, told whether it is a terminal.
  ProgressLine(int descriptor, int64_t lastStep, int64_t every, bool live);

  void step(const StepMetrics &metrics);
  void validation(int64_t step, double loss);
  /// A line of its own, above the live one.
  void note(const std::string &text);
  /// Ends the live line: called once, after the last step.
  void finish();

private:
  bool isDue(int64_t step) const;
  void write(const char *text, size_t size);
  /// Clears the live line, to write something else in its place.
  void clear();

  int descriptor;
  int64_t lastStep;
  int64_t every;
  bool live;
  bool lineOpen = false;
  int64_t stepsSeen = 0;
  /// A moving average, for the time that is left.
  double secondsPerStep = 0;
};

/// "45s", "3m05s", "2h07m", "3d04h".
std::string durationText(double seconds);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_METRICS_PROGRESSLINE_H

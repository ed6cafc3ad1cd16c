// Formats and redraws the progress line.
#include "runtime/metrics/ProgressLine.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace llmc::rt {

static size_t formatDuration(char *out, size_t size, double seconds) {
  if (!(seconds >= 0 && seconds < 1e12))
    return size_t(std::snprintf(out, size, "unknown"));
  long long s = std::llround(seconds);
  int length;
  if (s < 60)
    length = std::snprintf(out, size, "%llds", s);
  else if (s < 3600)
    length = std::snprintf(out, size, "%lldm%02llds", s / 60, s % 60);
  else if (s < 86400)
    length = std::snprintf(out, size, "%lldh%02lldm", s / 3600, s / 60 % 60);
  else
    length = std::snprintf(out, size, "%lldd%02lldh", s / 86400, s / 3600 % 24);
  return size_t(length);
}

std::string durationText(double seconds) {
  char buffer[32];
  return {buffer, formatDuration(buffer, sizeof(buffer), seconds)};
}

/// "987", "12.3k", "4.56M".
static void formatRate(char *out, size_t size, double rate) {
  if (rate < 1000)
    std::snprintf(out, size, "%.0f", rate);
  else if (rate < 1e6)
    std::snprintf(out, size, "%.1fk", rate / 1e3);
  else
    std::snprintf(out, size, "%.2fM", rate / 1e6);
}

ProgressLine::ProgressLine(int descriptor, int64_t lastStep, int64_t every)
    : ProgressLine(descriptor, lastStep, every, ::isatty(descriptor) == 1) {}

ProgressLine::ProgressLine(int descriptor, int64_t lastStep, int64_t every,
                           bool live)
    : descriptor(descriptor), lastStep(lastStep), every(every), live(live) {}

void ProgressLine::write(const char *text, size_t size) {
  // A closed terminal must not end the run: what cannot be shown is dropped.
  while (size > 0) {
    ssize_t written = ::write(descriptor, text, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    text += written;
    size -= size_t(written);
  }
}

void ProgressLine::clear() {
  if (std::exchange(lineOpen, false))
    write("\r\x1b[K", 4);
}

bool ProgressLine::isDue(int64_t step) const {
  return stepsSeen == 0 || step == lastStep || (every > 0 && step % every == 0);
}

void ProgressLine::step(const StepMetrics &metrics) {
  bool due = isDue(metrics.step);
  // The first step warms caches up and does not enter the average.
  if (stepsSeen <= 1)
    secondsPerStep = metrics.stepSeconds;
  else
    secondsPerStep = 0.9 * secondsPerStep + 0.1 * metrics.stepSeconds;
  ++stepsSeen;
  if (!live && !due)
    return;

  char rate[32], eta[32], line[256];
  formatRate(rate, sizeof(rate), metrics.tokensPerSecond);
  formatDuration(eta, sizeof(eta),
                 secondsPerStep *
                     double(std::max<int64_t>(0, lastStep - metrics.step)));
  int length = std::snprintf(
      line, sizeof(line),
      "step %lld/%lld  loss %.4f  norm %.3f  lr %.2e  %s tokens/s  eta %s",
      (long long)metrics.step, (long long)lastStep, metrics.loss,
      metrics.gradNorm, metrics.lr, rate, eta);
  length = std::min<int>(length, sizeof(line) - 2);
  clear();
  lineOpen = live && !due;
  if (!lineOpen)
    line[length++] = '\n';
  write(line, size_t(length));
}

void ProgressLine::validation(int64_t step, double loss) {
  char line[96];
  int length = std::snprintf(line, sizeof(line),
                             "step %lld/%lld  validation loss %.4f\n",
                             (long long)step, (long long)lastStep, loss);
  clear();
  write(line, std::min(size_t(length), sizeof(line) - 1));
}

void ProgressLine::note(const std::string &text) {
  clear();
  write(text.data(), text.size());
  write("\n", 1);
}

void ProgressLine::finish() {
  if (std::exchange(lineOpen, false))
    write("\n", 1);
}

} // namespace llmc::rt

// Warm-up, then constant, linear, cosine or warm-up-stable-decay.
#include "runtime/base/LearningRate.h"

#include <algorithm>
#include <cmath>

namespace llmc::rt {

/// How much of `length` steps has passed; an empty stretch is over at once.
static double progress(int64_t passed, int64_t length) {
  return length <= 0 ? 1.0 : std::min(1.0, double(passed) / double(length));
}

double LearningRateSchedule::at(int64_t finishedSteps) const {
  int64_t s = finishedSteps;
  if (s < warmupSteps)
    return lr * double(s + 1) / double(warmupSteps);

  double t = progress(s - warmupSteps, endStep - warmupSteps);
  switch (kind) {
  case ScheduleKind::Constant:
    return lr;
  case ScheduleKind::Linear:
    return lr + t * (minLr - lr);
  case ScheduleKind::Cosine: {
    constexpr double pi = 3.14159265358979323846;
    return minLr + (lr - minLr) * (1.0 + std::cos(pi * t)) / 2.0;
  }
  case ScheduleKind::Wsd: {
    if (s < endStep - decaySteps)
      return lr;
    double u = progress(s - endStep + decaySteps, decaySteps);
    double left =
        decayShape == DecayShape::Linear ? 1.0 - u : 1.0 - std::sqrt(u);
    return minLr + (lr - minLr) * left;
  }
  }
  return lr;
}

} // namespace llmc::rt

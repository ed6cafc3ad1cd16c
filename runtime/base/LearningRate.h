// The learning rate of a step as a function of the finished optimiser steps.
#ifndef LLMC_RUNTIME_BASE_LEARNINGRATE_H
#define LLMC_RUNTIME_BASE_LEARNINGRATE_H

#include <cstdint>

namespace llmc::rt {

enum class ScheduleKind { Constant, Linear, Cosine, Wsd };
enum class DecayShape { Linear, Sqrt };

struct LearningRateSchedule {
  ScheduleKind kind = ScheduleKind::Constant;
  double lr = 0;
  double minLr = 0;
  int64_t warmupSteps = 0;
  /// The step at which the decay ends: the length of the run by default.
  int64_t endStep = 0;
  /// Only for wsd.
  int64_t decaySteps = 0;
  DecayShape decayShape = DecayShape::Linear;

  /// The rate of the step that follows `finishedSteps` finished ones.
  double at(int64_t finishedSteps) const;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_BASE_LEARNINGRATE_H

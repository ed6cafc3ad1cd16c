// Records instructions and writes them in the trace format of Chrome.
#ifndef LLMC_RUNTIME_EXECUTOR_TRACE_H
#define LLMC_RUNTIME_EXECUTOR_TRACE_H

#include "runtime/executor/Program.h"

namespace llmc::rt {

/// Keeps the last `capacity` instructions. Nothing is allocated after it was
/// made.
class Trace : public InstructionObserver {
public:
  static constexpr size_t capacity = size_t(1) << 20;

  explicit Trace(const plan::Plan &plan, size_t capacity = Trace::capacity);

  /// The step of the instructions that follow.
  void beginStep(int64_t number) { step = number; }
  void before() override;
  void after(const ResolvedInstruction &instruction,
             const plan::Action &action) override;

  /// A JSON file for chrome://tracing or Perfetto.
  Status write(const std::string &path) const;

private:
  struct Event {
    const plan::Instruction *instruction;
    const plan::Action *action;
    int64_t step;
    int64_t start; // nanoseconds since the trace began
    int64_t duration;
  };

  std::string text(const Event &event) const;

  const plan::Plan &plan;
  std::vector<Event> events;
  /// Instructions in all; the ring holds the last of them.
  size_t seen = 0;
  int64_t step = 0;
  int64_t origin;
  int64_t started = 0;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_TRACE_H

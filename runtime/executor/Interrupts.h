// The first SIGINT or SIGTERM asks the run to save and end; the second one ends
// the process at once.
#ifndef LLMC_RUNTIME_EXECUTOR_INTERRUPTS_H
#define LLMC_RUNTIME_EXECUTOR_INTERRUPTS_H

namespace llmc::rt {

/// Signals are handled while one exists. Those that would end the process over
/// a write, into a closed pipe or beyond a limit on file sizes, are ignored:
/// the write fails and is reported as any other.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  /// The signal that asked to end, or 0.
  static int pending();
};

/// While one exists, a write into a closed pipe or beyond a limit on file sizes
/// fails as any other write and does not end the process.
class WriteSignalsIgnored {
public:
  WriteSignalsIgnored();
  ~WriteSignalsIgnored();
  WriteSignalsIgnored(const WriteSignalsIgnored &) = delete;
  WriteSignalsIgnored &operator=(const WriteSignalsIgnored &) = delete;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_INTERRUPTS_H

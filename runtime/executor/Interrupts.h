//===- Interrupts.h - Ctrl-C and the request to end ------------*- C++ -*-===//
//
// The first SIGINT or SIGTERM asks the run to save and end; the second one ends
// the process at once.
//
//===----------------------------------------------------------------------===//

#ifndef LLMC_RUNTIME_EXECUTOR_INTERRUPTS_H
#define LLMC_RUNTIME_EXECUTOR_INTERRUPTS_H

namespace llmc::rt {

/// Signals are handled while one exists.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  /// The signal that asked to end, or 0.
  static int pending();
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_INTERRUPTS_H

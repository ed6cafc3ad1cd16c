// A small fixed pool for what oneDNN allocates in each call.
#ifndef LLMC_RUNTIME_DEVICE_CPU_STEPMEMORY_H
#define LLMC_RUNTIME_DEVICE_CPU_STEPMEMORY_H

namespace llmc::rt {

/// While one exists, `operator new` of this thread takes small blocks from a
/// pool that is part of the program's image. A run promises not to allocate
/// after start-up, and oneDNN builds a map of arguments with `operator new`
/// every time a primitive is executed, so the program replaces the global
/// operators. Blocks may outlive the scope. What does not fit into the pool
/// comes from malloc.
class StepMemoryScope {
public:
  StepMemoryScope();
  ~StepMemoryScope();
  StepMemoryScope(const StepMemoryScope &) = delete;
  StepMemoryScope &operator=(const StepMemoryScope &) = delete;

private:
  bool before;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_DEVICE_CPU_STEPMEMORY_H

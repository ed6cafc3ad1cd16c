// Keeps two runs from writing into one directory.
#ifndef LLMC_RUNTIME_EXECUTOR_RUNLOCK_H
#define LLMC_RUNTIME_EXECUTOR_RUNLOCK_H

#include "runtime/base/Status.h"

#include <map>
#include <string>

namespace llmc::rt {

/// Exclusive locks on the file `.lock` of directories, held while this exists;
/// the system drops them when the process ends, however it does.
class RunLocks {
public:
  RunLocks() = default;
  RunLocks(RunLocks &&) = default;
  RunLocks &operator=(RunLocks &&) = delete;
  ~RunLocks();

  /// Locks a directory that an earlier run has made; another one is left as it
  /// is. An error if a run holds the lock.
  Status takeExisting(const std::string &directory);
  /// Locks a directory that exists, unless it is locked already.
  Status take(const std::string &directory);
  /// Removes the lock files that were not there before.
  void undo();

private:
  struct Lock {
    int descriptor;
    bool created;
  };

  Status lock(const std::string &directory, Lock lock);

  /// By directory.
  std::map<std::string, Lock> held;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_EXECUTOR_RUNLOCK_H

// Locks by flock.
#include "runtime/executor/RunLock.h"

#include "runtime/base/File.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace llmc::rt {

static std::string lockPath(const std::string &directory) {
  return directory + "/.lock";
}

RunLocks::~RunLocks() {
  for (auto &[directory, lock] : held)
    ::close(lock.descriptor);
}

Status RunLocks::takeExisting(const std::string &directory) {
  int descriptor = ::open(lockPath(directory).c_str(), O_RDWR | O_CLOEXEC);
  // Whether it can be written to is found when the directory is prepared.
  return descriptor < 0 ? Status::success()
                        : lock(directory, {descriptor, /*created=*/false});
}

Status RunLocks::take(const std::string &directory) {
  if (held.contains(directory))
    return Status::success();
  std::string path = lockPath(directory);
  bool created = ::access(path.c_str(), F_OK) != 0;
  int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  return descriptor < 0 ? systemError("open", path)
                        : lock(directory, {descriptor, created});
}

Status RunLocks::lock(const std::string &directory, Lock lock) {
  if (::flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0) {
    held.insert({directory, lock});
    return Status::success();
  }
  Status failure =
      errno == EWOULDBLOCK
          ? Status::error("another run writes into '" + directory + "'")
          : systemError("lock", lockPath(directory));
  ::close(lock.descriptor);
  return failure;
}

void RunLocks::undo() {
  for (auto &[directory, lock] : held)
    if (lock.created)
      ::unlink(lockPath(directory).c_str());
}

} // namespace llmc::rt

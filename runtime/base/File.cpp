// Mappings and atomic writes over POSIX calls.
#include "runtime/base/File.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace llmc::rt {

Status systemError(const std::string &what, const std::string &path) {
  int code = errno;
  return Status::error("cannot " + what + " '" + path +
                       "': " + std::strerror(code));
}

static std::string parentOf(const std::string &path) {
  std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

static Expected<uint64_t> freeBytes(const std::string &directory) {
  struct statvfs info;
  if (statvfs(directory.c_str(), &info) != 0)
    return systemError("read the free space of", directory);
  return uint64_t(info.f_bavail) * info.f_frsize;
}

static Status diskFull(const std::string &path, uint64_t needed,
                       const std::string &reason) {
  Expected<uint64_t> free = freeBytes(parentOf(path));
  return Status::error("cannot write '" + path + "': " + reason + "; " +
                       std::to_string(needed) + " bytes needed, " +
                       (free ? std::to_string(*free) : std::string("unknown")) +
                       " free");
}

//===----------------------------------------------------------------------===//
// MappedFile
//===----------------------------------------------------------------------===//

/// Why a file of this kind cannot be mapped; empty for a regular file.
static std::string notRegular(const struct stat &info) {
  if (S_ISREG(info.st_mode))
    return "";
  return S_ISDIR(info.st_mode) ? "is a directory, expected a file"
                               : "is not a regular file";
}

static Expected<const uint8_t *> mapDescriptor(int descriptor,
                                               const struct stat &info,
                                               const std::string &path) {
  if (std::string reason = notRegular(info); !reason.empty())
    return Status::error("cannot read '" + path + "': " + reason);
  if (info.st_size == 0)
    return static_cast<const uint8_t *>(nullptr);
  if (uint64_t(info.st_size) > std::numeric_limits<size_t>::max())
    return Status::error("cannot read '" + path +
                         "': " + std::to_string(info.st_size) +
                         " bytes are more than this machine can address");
  void *data =
      mmap(nullptr, size_t(info.st_size), PROT_READ, MAP_SHARED, descriptor, 0);
  if (data == MAP_FAILED)
    return systemError("map", path);
  return static_cast<const uint8_t *>(data);
}

Expected<MappedFile> MappedFile::open(const std::string &path) {
  // O_NONBLOCK: a pipe in place of a file must not hang.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return systemError("read", path);
  struct stat info;
  Status failure;
  MappedFile file;
  if (fstat(descriptor, &info) != 0) {
    failure = systemError("read", path);
  } else if (Expected<const uint8_t *> data =
                 mapDescriptor(descriptor, info, path)) {
    file.name = path;
    file.bytes = *data;
    file.length = uint64_t(info.st_size);
  } else {
    failure = data.takeStatus();
  }
  ::close(descriptor);
  if (!failure)
    return failure;
  return file;
}

MappedFile::~MappedFile() {
  if (bytes)
    munmap(const_cast<uint8_t *>(bytes), size_t(length));
}

void MappedFile::swap(MappedFile &other) noexcept {
  std::swap(name, other.name);
  std::swap(bytes, other.bytes);
  std::swap(length, other.length);
}

//===----------------------------------------------------------------------===//
// OutputFile
//===----------------------------------------------------------------------===//

Expected<OutputFile> OutputFile::create(const std::string &path,
                                        uint64_t expectedBytes) {
  int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return systemError("write", path);
  return OutputFile(path, descriptor, expectedBytes);
}

OutputFile::OutputFile(std::string path, int descriptor, uint64_t expectedBytes)
    : name(std::move(path)), descriptor(descriptor), expected(expectedBytes) {}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : name(std::move(other.name)),
      descriptor(std::exchange(other.descriptor, -1)),
      expected(other.expected) {}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

/// A full disk, a full quota and a limit on file sizes are one mistake to the
/// user: there is no room.
static Status writeError(const std::string &path, uint64_t expected) {
  int code = errno;
  if (code == ENOSPC || code == EDQUOT || code == EFBIG)
    return diskFull(path, expected, std::strerror(code));
  errno = code;
  return systemError("write", path);
}

Status OutputFile::write(const void *data, size_t size) {
  const char *next = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t written = ::write(descriptor, next, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return writeError(name, expected);
    next += written;
    size -= size_t(written);
  }
  return Status::success();
}

Status OutputFile::finish() {
  int closing = std::exchange(descriptor, -1);
  if (fsync(closing) != 0) {
    Status failure = writeError(name, expected);
    ::close(closing);
    return failure;
  }
  if (::close(closing) != 0)
    return writeError(name, expected);
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Commits
//===----------------------------------------------------------------------===//

static Status syncDirectory(const std::string &path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return systemError("open", path);
  // Some file systems cannot sync a directory and say so with EINVAL.
  bool failed = fsync(descriptor) != 0 && errno != EINVAL;
  Status result = failed ? systemError("sync", path) : Status::success();
  ::close(descriptor);
  return result;
}

Status writeFileAtomically(const std::string &path, std::string_view contents) {
  std::string aside = path + std::string(DirectoryCommit::asideSuffix);
  Expected<OutputFile> file = OutputFile::create(aside, contents.size());
  if (!file)
    return file.takeStatus();
  Status status = file->write(contents);
  if (status)
    status = file->finish();
  if (status && ::rename(aside.c_str(), path.c_str()) != 0)
    status = systemError("write", path);
  if (!status) {
    ::unlink(aside.c_str());
    return status;
  }
  return syncDirectory(parentOf(path));
}

Status createDirectories(const std::string &path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (!code && !fs::is_directory(path, code) && !code)
    code = std::make_error_code(std::errc::not_a_directory);
  if (code)
    return Status::error("cannot create directory '" + path +
                         "': " + code.message());
  return Status::success();
}

static Status removeTree(const std::string &path) {
  std::error_code code;
  fs::remove_all(path, code);
  // Below a file there is nothing; what creates it says why it cannot.
  if (code && code != std::errc::not_a_directory)
    return Status::error("cannot remove '" + path + "': " + code.message());
  return Status::success();
}

Expected<DirectoryCommit> DirectoryCommit::begin(const std::string &finalPath) {
  std::string aside = finalPath + std::string(asideSuffix);
  if (Status removed = removeTree(aside); !removed)
    return removed;
  if (Status created = createDirectories(aside); !created)
    return created;
  return DirectoryCommit(finalPath, aside);
}

DirectoryCommit::DirectoryCommit(std::string finalPath, std::string aside)
    : target(std::move(finalPath)), aside(std::move(aside)) {}

DirectoryCommit::DirectoryCommit(DirectoryCommit &&other) noexcept
    : target(std::move(other.target)),
      aside(std::exchange(other.aside, std::string())) {}

DirectoryCommit::~DirectoryCommit() {
  std::error_code ignored;
  if (!aside.empty())
    fs::remove_all(aside, ignored);
}

Status DirectoryCommit::commit() {
  if (Status synced = syncDirectory(aside); !synced)
    return synced;
  // An exchange keeps a complete directory in place at every moment; what was
  // there before is then removed as the aside one by the destructor.
  bool replaced = ::renameat2(AT_FDCWD, aside.c_str(), AT_FDCWD, target.c_str(),
                              RENAME_EXCHANGE) == 0;
  if (!replaced) {
    std::error_code ignored;
    if (errno != ENOENT)
      fs::remove_all(target, ignored);
    if (::rename(aside.c_str(), target.c_str()) != 0)
      return systemError("write", target);
    aside.clear();
  }
  return syncDirectory(parentOf(target));
}

Status checkWritable(const std::string &directory) {
  if (Status created = createDirectories(directory); !created)
    return created;
  std::string probe = directory + "/.writable-" + std::to_string(::getpid());
  int descriptor =
      ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    int code = errno;
    return Status::error("cannot write into directory '" + directory +
                         "': " + std::strerror(code));
  }
  ::close(descriptor);
  ::unlink(probe.c_str());
  return Status::success();
}

Status checkFreeSpace(const std::string &directory, uint64_t bytes) {
  Expected<uint64_t> free = freeBytes(directory);
  if (!free)
    return free.takeStatus();
  if (*free < bytes)
    return diskFull(directory + "/", bytes, "the disk is full");
  return Status::success();
}

} // namespace llmc::rt

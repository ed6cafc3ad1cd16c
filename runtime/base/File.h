// Read-only mappings, and writes that a crash or a full disk cannot leave half
// done.
#ifndef LLMC_RUNTIME_BASE_FILE_H
#define LLMC_RUNTIME_BASE_FILE_H

#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace llmc::rt {

/// A file mapped for reading. The mapping stays valid when the object moves.
/// The file must not be shortened by others while it is mapped.
class MappedFile {
public:
  /// Fails for a missing file, a directory, and anything else that is not a
  /// regular file, naming the path and the reason.
  static Expected<MappedFile> open(const std::string &path);

  MappedFile() = default;
  MappedFile(MappedFile &&other) noexcept { swap(other); }
  MappedFile &operator=(MappedFile &&other) noexcept {
    swap(other);
    return *this;
  }
  ~MappedFile();

  const std::string &path() const { return name; }
  const uint8_t *data() const { return bytes; }
  uint64_t size() const { return length; }
  std::string_view text() const {
    return {reinterpret_cast<const char *>(bytes), length};
  }

private:
  void swap(MappedFile &other) noexcept;

  std::string name;
  const uint8_t *bytes = nullptr;
  uint64_t length = 0;
};

/// A new file that is written from front to back. Until `finish` has succeeded
/// its content is not safe on the disk.
class OutputFile {
public:
  /// Creates or truncates `path`. `expectedBytes` is what will be written in
  /// all, for the message about a full disk.
  static Expected<OutputFile> create(const std::string &path,
                                     uint64_t expectedBytes);

  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  Status write(const void *data, size_t size);
  Status write(std::string_view text) {
    return write(text.data(), text.size());
  }
  /// Flushes to the disk and closes.
  Status finish();

private:
  OutputFile(std::string path, int descriptor, uint64_t expectedBytes);

  std::string name;
  int descriptor;
  uint64_t expected;
};

/// Replaces the file by `contents`, or leaves it as it was.
Status writeFileAtomically(const std::string &path, std::string_view contents);

/// A directory that is filled beside its place and then moved there as a whole.
/// Without `commit` what was written is removed again.
class DirectoryCommit {
public:
  /// The suffix of a directory that is not complete.
  static constexpr std::string_view asideSuffix = ".partial";

  /// Creates the directory beside `finalPath`, and its parents; what an earlier
  /// attempt left there is removed.
  static Expected<DirectoryCommit> begin(const std::string &finalPath);

  DirectoryCommit(DirectoryCommit &&other) noexcept;
  DirectoryCommit &operator=(DirectoryCommit &&) = delete;
  ~DirectoryCommit();

  /// Where the files are to be written, each one finished before `commit`.
  const std::string &path() const { return aside; }
  /// Moves the directory to its place, over an older one of the same name.
  Status commit();

private:
  DirectoryCommit(std::string finalPath, std::string aside);

  std::string target;
  std::string aside;
};

Status createDirectories(const std::string &path);

/// Succeeds if a file can be created in the directory, which is created if
/// needed: asked before the first step, so that no work is lost later.
Status checkWritable(const std::string &directory);

/// Fails when the file system of `directory` has less than `bytes` free.
Status checkFreeSpace(const std::string &directory, uint64_t bytes);

/// "cannot WHAT 'path': reason" for the current errno.
Status systemError(const std::string &what, const std::string &path);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_BASE_FILE_H

// What is on the disk after success and after each kind of failure.
#include "runtime/base/File.h"

#include "test/Unit/RuntimeBase/TempFiles.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace llmc::rt {
namespace {

TEST(MappedFile, ReadsAFile) {
  TempDir dir;
  Expected<MappedFile> file = MappedFile::open(dir.write("a", "hello"));
  ASSERT_TRUE(file) << file.message();
  EXPECT_EQ(file->text(), "hello");
  EXPECT_EQ(file->path(), dir.path("a"));
}

TEST(MappedFile, AnEmptyFileIsEmpty) {
  TempDir dir;
  Expected<MappedFile> file = MappedFile::open(dir.write("a", ""));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), 0u);
}

TEST(MappedFile, OutlivesAMove) {
  TempDir dir;
  Expected<MappedFile> file = MappedFile::open(dir.write("a", "hello"));
  MappedFile moved = std::move(*file);
  EXPECT_EQ(moved.text(), "hello");
}

TEST(MappedFile, AMissingFileIsNamed) {
  Expected<MappedFile> file = MappedFile::open("/nowhere/at/all");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.message(),
            "cannot read '/nowhere/at/all': No such file or directory");
}

TEST(MappedFile, ADirectoryIsNotAFile) {
  TempDir dir;
  Expected<MappedFile> file = MappedFile::open(dir.path());
  ASSERT_FALSE(file);
  EXPECT_EQ(file.message(), "cannot read '" + dir.path() +
                                "': is a directory, expected a file");
}

TEST(MappedFile, APipeDoesNotHang) {
  TempDir dir;
  ASSERT_EQ(::mkfifo(dir.path("pipe").c_str(), 0600), 0);
  Expected<MappedFile> file = MappedFile::open(dir.path("pipe"));
  ASSERT_FALSE(file);
  EXPECT_TRUE(contains(file.message(), "is not a regular file"));
}

TEST(AtomicWrite, ReplacesTheFile) {
  TempDir dir;
  dir.write("a", "old");
  ASSERT_TRUE(writeFileAtomically(dir.path("a"), "new").ok());
  EXPECT_EQ(readText(dir.path("a")), "new");
  EXPECT_FALSE(fs::exists(dir.path("a.partial")));
}

TEST(AtomicWrite, AFullDiskLeavesTheOldFile) {
  TempDir dir;
  dir.write("a", "old");
  Status status;
  {
    FileSizeLimit limit(1000);
    status = writeFileAtomically(dir.path("a"), std::string(5000, 'x'));
  }
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.message(), "5000 bytes needed, "))
      << status.message();
  EXPECT_TRUE(contains(status.message(), " free"));
  EXPECT_EQ(readText(dir.path("a")), "old");
  EXPECT_FALSE(fs::exists(dir.path("a.partial")));
}

TEST(OutputFile, ADeviceWithoutSpaceSaysWhatIsNeeded) {
  if (::access("/dev/full", W_OK) != 0)
    GTEST_SKIP() << "no /dev/full";
  Expected<OutputFile> file = OutputFile::create("/dev/full", 12345);
  ASSERT_TRUE(file) << file.message();
  Status status = file->write("something");
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.message(),
                       "cannot write '/dev/full': No space left on device; "
                       "12345 bytes needed, "))
      << status.message();
}

TEST(OutputFile, AMissingDirectoryIsNamed) {
  Expected<OutputFile> file = OutputFile::create("/nowhere/a", 1);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.message(),
            "cannot write '/nowhere/a': No such file or directory");
}

TEST(DirectoryCommit, AppearsAsAWhole) {
  TempDir dir;
  Expected<DirectoryCommit> commit = DirectoryCommit::begin(dir.path("d/e"));
  ASSERT_TRUE(commit) << commit.message();
  std::ofstream(commit->path() + "/f") << "x";
  EXPECT_FALSE(fs::exists(dir.path("d/e")));
  ASSERT_TRUE(commit->commit().ok());
  EXPECT_EQ(readText(dir.path("d/e/f")), "x");
  EXPECT_FALSE(fs::exists(dir.path("d/e.partial")));
}

TEST(DirectoryCommit, ReplacesAnOlderDirectory) {
  TempDir dir;
  fs::create_directory(dir.path("d"));
  dir.write("d/old", "1");
  {
    Expected<DirectoryCommit> commit = DirectoryCommit::begin(dir.path("d"));
    ASSERT_TRUE(commit);
    std::ofstream(commit->path() + "/new") << "2";
    ASSERT_TRUE(commit->commit().ok());
  }
  EXPECT_FALSE(fs::exists(dir.path("d/old")));
  EXPECT_EQ(readText(dir.path("d/new")), "2");
  EXPECT_FALSE(fs::exists(dir.path("d.partial")));
}

TEST(DirectoryCommit, WithoutCommitNothingStays) {
  TempDir dir;
  {
    Expected<DirectoryCommit> commit = DirectoryCommit::begin(dir.path("d"));
    ASSERT_TRUE(commit);
    std::ofstream(commit->path() + "/f") << "x";
  }
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

TEST(DirectoryCommit, RemovesWhatACrashLeft) {
  TempDir dir;
  fs::create_directory(dir.path("d.partial"));
  dir.write("d.partial/stale", "1");
  Expected<DirectoryCommit> commit = DirectoryCommit::begin(dir.path("d"));
  ASSERT_TRUE(commit);
  ASSERT_TRUE(commit->commit().ok());
  EXPECT_TRUE(fs::is_empty(dir.path("d")));
}

TEST(CheckWritable, CreatesTheDirectory) {
  TempDir dir;
  EXPECT_TRUE(checkWritable(dir.path("a/b")).ok());
  EXPECT_TRUE(fs::is_empty(dir.path("a/b")));
}

TEST(CheckWritable, AFileInTheWayIsNamed) {
  TempDir dir;
  dir.write("a", "x");
  Status status = checkWritable(dir.path("a/b"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.message(), "cannot create directory '" + dir.path("a/b") +
                                  "': Not a directory");
  EXPECT_FALSE(checkWritable(dir.path("a")).ok());
}

TEST(CheckWritable, ADirectoryWithoutPermissionIsNamed) {
  TempDir dir;
  std::string locked = "/proc/self"; // Not even root creates files there.
  if (::geteuid() != 0) {
    locked = dir.path("locked");
    ::mkdir(locked.c_str(), 0500);
  }
  Status status = checkWritable(locked);
  ASSERT_FALSE(status);
  EXPECT_TRUE(
      contains(status.message(), "cannot write into directory '" + locked))
      << status.message();
}

TEST(CheckFreeSpace, SaysWhatIsNeededAndFree) {
  TempDir dir;
  EXPECT_TRUE(checkFreeSpace(dir.path(), 1).ok());
  Status status = checkFreeSpace(dir.path(), uint64_t(1) << 62);
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.message(),
                       "the disk is full; 4611686018427387904 bytes needed, "))
      << status.message();
}

} // namespace
} // namespace llmc::rt

// A directory that lives as long as a test, and small helpers for files.
#ifndef LLMC_TEST_UNIT_RUNTIMEBASE_TEMPFILES_H
#define LLMC_TEST_UNIT_RUNTIMEBASE_TEMPFILES_H

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace llmc::rt {

class TempDir {
public:
  TempDir() {
    std::string pattern = ::testing::TempDir() + "/llmc-XXXXXX";
    root = ::mkdtemp(pattern.data());
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  std::string path(const std::string &name = "") const {
    return name.empty() ? root : root + "/" + name;
  }
  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

private:
  std::string root;
};

inline std::string readText(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <typename T> std::string bytesOf(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(T)};
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// While it lives no file can grow beyond `bytes`: a full disk for the test.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    oldHandler = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    rlimit limit = {bytes, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, oldHandler);
  }

private:
  rlimit old;
  void (*oldHandler)(int);
};

} // namespace llmc::rt

#endif // LLMC_TEST_UNIT_RUNTIMEBASE_TEMPFILES_H

// Expansion of globs in an order that does not depend on the locale.
#include "runtime/data/PathList.h"

#include <algorithm>
#include <glob.h>
#include <unistd.h>

namespace llmc::rt {

static Status appendMatches(const std::string &pattern,
                            std::vector<std::string> &paths) {
  glob_t found = {};
  int code = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  size_t begin = paths.size();
  for (size_t i = 0; i < found.gl_pathc; ++i)
    paths.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (code == GLOB_NOMATCH)
    return Status::error("no file matches '" + pattern + "'");
  if (code != 0)
    return Status::error("cannot list the files of '" + pattern + "'");
  std::sort(paths.begin() + std::ptrdiff_t(begin), paths.end());
  return Status::success();
}

Expected<std::vector<std::string>>
expandPaths(const std::vector<std::string> &entries) {
  std::vector<std::string> paths;
  for (const std::string &entry : entries) {
    bool isGlob = entry.find_first_of("*?[") != std::string::npos &&
                  ::access(entry.c_str(), F_OK) != 0;
    if (!isGlob)
      paths.push_back(entry);
    else if (Status status = appendMatches(entry, paths); !status)
      return status;
  }
  return paths;
}

} // namespace llmc::rt

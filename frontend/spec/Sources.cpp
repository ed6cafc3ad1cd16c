// The files that a data source means.
#include "frontend/spec/Glob.h"
#include "frontend/spec/Load.h"

#include <algorithm>
#include <filesystem>

namespace llmc::frontend {

namespace {

namespace fs = std::filesystem;

/// Files whose last part matches the pattern's; folders with stars are not
/// searched.
std::vector<std::string> expandGlob(const std::string &pattern) {
  fs::path path(pattern);
  fs::path folder = path.parent_path();
  std::vector<std::string> files;
  std::error_code fault;
  fs::directory_iterator it(folder.empty() ? fs::path(".") : folder, fault),
      end;
  for (; !fault && it != end; it.increment(fault)) {
    std::string name = it->path().filename().string();
    std::error_code ignored;
    if (matchesGlob(path.filename().string(), name) &&
        it->is_regular_file(ignored))
      files.push_back((folder / name).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace

std::vector<std::string> expandSource(const DataSource &source,
                                      DiagnosticList &diagnostics) {
  std::vector<std::string> files;
  for (const std::string &path : source.paths) {
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) {
      files.push_back(path);
      continue;
    }
    if (path.find('*') == std::string::npos) {
      diagnostics.error(source.mark, "data file " + path + " does not exist");
      continue;
    }
    std::vector<std::string> matches = expandGlob(path);
    if (matches.empty())
      diagnostics.error(source.mark,
                        "no file matches " + path + ", expected at least one");
    files.insert(files.end(), matches.begin(), matches.end());
  }
  return files;
}

} // namespace llmc::frontend

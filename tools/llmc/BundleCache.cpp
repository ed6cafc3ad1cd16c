// Compiled specs, kept by content.
#include "tools/llmc/BundleCache.h"

#include "runtime/base/File.h"
#include "runtime/plan/CpuFeatures.h"
#include "runtime/plan/Manifest.h"
#include "tools/llmc/Commands.h"
#include "tools/llmc/Compiler.h"
#include "tools/llmc/Settings.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace llmc::tool {

/// Bundles that stay; those not used for longest go first.
static constexpr size_t keptBundles = 64;

static int fail(const std::string &message) {
  llvm::errs() << "llmc: error: " << message << "\n";
  return kFault;
}

/// $XDG_CACHE_HOME/llmc, else ~/.cache/llmc; empty without either. Never a
/// folder that everybody may write: code is loaded from it.
static std::string cacheDirectory() {
  if (const char *base = std::getenv("XDG_CACHE_HOME"); base && *base)
    return std::string(base) + "/llmc";
  const char *home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/llmc" : "";
}

/// Says what is wrong with the cache, and the two ways out.
static int failCache(std::string message) {
  message += "; set XDG_CACHE_HOME to a folder that can be written, or compile "
             "with 'llmc compile' and run the bundle";
  return fail(message);
}

static std::string hashOfFile(const std::string &path) {
  rt::Expected<rt::MappedFile> file = rt::MappedFile::open(path);
  return file ? rt::hashText(rt::hashBytes(file->text())) : "none";
}

static std::string keyOf(const frontend::LoadedSpec &loaded, bool generate) {
  std::string text = frontend::resolvedJson(loaded);
  for (const std::string &part :
       {hashOfFile(loaded.spec.model.libraryFile), hashOfFile("/proc/self/exe"),
        rt::cpuFeatureText(), std::to_string(threadsOf(loaded.spec)),
        std::string(generate ? "generate" : "train")})
    text += "\n" + part;
  return rt::hashText(rt::hashBytes(text));
}

namespace {

/// Held while a bundle is looked for and compiled, so that two runs of one spec
/// do not write the same directory.
class FileLock {
public:
  explicit FileLock(const std::string &path)
      : descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor >= 0)
      ::flock(descriptor, LOCK_EX);
  }
  ~FileLock() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  bool held() const { return descriptor >= 0; }

private:
  int descriptor;
};

} // namespace

static void removeOldBundles(const std::string &cache) {
  std::vector<std::pair<fs::file_time_type, fs::path>> bundles;
  std::error_code ignored;
  for (fs::directory_iterator it(cache, ignored), end; !ignored && it != end;
       it.increment(ignored))
    if (it->is_directory(ignored))
      bundles.emplace_back(it->last_write_time(ignored), it->path());
  std::sort(bundles.rbegin(), bundles.rend());
  // Their lock files stay: another process may hold one.
  for (size_t i = keptBundles; i < bundles.size(); ++i)
    fs::remove_all(bundles[i].second, ignored);
}

CachedBundle cachedBundle(const frontend::LoadedSpec &loaded, bool generate) {
  std::string cache = cacheDirectory();
  if (cache.empty())
    return {failCache("no place for compiled bundles: neither XDG_CACHE_HOME "
                      "nor HOME is set"),
            ""};
  if (rt::Status status = rt::createDirectories(cache); !status)
    return {failCache("the cache of compiled bundles: " + status.message()),
            ""};
  std::string directory = cache + "/" + keyOf(loaded, generate);
  FileLock lock(directory + ".lock");
  if (!lock.held())
    return {fail(rt::systemError("write", directory + ".lock").message()), ""};
  if (rt::checkManifest(directory)) {
    std::error_code ignored;
    fs::last_write_time(directory, fs::file_time_type::clock::now(), ignored);
    return {kDone, directory};
  }
  llvm::errs() << "llmc: compiling " << loaded.spec.file << "\n";
  CompileOptions options;
  options.output = directory;
  options.generate = generate;
  options.quiet = generate; // its output is the text
  if (int code = compile(loaded, options))
    return {code, ""};
  removeOldBundles(cache);
  return {kDone, directory};
}

} // namespace llmc::tool

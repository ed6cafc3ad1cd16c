// Loading a spec: layers, table, library, rules, in one run.
#include "frontend/spec/Load.h"
#include "frontend/spec/Evaluate.h"
#include "frontend/spec/Layers.h"
#include "frontend/spec/Library.h"
#include "frontend/spec/Resolve.h"
#include "frontend/spec/Rules.h"
#include "frontend/spec/Scalars.h"
#include "frontend/spec/Schema.h"
#include "frontend/spec/Sizes.h"

#include <filesystem>
#include <set>

namespace llmc::frontend {

namespace {

namespace fs = std::filesystem;

class Loader {
public:
  explicit Loader(DiagnosticList &diagnostics) : diagnostics(diagnostics) {}

  std::optional<LoadedSpec> run(const std::string &path,
                                const std::vector<std::string> &sets) {
    std::optional<Node> root = loadLayers(path, sets, diagnostics);
    if (!root)
      return std::nullopt;
    loaded.spec.file = path;
    bind(*root, "");
    reportMissing(*root);
    fillDefaults();
    std::optional<Architecture> arch = loadModel(*root);
    if (arch)
      loaded.arch = std::move(*arch);
    for (const auto &[entry, section] : unknown)
      reportUnknownKey(*entry, section, keysOf(section), diagnostics,
                       sizePaths);
    checkRules({loaded.spec, arch ? &loaded.arch : nullptr, refused},
               diagnostics);
    if (diagnostics.hasErrors() || !arch)
      return std::nullopt;
    loaded.resolved = resolveKeys(loaded.spec, loaded.arch);
    return std::move(loaded);
  }

private:
  /// Reads every key of a section by the table.
  void bind(const Node &map, const std::string &section) {
    for (const Entry &entry : map.entries) {
      const std::string path =
          section.empty() ? entry.key : section + "." + entry.key;
      const SchemaKey *key = findKey(path);
      bool isMapSection = !key && isSection(path);
      if (key || isMapSection || section == "model")
        loaded.spec.origins[path] = {Origin(entry.value.layer),
                                     isMapSection ? entry.keyMark
                                                  : entry.value.mark};
      const int errors = diagnostics.errorCount();
      if (key)
        readKey(*key, entry.value, loaded.spec, diagnostics);
      else if (isMapSection && entry.value.isMap())
        bind(entry.value, path);
      else if (isMapSection)
        diagnostics.error(entry.value.mark, path + " is " +
                                                describe(entry.value) +
                                                ", expected a map");
      // Sizes are the library's to know.
      else if (section != "model")
        unknown.push_back({&entry, section});
      if (diagnostics.errorCount() != errors && (key || !entry.value.isMap()))
        refused.insert(path);
    }
  }

  void reportMissing(const Node &root) {
    for (const SchemaKey &key : schema()) {
      const std::string section = key.path.substr(0, key.path.find('.'));
      if (!key.required || loaded.spec.given(key.path) ||
          refused.count(section))
        continue;
      SourceMark mark = loaded.spec.markOf(key.path);
      if (mark.line == 1 && mark.column == 1)
        mark = root.mark;
      diagnostics.error(mark,
                        key.path + " is missing, expected " + expectedOf(key));
    }
  }

  /// Defaults that hang on other keys.
  void fillDefaults() {
    Spec &spec = loaded.spec;
    if (spec.name.empty())
      spec.name = fs::path(spec.file).stem().string();
    if (spec.log.directory.empty())
      spec.log.directory = (fs::path("runs") / spec.name).string();
    if (spec.checkpoint.directory.empty())
      spec.checkpoint.directory =
          (fs::path(spec.log.directory) / "checkpoints").string();
    if (!spec.train.optimizer.weightDecay)
      spec.train.optimizer.weightDecay =
          spec.train.optimizer.name == "adamw" ? 0.1 : 0.0;
    int64_t batch = 0;
    bool given = spec.given("train.global_batch_size");
    if (!given && !__builtin_mul_overflow(spec.train.microBatchSize,
                                          spec.parallel.dp, &batch))
      spec.train.globalBatchSize = batch;
  }

  /// Whether the data is text, so that the tokenizer's size is the
  /// vocabulary's.
  bool readsText() const {
    const DataSection &data = loaded.spec.data;
    if (data.format != "auto")
      return data.format == "text";
    if (loaded.spec.given("data.tokenizer"))
      return true;
    for (const DataSource &source : data.train)
      for (const std::string &path : source.paths)
        if (path.ends_with(".txt"))
          return true;
    return false;
  }

  std::optional<Architecture> loadModel(const Node &root) {
    Spec &spec = loaded.spec;
    const Node *model = root.find("model");
    checkExists(spec.model.weights, "model.weights");
    if (!model || !model->isMap() || spec.model.use.empty())
      return std::nullopt;
    std::optional<Library> library =
        loadLibrary(spec.model.use, spec.markOf("model.use"), diagnostics);
    std::optional<Node> config;
    if (checkExists(spec.model.config, "model.config") && spec.model.config) {
      config = readMapFile(*spec.model.config, diagnostics);
      if (!config)
        return std::nullopt;
    }
    if (!library)
      return std::nullopt;
    spec.model.libraryFile = library->file;
    for (const LibrarySize &size : library->sizes)
      sizePaths.push_back("model." + size.name);
    constexpr int64_t byteTokens = 257;
    std::optional<SizeTable> sizes = resolveSizes(
        *library, *model, config ? &*config : nullptr,
        readsText() ? std::optional(byteTokens) : std::nullopt, diagnostics);
    if (!sizes)
      return std::nullopt;
    for (const auto &[name, size] : sizes->sizes)
      spec.origins["model." + name] = size.from;
    return evaluateArchitecture(*library, *sizes, spec, diagnostics);
  }

  bool checkExists(const std::optional<std::string> &path,
                   const std::string &key) {
    std::error_code ignored;
    if (!path || fs::exists(*path, ignored))
      return true;
    diagnostics.error(loaded.spec.markOf(key),
                      key + " is " + *path + ", but there is no such file");
    return false;
  }

  DiagnosticList &diagnostics;
  LoadedSpec loaded;
  std::set<std::string> refused;
  /// Reported once the library is read, whose sizes they may mean.
  std::vector<std::pair<const Entry *, std::string>> unknown;
  std::vector<std::string> sizePaths;
};

} // namespace

std::optional<LoadedSpec> loadSpec(const std::string &path,
                                   const std::vector<std::string> &sets,
                                   DiagnosticList &diagnostics) {
  std::optional<LoadedSpec> loaded = Loader(diagnostics).run(path, sets);
  diagnostics.sort();
  return loaded;
}

} // namespace llmc::frontend

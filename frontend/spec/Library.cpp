// Finding and reading a file of the model library.
#include "frontend/spec/Library.h"
#include "frontend/spec/Layers.h"
#include "frontend/spec/Scalars.h"
#include "frontend/spec/Suggest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace llmc::frontend {

namespace {

namespace fs = std::filesystem;

class LibraryReader {
public:
  LibraryReader(Library &library, DiagnosticList &diagnostics)
      : library(library), diagnostics(diagnostics) {}

  bool read() {
    const int errors = diagnostics.errorCount();
    const Node &root = library.root;
    checkMapKeys(root, "",
                 {"architecture", "huggingface", "sizes", "config", "rules",
                  "initialise", "decay", "embedding", "layers", "head"},
                 diagnostics);
    library.name = textOf(root, "architecture");
    readHuggingFace();
    readSizes();
    readConfig();
    return diagnostics.errorCount() == errors;
  }

private:
  /// The section, which must be a map of these keys; null if it is not there.
  const Node *section(const Node &map, const std::string &key,
                      const std::vector<std::string> &allowed) {
    const Node *node = mapOf(map, key);
    if (node)
      checkMapKeys(*node, key, allowed, diagnostics);
    return node;
  }

  const Node *mapOf(const Node &map, const std::string &key) {
    const Node *node = map.find(key);
    if (node && !node->isMap()) {
      diagnostics.error(node->mark,
                        key + " is " + describe(*node) + ", expected a map");
      return nullptr;
    }
    return node;
  }

  std::string textOf(const Node &map, const std::string &key) {
    const Node *node = map.find(key);
    if (node && node->isScalar())
      return node->text;
    diagnostics.error(node ? node->mark : map.mark,
                      key + " is " + (node ? describe(*node) : "missing") +
                          ", expected text");
    return "";
  }

  std::vector<std::string> textsOf(const Node &map, const std::string &key) {
    std::vector<std::string> texts;
    const Node *node = map.find(key);
    if (!node)
      return texts;
    if (!node->isSequence())
      diagnostics.error(node->mark, key + " is " + describe(*node) +
                                        ", expected a list of keys");
    for (const Node &item : node->items) {
      if (item.isScalar())
        texts.push_back(item.text);
      else
        diagnostics.error(item.mark, "an entry of " + key + " is " +
                                         describe(item) + ", expected a key");
    }
    return texts;
  }

  void readHuggingFace() {
    const Node *node = section(library.root, "huggingface",
                               {"model_type", "class", "optional_prefix"});
    if (!node) {
      diagnostics.error(library.root.mark, "huggingface is missing, expected "
                                           "{model_type, class}");
      return;
    }
    library.modelType = textOf(*node, "model_type");
    library.hfClass = textOf(*node, "class");
    if (node->find("optional_prefix"))
      library.optionalPrefix = textOf(*node, "optional_prefix");
  }

  void readSizes() {
    const Node *node = mapOf(library.root, "sizes");
    if (!node)
      return;
    // Defaults may hang on each other in a chain of this length.
    constexpr size_t most = 256;
    if (node->entries.size() > most) {
      diagnostics.error(node->mark,
                        "more than " + std::to_string(most) + " sizes");
      return;
    }
    for (const Entry &entry : node->entries) {
      LibrarySize size;
      size.name = entry.key;
      size.mark = entry.value.mark;
      size.writtenAs = entry.key;
      size.required = entry.value.isScalar() && !entry.value.quoted &&
                      entry.value.text == "required";
      size.value = entry.value;
      library.sizes.push_back(std::move(size));
    }
    for (const char *name : {"vocab_size", "hidden_size", "num_hidden_layers"})
      if (!node->find(name))
        diagnostics.error(node->mark, std::string("sizes has no ") + name);
  }

  LibrarySize *sizeNamed(const Node &at, const std::string &name) {
    for (LibrarySize &size : library.sizes)
      if (size.name == name)
        return &size;
    diagnostics.error(at.mark, name + " is not a size of this file");
    return nullptr;
  }

  void readConfig() {
    const Node *config = section(library.root, "config",
                                 {"aliases", "must_be", "without_effect",
                                  "noted", "nullable", "written_as"});
    if (!config)
      return;
    library.withoutEffect = textsOf(*config, "without_effect");
    library.noted = textsOf(*config, "noted");
    if (const Node *mustBe = mapOf(*config, "must_be"))
      library.mustBe = mustBe->entries;
    if (const Node *aliases = mapOf(*config, "aliases"))
      for (const Entry &entry : aliases->entries)
        if (LibrarySize *size = sizeNamed(entry.value, entry.key))
          size->aliases = textsOf(*aliases, entry.key);
    if (const Node *written = mapOf(*config, "written_as"))
      for (const Entry &entry : written->entries)
        if (LibrarySize *size = sizeNamed(entry.value, entry.key))
          size->writtenAs = textOf(*written, entry.key);
    for (const std::string &name : textsOf(*config, "nullable"))
      if (LibrarySize *size = sizeNamed(*config->find("nullable"), name))
        size->nullable = true;
  }

  Library &library;
  DiagnosticList &diagnostics;
};

/// The file that `use` means, or nothing with an error.
std::optional<std::string> findLibrary(const std::string &use,
                                       const SourceMark &mark,
                                       DiagnosticList &diagnostics) {
  std::error_code ignored;
  bool isPath = use.find('/') != std::string::npos || use.ends_with(".yaml");
  if (isPath) {
    std::string path = resolvePath(use, mark);
    if (fs::is_regular_file(path, ignored))
      return path;
    diagnostics.error(mark,
                      "model.use is " + use + ", but there is no such file");
    return std::nullopt;
  }
  std::vector<std::string> names = libraryNames();
  if (std::find(names.begin(), names.end(), use) != names.end())
    return (fs::path(libraryFolder()) / (use + ".yaml")).string();
  std::vector<std::string> expected = names;
  expected.push_back("a path to a library file");
  std::string message =
      "model.use is " + use + ", expected " + joinOr(expected);
  if (std::optional<std::string> meant = nearest(use, names))
    message += "; did you mean " + *meant;
  diagnostics.error(mark, message);
  return std::nullopt;
}

} // namespace

const LibrarySize *Library::findSize(const std::string &nameOrAlias) const {
  for (const LibrarySize &size : sizes) {
    if (size.name == nameOrAlias)
      return &size;
    for (const std::string &alias : size.aliases)
      if (alias == nameOrAlias)
        return &size;
  }
  return nullptr;
}

std::string libraryFolder() {
  if (const char *folder = std::getenv("LLMC_MODELS"); folder && *folder)
    return folder;
  return LLMC_MODELS_FOLDER;
}

std::vector<std::string> libraryNames() {
  std::vector<std::string> names;
  std::error_code fault;
  for (fs::directory_iterator it(libraryFolder(), fault), end;
       !fault && it != end; it.increment(fault))
    if (it->path().extension() == ".yaml")
      names.push_back(it->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<Library> loadLibrary(const std::string &use,
                                   const SourceMark &mark,
                                   DiagnosticList &diagnostics) {
  std::optional<std::string> file = findLibrary(use, mark, diagnostics);
  if (!file)
    return std::nullopt;
  std::optional<Node> root = readMapFile(*file, diagnostics);
  if (!root)
    return std::nullopt;
  Library library;
  library.file = *file;
  library.root = std::move(*root);
  if (!LibraryReader(library, diagnostics).read())
    return std::nullopt;
  return library;
}

void checkMapKeys(const Node &map, const std::string &where,
                  const std::vector<std::string> &allowed,
                  DiagnosticList &diagnostics) {
  for (const Entry &entry : map.entries) {
    if (std::find(allowed.begin(), allowed.end(), entry.key) != allowed.end())
      continue;
    std::string message = "unknown key " + entry.key;
    if (!where.empty())
      message += " of " + where;
    if (std::optional<std::string> meant = nearest(entry.key, allowed))
      message += "; did you mean " + *meant;
    else
      message += ", expected " + joinOr(allowed);
    diagnostics.error(entry.keyMark, message);
  }
}

} // namespace llmc::frontend

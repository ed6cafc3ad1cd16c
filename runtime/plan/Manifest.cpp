// Writing and checking of manifest.json.
#include "runtime/plan/Manifest.h"

#include "runtime/base/File.h"
#include "runtime/base/Json.h"
#include "runtime/plan/CpuFeatures.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <xxhash.h>

namespace fs = std::filesystem;

namespace llmc::rt {

/// The last key: the hash of all text before it, so that damage of the manifest
/// itself shows too.
static constexpr std::string_view sealKey = "  \"seal\": ";

const char *llmcVersion() { return LLMC_VERSION; }

uint64_t hashBytes(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string hashText(uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", (unsigned long long)hash);
  return text;
}

/// The names in a directory, sorted; a subdirectory is an error.
static Expected<std::vector<std::string>>
listFiles(const std::string &directory) {
  std::error_code code;
  std::vector<std::string> names;
  for (fs::directory_iterator it(directory, code), end; !code && it != end;
       it.increment(code))
    names.push_back(it->path().filename().string());
  if (code)
    return Status::error("cannot read directory '" + directory +
                         "': " + code.message());
  std::sort(names.begin(), names.end());
  return names;
}

static std::string seal(const std::string &text) {
  return std::string(sealKey) + "\"" + hashText(hashBytes(text)) + "\"\n}\n";
}

static Expected<Manifest::File> measure(const std::string &path) {
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeStatus();
  return Manifest::File{file->size(), hashBytes(file->text())};
}

Status writeManifest(const std::string &directory, Manifest manifest) {
  Expected<std::vector<std::string>> names = listFiles(directory);
  if (!names)
    return names.takeStatus();
  Json files = Json::object();
  for (const std::string &name : *names) {
    if (name == Manifest::fileName)
      continue;
    Expected<Manifest::File> file = measure(directory + "/" + name);
    if (!file)
      return file.takeStatus();
    files[name] = {{"bytes", file->bytes}, {"xxh3", hashText(file->xxh3)}};
  }
  Json tree;
  tree["format"] = Manifest::formatVersion;
  tree["llmc_version"] = llmcVersion();
  tree["target"] = manifest.target;
  tree["cpu_features"] = manifest.cpuFeatures;
  tree["threads"] = manifest.threads;
  tree["files"] = std::move(files);
  std::string text = tree.dump(2);
  text.replace(text.size() - 2, 2, ",\n"); // instead of "\n}"
  return writeFileAtomically(directory + "/" + Manifest::fileName,
                             text + seal(text));
}

static Status checkSeal(std::string_view text, const std::string &path) {
  size_t at = text.rfind(sealKey);
  if (at != std::string_view::npos &&
      text.substr(at) == seal(std::string(text.substr(0, at))))
    return Status::success();
  return Status::error("'" + path + "': damaged, its seal does not match");
}

static Expected<std::map<std::string, Manifest::File>>
readFiles(const Json &tree, const std::string &path) {
  auto wrong = [&](const std::string &what) {
    return Status::error("'" + path + "': " + what);
  };
  auto files = tree.find("files");
  if (files == tree.end() || !files->is_object())
    return wrong("key 'files' is not an object");
  std::map<std::string, Manifest::File> result;
  for (auto &[name, entry] : files->items()) {
    std::string where = path + "' file '" + name;
    Expected<int64_t> bytes = jsonInteger(entry, "bytes", where);
    if (!bytes)
      return bytes.takeStatus();
    Expected<std::string> hash = jsonString(entry, "xxh3", where);
    if (!hash)
      return hash.takeStatus();
    char *end = nullptr;
    uint64_t value = std::strtoull(hash->c_str(), &end, 16);
    if (hash->size() != 16 || *end || *bytes < 0)
      return wrong("file '" + name + "' has no valid size and hash");
    if (name.empty() || name.find('/') != std::string::npos)
      return wrong("'" + name + "' is not a file of the bundle");
    result[name] = {uint64_t(*bytes), value};
  }
  return result;
}

/// The header first: a bundle of another version is told so, even if its
/// manifest has other keys.
static Expected<Manifest> parseManifest(const Json &tree,
                                        const std::string &path) {
  Expected<int64_t> format = jsonInteger(tree, "format", path);
  if (!format)
    return format.takeStatus();
  if (*format != Manifest::formatVersion)
    return Status::error("'" + path + "': format " + std::to_string(*format) +
                         ", expected " +
                         std::to_string(Manifest::formatVersion));
  Manifest manifest;
  for (auto [key, member] : {std::pair("llmc_version", &manifest.llmcVersion),
                             std::pair("target", &manifest.target)}) {
    Expected<std::string> text = jsonString(tree, key, path);
    if (!text)
      return text.takeStatus();
    *member = *text;
  }
  if (manifest.llmcVersion != llmcVersion())
    return Status::error("'" + path + "': made by llmc " +
                         manifest.llmcVersion + ", this is llmc " +
                         llmcVersion() + "; compile the spec again");
  Expected<int64_t> threads = jsonInteger(tree, "threads", path);
  if (!threads)
    return threads.takeStatus();
  manifest.threads = *threads;
  auto features = tree.find("cpu_features");
  if (features == tree.end() || !features->is_array())
    return Status::error("'" + path + "': key 'cpu_features' is not a list");
  for (const Json &feature : *features) {
    if (!feature.is_string())
      return Status::error("'" + path + "': a CPU feature is not a string");
    manifest.cpuFeatures.push_back(feature.get<std::string>());
  }
  Expected<std::map<std::string, Manifest::File>> files = readFiles(tree, path);
  if (!files)
    return files.takeStatus();
  manifest.files = std::move(*files);
  return manifest;
}

static Status checkFeatures(const Manifest &manifest,
                            const std::string &directory) {
  std::vector<std::string> missing = missingCpuFeatures(manifest.cpuFeatures);
  if (missing.empty())
    return Status::success();
  std::string list;
  for (const std::string &feature : missing)
    list += (list.empty() ? "" : ", ") + feature;
  return Status::error("'" + directory +
                       "': compiled for a processor with features that this "
                       "one lacks: " +
                       list + "; compile the spec on this machine");
}

static Status checkFiles(const Manifest &manifest,
                         const std::string &directory) {
  Expected<std::vector<std::string>> names = listFiles(directory);
  if (!names)
    return names.takeStatus();
  for (const std::string &name : *names)
    if (name != Manifest::fileName && !manifest.files.contains(name))
      return Status::error("'" + directory + "/" + name +
                           "': not listed in the bundle's manifest");
  for (const auto &[name, listed] : manifest.files) {
    std::string path = directory + "/" + name;
    Expected<Manifest::File> found = measure(path);
    if (!found)
      return found.takeStatus();
    if (found->bytes != listed.bytes)
      return Status::error("'" + path + "': " + std::to_string(found->bytes) +
                           " bytes, the manifest says " +
                           std::to_string(listed.bytes));
    if (found->xxh3 != listed.xxh3)
      return Status::error("'" + path + "': damaged, its hash is " +
                           hashText(found->xxh3) + ", the manifest says " +
                           hashText(listed.xxh3));
  }
  return Status::success();
}

Expected<Manifest> checkManifest(const std::string &directory) {
  std::string path = directory + "/" + Manifest::fileName;
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeStatus();
  if (Status status = checkSeal(file->text(), path); !status)
    return status;
  Expected<Json> tree = parseJson(file->text(), path);
  if (!tree)
    return tree.takeStatus();
  Expected<Manifest> manifest = parseManifest(*tree, path);
  if (!manifest)
    return manifest;
  if (Status status = checkFeatures(*manifest, directory); !status)
    return status;
  if (Status status = checkFiles(*manifest, directory); !status)
    return status;
  return manifest;
}

} // namespace llmc::rt

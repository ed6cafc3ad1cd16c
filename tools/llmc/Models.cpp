// llmc models: the library, its sizes and their Hugging Face names.
#include "frontend/spec/Library.h"
#include "frontend/spec/Scalars.h"
#include "tools/llmc/Commands.h"

#include <algorithm>
#include <iostream>

namespace cl = llvm::cl;
using namespace llmc;
using namespace llmc::frontend;

namespace {

cl::SubCommand modelsCommand("models", "List the model library");
cl::opt<std::string> name(cl::Positional, cl::desc("[NAME]"),
                          cl::sub(modelsCommand));

/// A default as the library file writes it.
std::string defaultText(const LibrarySize &size) {
  if (size.required)
    return "required";
  if (size.value.isScalar())
    return size.value.text;
  return toJson(toValue(size.value));
}

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

void describeModel(const Library &library) {
  std::cout << library.name << ": Hugging Face " << library.hfClass
            << ", model_type " << library.modelType << "\n\n"
            << padded("size", 28) << padded("default", 42)
            << "also read from a config.json as\n";
  for (const LibrarySize &size : library.sizes) {
    std::string aliases;
    for (const std::string &alias : size.aliases)
      aliases += (aliases.empty() ? "" : ", ") + alias;
    std::string line =
        padded(size.name, 28) + padded(defaultText(size), 42) + aliases;
    std::cout << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
  }
}

int runModels() {
  DiagnosticList diagnostics;
  if (!name.empty()) {
    std::optional<Library> library =
        loadLibrary(name, {"llmc models", 0, 0}, diagnostics);
    diagnostics.print(std::cerr);
    if (library)
      describeModel(*library);
    return library ? tool::kDone : tool::kWrongInput;
  }
  for (const std::string &each : libraryNames()) {
    std::optional<Library> library =
        loadLibrary(each, {"llmc models", 0, 0}, diagnostics);
    if (library)
      std::cout << padded(each, 12) << library->hfClass << ", "
                << library->sizes.size() << " sizes\n";
  }
  diagnostics.print(std::cerr);
  return diagnostics.hasErrors() ? tool::kWrongInput : tool::kDone;
}

tool::Command registration(modelsCommand, runModels);

} // namespace

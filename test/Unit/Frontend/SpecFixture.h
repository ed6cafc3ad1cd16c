// A folder of its own for each test, and short ways to load specs in it.
#ifndef LLMC_TEST_UNIT_FRONTEND_SPECFIXTURE_H
#define LLMC_TEST_UNIT_FRONTEND_SPECFIXTURE_H

#include "frontend/spec/Load.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace llmc::frontend {

class SpecFixture : public testing::Test {
protected:
  void SetUp() override {
    const auto *info = testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             ("llmc-" + std::to_string(getpid()) + "-" + info->name());
    std::filesystem::create_directories(folder);
    before = std::filesystem::current_path();
    // Messages then name files without the folder.
    std::filesystem::current_path(folder);
  }
  void TearDown() override {
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
  }

  void write(const std::string &name, const std::string &text) {
    std::filesystem::path path(name);
    if (path.has_parent_path())
      std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  /// A good spec of gpt2 whose last lines may be added to.
  static std::string good() {
    return "llmc: 1\n"
           "model:\n"
           "  use: gpt2\n"
           "  vocab_size: 96\n"
           "  hidden_size: 32\n"
           "  num_hidden_layers: 2\n"
           "  num_attention_heads: 4\n"
           "train:\n"
           "  sequence_length: 16\n"
           "  micro_batch_size: 2\n"
           "  global_batch_size: 8\n"
           "  train_steps: 5\n";
  }

  /// Loads a text as spec.yaml; keeps the messages.
  std::optional<LoadedSpec> load(const std::string &text,
                                 const std::vector<std::string> &sets = {}) {
    write("spec.yaml", text);
    diagnostics = {};
    std::optional<LoadedSpec> loaded = loadSpec("spec.yaml", sets, diagnostics);
    EXPECT_EQ(loaded.has_value(), !diagnostics.hasErrors());
    return loaded;
  }

  std::string messages() const { return diagnostics.str(); }

  static std::string readAll(const std::string &path) {
    std::ifstream stream(path, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }

  std::filesystem::path folder, before;
  DiagnosticList diagnostics;
};

} // namespace llmc::frontend

#endif // LLMC_TEST_UNIT_FRONTEND_SPECFIXTURE_H

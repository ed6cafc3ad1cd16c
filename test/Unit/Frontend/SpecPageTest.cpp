// The walk over every key of the page docs/spec.md.
#include "frontend/spec/Scalars.h"
#include "frontend/yaml/Document.h"
#include "test/Unit/Frontend/SpecFixture.h"

using namespace llmc::frontend;

namespace {

struct PageKey {
  std::string section, name;
  const Node *value;
  std::string path() const {
    return section.empty() ? name : section + "." + name;
  }
};

class SpecPage : public SpecFixture {
protected:
  void SetUp() override {
    SpecFixture::SetUp();
    std::string page = readAll(LLMC_SOURCE_FOLDER "/docs/spec.md");
    size_t begin = page.find("```yaml\n") + 8;
    block = page.substr(begin, page.find("```", begin) - begin);
    std::vector<YamlProblem> problems;
    root = parseYaml(block, "page", problems);
    ASSERT_TRUE(root) << (problems.empty() ? "" : problems[0].message);
    collect(*root, "");
    // What the page's paths name.
    write("config.json", "{\"n_embd\": 768}\n");
    write("model.safetensors", "");
  }

  void collect(const Node &map, const std::string &section) {
    for (const Entry &entry : map.entries) {
      keys.push_back({section, entry.key, &entry.value});
      if (entry.value.isMap())
        collect(entry.value, keys.back().path());
    }
  }

  void expectNothingWorseThanNotImplemented(const std::string &what) {
    for (const Diagnostic &each : diagnostics.all()) {
      bool harmless =
          each.severity != Severity::Error ||
          each.message.find("is not implemented yet") != std::string::npos;
      EXPECT_TRUE(harmless) << what << ": " << each.message;
    }
  }

  /// Every way to get one letter wrong that this test tries.
  static std::set<std::string> misspellings(const std::string &name) {
    std::set<std::string> words;
    words.insert(name.substr(0, name.size() - 1));
    words.insert(name.substr(0, 1) + name);
    words.insert(name.substr(0, name.size() - 1) + "x");
    std::string swapped = name;
    std::swap(swapped[name.size() - 1], swapped[name.size() - 2]);
    words.insert(swapped);
    words.insert(name + "q");
    words.erase(name);
    return words;
  }

  std::string block;
  std::optional<Node> root;
  std::vector<PageKey> keys;
};

TEST_F(SpecPage, TheWholeBlockIsAccepted) {
  load(block);
  expectNothingWorseThanNotImplemented("the block");
}

TEST_F(SpecPage, EveryKeyAloneIsAcceptedOrNotImplementedYet) {
  EXPECT_GT(keys.size(), 90u);
  for (const PageKey &key : keys) {
    if (key.path() == "include") // no key of --set
      continue;
    // The rest of the spec is what the page's values go with.
    load(good(), {"model.hidden_size=768", "train.train_steps=1000",
                  "train.global_batch_size=512",
                  key.path() + "=" + toJson(toValue(*key.value))});
    expectNothingWorseThanNotImplemented(key.path());
  }
}

TEST_F(SpecPage, EveryKeyMisspeltIsRefusedWithTheRightSuggestion) {
  for (const PageKey &key : keys)
    for (const std::string &word : misspellings(key.name)) {
      std::string path = key.section.empty() ? word : key.section + "." + word;
      load(good(), {path + "=1"});
      EXPECT_NE(messages().find("error: unknown key " + path +
                                "; did you mean " + key.path() + "\n"),
                std::string::npos)
          << path << "\n"
          << messages();
    }
}

} // namespace

// YAML text to nodes, and hostile text.
#include "frontend/yaml/Document.h"

#include "gtest/gtest.h"

using namespace llmc::frontend;

namespace {

std::string problemsOf(const std::string &text) {
  std::vector<YamlProblem> problems;
  EXPECT_FALSE(parseYaml(text, "f", problems).has_value());
  std::string out;
  for (const YamlProblem &problem : problems)
    out += toString(problem.mark) + ": " + problem.message + "\n";
  return out;
}

Node good(const std::string &text) {
  std::vector<YamlProblem> problems;
  std::optional<Node> node = parseYaml(text, "f", problems);
  EXPECT_TRUE(node.has_value())
      << (problems.empty() ? "" : problems[0].message);
  return node.value_or(Node());
}

TEST(Document, MarksCountFromOne) {
  Node root = good("a: 1\nb:\n  - x\n");
  EXPECT_EQ(toString(root.entries[1].keyMark), "f:2:1");
  EXPECT_EQ(toString(root.find("b")->items[0].mark), "f:3:5");
}

TEST(Document, QuotedScalarsAreTold) {
  Node root = good("a: 1\nb: '1'\n");
  EXPECT_FALSE(root.find("a")->quoted);
  EXPECT_TRUE(root.find("b")->quoted);
}

TEST(Document, ReadsJson) {
  Node root = good("{\"a\": null, \"b\": [1, 2.5, true]}");
  EXPECT_TRUE(root.find("a")->isNull());
  EXPECT_EQ(root.find("b")->items[2].text, "true");
}

TEST(Document, AliasesAreExpanded) {
  Node root = good("a: &x {k: 1}\nb: *x\n");
  EXPECT_EQ(root.find("b")->find("k")->text, "1");
}

TEST(Document, MergeKeysYieldToOwnKeysAndEarlierMaps) {
  Node root = good("a: &a {k: 1, l: 1}\nb: &b {l: 2, m: 2}\n"
                   "c: {<<: [*a, *b], k: 3}\n");
  const Node *c = root.find("c");
  EXPECT_EQ(c->find("k")->text, "3");
  EXPECT_EQ(c->find("l")->text, "1");
  EXPECT_EQ(c->find("m")->text, "2");
}

TEST(Document, MergeKeyNeedsMaps) {
  EXPECT_EQ(problemsOf("<<: 3\n"),
            "f:1:1: merge key << needs a map or a list of maps\n");
}

TEST(Document, EveryDuplicateIsReportedWithItsPath) {
  EXPECT_EQ(problemsOf("a: 1\na: 2\nb:\n  c: {d: 1, d: 2}\n"),
            "f:2:1: key a is given twice, first in line 1\n"
            "f:4:13: key b.c.d is given twice, first in line 4\n");
}

TEST(Document, BrokenTextIsAProblemNotAnException) {
  EXPECT_EQ(problemsOf("a: [1,\n"),
            "f:2:1: not YAML: end of sequence flow not found\n");
}

TEST(Document, EmptyTextAndSecondDocumentAreRefused) {
  EXPECT_EQ(problemsOf(""), "f:1:1: the file is empty\n");
  EXPECT_EQ(problemsOf("a: 1\n---\nb: 1\n"),
            "f:2:1: a second YAML document, expected one\n");
}

TEST(Document, ForeignTagsAreRefused) {
  EXPECT_NE(problemsOf("a: !!python/object:x 1\n").find("is not understood"),
            std::string::npos);
}

TEST(Document, KeysAreText) {
  EXPECT_NE(problemsOf("? [a]\n: 1\n").find("stands for a key"),
            std::string::npos);
}

TEST(Document, AliasBombIsBounded) {
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 12; ++i) {
    std::string alias = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j)
      text += (j ? "," : "") + alias;
    text += "]\n";
  }
  EXPECT_NE(problemsOf(text).find("values once its aliases are expanded"),
            std::string::npos);
}

TEST(Document, AliasInsideItsOwnAnchorIsRefused) {
  EXPECT_EQ(problemsOf("a: &x [*x]\n"),
            "f:1:8: an alias stands inside the node that it names\n");
}

TEST(Document, DepthIsBounded) {
  std::string text(100, '[');
  text += std::string(100, ']');
  EXPECT_NE(problemsOf(text).find("levels deep"), std::string::npos);
}

TEST(Document, LongMapsAreBounded) {
  std::string text;
  for (size_t i = 0; i <= kMostYamlKeys; ++i)
    text += "k" + std::to_string(i) + ": 1\n";
  EXPECT_NE(problemsOf(text).find("a map of more than"), std::string::npos);
}

TEST(Document, MissingFileIsAProblem) {
  std::vector<YamlProblem> problems;
  EXPECT_FALSE(parseYamlFile("/nonexistent/x.yaml", problems).has_value());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].message,
            "the file cannot be read: No such file or directory");
}

} // namespace

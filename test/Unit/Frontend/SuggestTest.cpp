// Suggestions and globs.
#include "frontend/spec/Suggest.h"
#include "frontend/spec/Glob.h"

#include "gtest/gtest.h"

using namespace llmc::frontend;

namespace {

TEST(Suggest, Distance) {
  EXPECT_EQ(editDistance("", "abc"), 3);
  EXPECT_EQ(editDistance("train", "trian"), 1);
  EXPECT_EQ(editDistance("kitten", "sitting"), 3);
}

TEST(Suggest, TheNearestWins) {
  EXPECT_EQ(nearest("hidden_sze", {"head_dim", "hidden_size"}), "hidden_size");
}

TEST(Suggest, TiesGoToSwapsThenToTheBeginning) {
  EXPECT_EQ(nearest("pd", {"pp", "dp"}), "dp");
  EXPECT_EQ(nearest("tx", {"dp", "tp", "pp"}), "tp");
}

TEST(Suggest, FarWordsAreNoSuggestion) {
  EXPECT_FALSE(nearest("momentum", {"betas", "lr"}));
  EXPECT_FALSE(nearest(std::string(1000, 'x'), {std::string(1000, 'x')}));
}

TEST(Suggest, JoinOr) {
  EXPECT_EQ(joinOr({"a"}), "a");
  EXPECT_EQ(joinOr({"a", "b", "c"}), "a, b or c");
}

TEST(Glob, StarsMatchAnyText) {
  EXPECT_TRUE(matchesGlob("*", ""));
  EXPECT_TRUE(matchesGlob("*.bias", "h.0.ln_1.bias"));
  EXPECT_TRUE(matchesGlob("*ln_*.weight", "h.11.ln_2.weight"));
  EXPECT_FALSE(matchesGlob("*.bias", "wte.weight"));
  EXPECT_FALSE(matchesGlob("wte", "wte.weight"));
}

} // namespace

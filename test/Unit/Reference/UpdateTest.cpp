// The optimisers' formulas on numbers done by hand.
#include "codegen/Reference/Update.h"
#include "gtest/gtest.h"

#include <cmath>
#include <vector>

using namespace llmc::reference;

namespace {

TEST(Adamw, TheFirstStepMovesByTheRate) {
  // With m = (1 - b1) g and v = (1 - b2) g^2 both corrections give back g, so
  // that the step is lr * sign(g), less the decay.
  AdamwRecipe recipe{2, 0.1, 1, 0.9, 0.99, 0, 0.5, 1};
  std::vector<double> p{1, 1}, g{3, -3}, m{0, 0}, v{0, 0};
  adamwStep(recipe, p, g, m, v);
  EXPECT_DOUBLE_EQ(p[0], 1 - 0.1 * (1 + 0.5));
  EXPECT_DOUBLE_EQ(p[1], 1 + 0.1); // not below the decay border
  EXPECT_DOUBLE_EQ(m[0], 0.1 * 6);
  EXPECT_DOUBLE_EQ(v[1], (1 - 0.99) * 36);
}

TEST(Adamw, EpsilonIsOutsideTheRoot) {
  AdamwRecipe recipe{1, 1, 2, 0.5, 0.5, 1, 0, 0};
  std::vector<double> p{0}, g{4}, m{2}, v{8};
  adamwStep(recipe, p, g, m, v);
  // m = 3, v = 12; corrected by 1 - 0.25: 4 and 16; 4 / (4 + 1).
  EXPECT_DOUBLE_EQ(p[0], -0.8);
}

TEST(Sgd, MomentumIsNeitherDampedNorNesterov) {
  SgdRecipe recipe{1, 0.5, 0.5, 0, 0};
  std::vector<double> p{0}, g{2}, m{4};
  sgdStep(recipe, p, g, m);
  EXPECT_DOUBLE_EQ(m[0], 4);
  EXPECT_DOUBLE_EQ(p[0], -2);
}

TEST(Sgd, WithoutMomentumThereIsNoState) {
  SgdRecipe recipe{3, 0.5, 0, 0.5, 1};
  std::vector<double> p{4, 4}, g{2, 2};
  sgdStep(recipe, p, g, {});
  EXPECT_DOUBLE_EQ(p[0], 4 - 0.5 * (6 + 2)); // decayed
  EXPECT_DOUBLE_EQ(p[1], 4 - 0.5 * 6);
}

} // namespace

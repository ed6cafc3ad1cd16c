// Contractions: the BLAS path against the loops, and both by hand.
#include "codegen/Reference/Contract.h"
#include "gtest/gtest.h"

#include <random>

using namespace llmc::reference;

namespace {

Value randomValue(std::vector<int64_t> shape, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Value value = Value::zeros(shape);
  for (double &element : value.data)
    element = normal(generator);
  return value;
}

TEST(Contract, AMatrixProductByHand) {
  Value lhs{{2, 2}, {1, 2, 3, 4}}, rhs{{1, 2}, {10, 100}};
  for (auto *path : {contractNaive, contractBlas}) {
    Value product = path(lhs, rhs, {"tc", "fc", "tf"});
    EXPECT_EQ(product.shape, (std::vector<int64_t>{2, 1}));
    EXPECT_EQ(product.data, (std::vector<double>{210, 430}));
  }
}

TEST(Contract, APermutedResultByHand) {
  Value lhs{{2, 1}, {1, 2}}, rhs{{3, 1}, {1, 10, 100}};
  for (auto *path : {contractNaive, contractBlas}) {
    Value product = path(lhs, rhs, {"tc", "fc", "ft"});
    EXPECT_EQ(product.shape, (std::vector<int64_t>{3, 2}));
    EXPECT_EQ(product.data, (std::vector<double>{1, 2, 10, 20, 100, 200}));
  }
}

struct Case {
  const char *lhs, *rhs, *result;
  std::vector<int64_t> lhsShape, rhsShape;
};

class ContractPaths : public testing::TestWithParam<Case> {};

TEST_P(ContractPaths, Agree) {
  const Case &c = GetParam();
  Value lhs = randomValue(c.lhsShape, 1), rhs = randomValue(c.rhsShape, 2);
  Value naive = contractNaive(lhs, rhs, {c.lhs, c.rhs, c.result});
  Value blas = contractBlas(lhs, rhs, {c.lhs, c.rhs, c.result});
  ASSERT_EQ(naive.shape, blas.shape);
  for (int64_t i = 0; i < naive.size(); ++i)
    EXPECT_NEAR(naive[i], blas[i], 1e-13 * 100);
}

INSTANTIATE_TEST_SUITE_P(
    Indices, ContractPaths,
    testing::Values(Case{"tbc", "fc", "tbf", {5, 3, 7}, {11, 7}},
                    Case{"tbf", "tbc", "fc", {5, 3, 4}, {5, 3, 6}},
                    Case{"tbf", "fc", "tbc", {5, 3, 4}, {4, 6}},
                    Case{"tbc", "hdc", "tbhd", {5, 3, 6}, {2, 4, 6}},
                    Case{"tbhd", "chd", "tbc", {5, 3, 2, 4}, {6, 2, 4}},
                    Case{"tbhd", "tbc", "hdc", {5, 3, 2, 4}, {5, 3, 6}},
                    // A letter of all three terms is a batch.
                    Case{"tbhd", "sbhd", "bhts", {5, 3, 2, 4}, {6, 3, 2, 4}},
                    // An outer product has no summed letter.
                    Case{"a", "b", "ba", {3}, {4}},
                    // Everything is summed.
                    Case{"ab", "ba", "", {3, 4}, {4, 3}},
                    Case{"tbc", "fc", "tbf", {1, 1, 1}, {1, 1}}));

TEST(Contract, AnEmptySumIsZero) {
  Value lhs = Value::zeros({2, 0}), rhs = Value::zeros({3, 0});
  Value product = contractBlas(lhs, rhs, {"tc", "fc", "tf"});
  EXPECT_EQ(product.data, std::vector<double>(6, 0.0));
}

TEST(Contract, TheNaivePathCanBeForced) {
  Value lhs = randomValue({4, 5}, 3), rhs = randomValue({6, 5}, 4);
  setNaiveContractions(true);
  Value forced = contract(lhs, rhs, {"tc", "fc", "tf"});
  setNaiveContractions(false);
  EXPECT_EQ(forced.data, contractNaive(lhs, rhs, {"tc", "fc", "tf"}).data);
}

} // namespace

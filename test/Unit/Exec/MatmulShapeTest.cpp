// Tests of contractions as matrix products.
#include "passes/Exec/MatmulShape.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <map>

using namespace llmc::exec;

namespace {

/// Sizes by letter; all differ, so that a wrong axis shows.
const std::map<char, int64_t> kSizes = {
    {'t', 6}, {'b', 4}, {'c', 8}, {'f', 32}, {'h', 2}, {'d', 10}, {'v', 97}};

class MatmulShapeTest : public testing::Test {
protected:
  std::optional<MatmulShape> shapeOf(llvm::StringRef indices) {
    auto [lhs, rhs] = indices.split("->").first.split(",");
    return matmulShape(indices, typeOf(lhs), typeOf(rhs));
  }

  /// m, n, k, lhs strides, rhs strides and 1 if the operands are swapped.
  std::vector<int64_t> numbersOf(llvm::StringRef indices) {
    std::optional<MatmulShape> shape = shapeOf(indices);
    if (!shape)
      return {};
    return {shape->m,
            shape->n,
            shape->k,
            shape->lhsStrides[0],
            shape->lhsStrides[1],
            shape->rhsStrides[0],
            shape->rhsStrides[1],
            shape->swapped};
  }

private:
  mlir::RankedTensorType typeOf(llvm::StringRef letters) {
    llvm::SmallVector<int64_t> shape;
    for (char letter : letters)
      shape.push_back(kSizes.at(letter));
    return mlir::RankedTensorType::get(shape,
                                       mlir::Builder(&context).getF32Type());
  }

  mlir::MLIRContext context;
};

using Numbers = std::vector<int64_t>;

TEST_F(MatmulShapeTest, ForwardOfALinearLayer) {
  EXPECT_EQ(numbersOf("tbc,fc->tbf"), (Numbers{24, 32, 8, 8, 1, 1, 8, 0}));
}

TEST_F(MatmulShapeTest, InputGradientOfALinearLayer) {
  EXPECT_EQ(numbersOf("tbf,fc->tbc"), (Numbers{24, 8, 32, 32, 1, 8, 1, 0}));
}

TEST_F(MatmulShapeTest, WeightGradientOfALinearLayer) {
  EXPECT_EQ(numbersOf("tbf,tbc->fc"), (Numbers{32, 8, 24, 1, 32, 8, 1, 0}));
}

TEST_F(MatmulShapeTest, HeadsAreDimensions) {
  EXPECT_EQ(numbersOf("tbc,hdc->tbhd"), (Numbers{24, 20, 8, 8, 1, 1, 8, 0}));
  EXPECT_EQ(numbersOf("tbhd,chd->tbc"), (Numbers{24, 8, 20, 20, 1, 1, 20, 0}));
  EXPECT_EQ(numbersOf("tbhd,tbc->hdc"), (Numbers{20, 8, 24, 1, 20, 8, 1, 0}));
}

TEST_F(MatmulShapeTest, OperandsAreSwappedWhenTheResultBeginsWithTheRhs) {
  EXPECT_EQ(numbersOf("tbc,tbf->fc"), (Numbers{32, 8, 24, 1, 32, 8, 1, 1}));
  EXPECT_EQ(numbersOf("fc,tbc->tbf"), (Numbers{24, 32, 8, 8, 1, 1, 8, 1}));
}

TEST_F(MatmulShapeTest, AnOuterProductHasNoSum) {
  EXPECT_EQ(numbersOf("t,c->tc"), (Numbers{6, 8, 1, 1, 1, 1, 1, 0}));
}

TEST_F(MatmulShapeTest, ABatchLetterIsNoProduct) {
  EXPECT_FALSE(shapeOf("tbhd,vbhd->bhtv"));
  EXPECT_FALSE(shapeOf("bt,bc->btc"));
}

TEST_F(MatmulShapeTest, AResultInAnotherOrderIsNoProduct) {
  EXPECT_FALSE(shapeOf("tbc,fc->tfb")); // interleaved
  EXPECT_FALSE(shapeOf("tbc,fc->btf")); // t and b do not collapse
}

TEST_F(MatmulShapeTest, SummedLettersMustStandAlikeInBothOperands) {
  EXPECT_FALSE(shapeOf("tbf,btc->fc"));
  EXPECT_FALSE(shapeOf("tbhd,cdh->tbc"));
  EXPECT_FALSE(shapeOf("tcb,tfb->cf")); // t and b are not side by side
}

TEST_F(MatmulShapeTest, AReductionOfOneOperandAloneIsNoProduct) {
  EXPECT_FALSE(shapeOf("tbc,fc->tf"));
  EXPECT_FALSE(shapeOf("tc,fvc->tf"));
}

} // namespace

// Single ops on numbers done by hand, blocks, and what is refused.
#include "codegen/Reference/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace llmc;
using namespace llmc::reference;

namespace {

class Interpreter : public testing::Test {
protected:
  Interpreter() {
    context.loadDialect<nn::NnDialect>();
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &diagnostic) { error = diagnostic.str(); });
  }

  /// The body of a function of the text of its arguments and ops.
  mlir::Block &parse(const std::string &arguments, const std::string &body) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "nn.microbatch @f(" + arguments + ") {\n" + body + "\nnn.yield\n}",
        &context);
    EXPECT_TRUE(module) << error;
    return (*module->getOps<nn::MicrobatchOp>().begin()).getBody().front();
  }

  /// Evaluates the only op of the body on the arguments.
  Results evaluate(const std::string &arguments, const std::string &op,
                   const Results &values) {
    mlir::Block &block = parse(arguments, op);
    auto results = evaluateOp(&block.front(), values);
    EXPECT_TRUE(mlir::succeeded(results)) << error;
    return mlir::succeeded(results) ? *results : Results();
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string error;
};

/// An argument that is given as data.
std::string data(const std::string &name, const std::string &type) {
  return "%" + name + ": " + type + " {nn.role = \"data\"}";
}

TEST_F(Interpreter, SoftmaxCrossEntropyOfEqualLogits) {
  Results r = evaluate(
      data("x", "tensor<2x1x4xf32>") + ", " + data("l", "tensor<2x1xi32>") +
          ", " + data("s", "f32"),
      "%a, %b = nn.softmax_cross_entropy %x, %l, %s : (tensor<2x1x4xf32>, "
      "tensor<2x1xi32>, f32) -> (tensor<2x1xf32>, tensor<2x1x4xf32>)",
      {{{2, 1, 4}, std::vector<double>(8, 3.0)},
       {{2, 1}, {2, -1}},
       Value::scalar(0.5)});
  ASSERT_EQ(r.size(), 2u);
  EXPECT_DOUBLE_EQ(r[0][0], std::log(4.0));
  EXPECT_DOUBLE_EQ(r[0][1], 0); // does not count
  EXPECT_DOUBLE_EQ(r[1][0], 0.125);
  EXPECT_DOUBLE_EQ(r[1][2], 0.125 - 0.5);
  EXPECT_DOUBLE_EQ(r[1][6], 0);
}

TEST_F(Interpreter, NormPartialsSplitByIntegerDivision) {
  Results r = evaluate(data("x", "tensor<5xf32>"),
                       "%p = nn.norm_partials %x : (tensor<5xf32>) -> "
                       "tensor<2xf32>",
                       {{{5}, {1, 2, 3, 4, 5}}});
  EXPECT_EQ(r[0].data, (std::vector<double>{1 + 4, 9 + 16 + 25}));
}

TEST_F(Interpreter, ClipFactorOfAFiniteNorm) {
  std::string arguments =
      data("s", "f32") + ", " + data("c", "f32") + ", " + data("i", "f32");
  std::string op = "%k, %ok = nn.clip_factor %s, %c, %i : (f32, f32, f32) -> "
                   "(f32, i1)";
  Results r = evaluate(
      arguments, op, {Value::scalar(16), Value::scalar(1), Value::scalar(0.5)});
  EXPECT_DOUBLE_EQ(r[0].number(), 0.5 * 1 / 2);
  EXPECT_EQ(r[1].number(), 1);
}

TEST_F(Interpreter, AnInfiniteNormStopsTheStep) {
  std::string arguments =
      data("s", "f32") + ", " + data("c", "f32") + ", " + data("i", "f32");
  std::string op = "%k, %ok = nn.clip_factor %s, %c, %i : (f32, f32, f32) -> "
                   "(f32, i1)";
  Results r = evaluate(
      arguments, op,
      {Value::scalar(INFINITY), Value::scalar(INFINITY), Value::scalar(1)});
  EXPECT_EQ(r[1].number(), 0);
}

TEST_F(Interpreter, ADocumentEndsWithItsEndToken) {
  Results r = evaluate(data("t", "tensor<5x1xi32>"),
                       "%s = nn.document_start %t {end = 9 : i64} : "
                       "(tensor<5x1xi32>) -> tensor<5x1xi32>",
                       {{{5, 1}, {1, 9, 2, 9, 3}}});
  EXPECT_EQ(r[0].data, (std::vector<double>{0, 0, 2, 2, 4}));
}

TEST_F(Interpreter, ADocumentStartsWithItsStartToken) {
  Results r = evaluate(data("t", "tensor<5x1xi32>"),
                       "%s = nn.document_start %t {start = 9 : i64} : "
                       "(tensor<5x1xi32>) -> tensor<5x1xi32>",
                       {{{5, 1}, {1, 9, 2, 9, 3}}});
  EXPECT_EQ(r[0].data, (std::vector<double>{0, 1, 1, 3, 3}));
}

/// With equal scores the output is the mean of the values that are seen.
TEST_F(Interpreter, AttentionSeesTheWindowAndTheGlobalTokens) {
  std::string t = "tensor<4x1x1x2xf32>";
  Value zero{{4, 1, 1, 2}, std::vector<double>(8, 0.0)};
  Value values{{4, 1, 1, 2}, {1, 0, 10, 0, 100, 0, 1000, 0}};
  Results r = evaluate(
      data("q", t) + ", " + data("k", t) + ", " + data("v", t),
      "%o, %l = nn.attention %q, %k, %v {scale = 1.0 : f64, window = 1 : i64, "
      "global_tokens = 1 : i64} : (" +
          t + ", " + t + ", " + t + ") -> (" + t + ", tensor<4x1x1xf32>)",
      {zero, zero, values});
  EXPECT_DOUBLE_EQ(r[0][0], 1);
  EXPECT_DOUBLE_EQ(r[0][2], 5.5);
  EXPECT_DOUBLE_EQ(r[0][6], 500.5);
  EXPECT_DOUBLE_EQ(r[1][3], std::log(2.0));
}

TEST_F(Interpreter, ARowThatSeesNothingGivesZeros) {
  std::string t = "tensor<1x1x1x2xf32>";
  Value one{{1, 1, 1, 2}, {1, 1}};
  Results r =
      evaluate(data("q", t) + ", " + data("k", t) + ", " + data("v", t) + ", " +
                   data("s", "tensor<1x1xi32>"),
               "%o, %l = nn.attention %q, %k, %v, %s {scale = 1.0 : f64} : (" +
                   t + ", " + t + ", " + t + ", tensor<1x1xi32>) -> (" + t +
                   ", tensor<1x1x1xf32>)",
               {one, one, one, {{1, 1}, {1}}});
  EXPECT_EQ(r[0].data, (std::vector<double>{0, 0}));
  EXPECT_EQ(r[1].number(), -INFINITY);
}

TEST_F(Interpreter, ABlockGivesWhatItYields) {
  module = mlir::parseSourceString<mlir::ModuleOp>(
      "nn.microbatch @f(" + data("x", "tensor<2xf32>") +
          ") -> tensor<2xf32> {\n"
          "%y = nn.scale %x {factor = 2.0 : f64} : (tensor<2xf32>) -> "
          "tensor<2xf32>\n"
          "%z = nn.add %y, %x : (tensor<2xf32>, tensor<2xf32>) -> "
          "tensor<2xf32>\n"
          "nn.yield %z : tensor<2xf32>\n}",
      &context);
  ASSERT_TRUE(module) << error;
  std::vector<std::string> seen;
  Surroundings surroundings;
  surroundings.trace = [&](mlir::Operation *op, llvm::ArrayRef<Value> results) {
    seen.push_back(op->getName().getStringRef().str() + " " +
                   std::to_string(static_cast<int>(results[0][0])));
  };
  nn::MicrobatchOp function = *module->getOps<nn::MicrobatchOp>().begin();
  auto results = evaluateBlock(function.getBody().front(), Value{{2}, {1, 5}},
                               surroundings);
  ASSERT_TRUE(mlir::succeeded(results));
  EXPECT_EQ((*results)[0].data, (std::vector<double>{3, 15}));
  EXPECT_EQ(seen, (std::vector<std::string>{"nn.scale 2", "nn.add 3"}));
}

TEST_F(Interpreter, RefusesATokenOutsideTheTable) {
  mlir::Block &block =
      parse(data("t", "tensor<1x1xi32>") + ", " + data("w", "tensor<3x2xf32>"),
            "%x = nn.embedding %t, %w : (tensor<1x1xi32>, tensor<3x2xf32>) -> "
            "tensor<1x1x2xf32>");
  EXPECT_TRUE(mlir::failed(
      evaluateOp(&block.front(), {{{1, 1}, {3}}, Value::zeros({3, 2})})));
  EXPECT_EQ(error, "'nn.embedding' op token 3 is outside a table of 3 rows");
}

TEST_F(Interpreter, RefusesALabelOutsideTheLogits) {
  mlir::Block &block = parse(
      data("x", "tensor<1x1x2xf32>") + ", " + data("l", "tensor<1x1xi32>") +
          ", " + data("s", "f32"),
      "%a, %b = nn.softmax_cross_entropy %x, %l, %s : (tensor<1x1x2xf32>, "
      "tensor<1x1xi32>, f32) -> (tensor<1x1xf32>, tensor<1x1x2xf32>)");
  EXPECT_TRUE(mlir::failed(
      evaluateOp(&block.front(),
                 {Value::zeros({1, 1, 2}), {{1, 1}, {2}}, Value::scalar(1)})));
  EXPECT_EQ(error, "'nn.softmax_cross_entropy' op label 2 is outside 2 logits");
}

TEST_F(Interpreter, RefusesAnOperandOfAnotherShape) {
  mlir::Block &block =
      parse(data("x", "tensor<2xf32>"),
            "%y = nn.relu %x : (tensor<2xf32>) -> tensor<2xf32>");
  EXPECT_TRUE(mlir::failed(evaluateOp(&block.front(), Value::zeros({3}))));
  EXPECT_EQ(error, "'nn.relu' op value 0 has shape [3], expected the shape of "
                   "'tensor<2xf32>'");
}

TEST_F(Interpreter, RefusesTooFewOperands) {
  mlir::Block &block =
      parse(data("x", "tensor<2xf32>"),
            "%y = nn.relu %x : (tensor<2xf32>) -> tensor<2xf32>");
  EXPECT_TRUE(
      mlir::failed(evaluateOp(&block.front(), llvm::ArrayRef<Value>())));
  EXPECT_EQ(error, "'nn.relu' op takes 1 values, but 0 were given");
}

} // namespace

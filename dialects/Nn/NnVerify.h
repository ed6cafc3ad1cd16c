// What the verifiers of the nn ops share: one check, one diagnostic.
#ifndef LLMC_DIALECTS_NN_NNVERIFY_H
#define LLMC_DIALECTS_NN_NNVERIFY_H

#include "dialects/Nn/Nn.h"

namespace llmc::nn::detail {

/// The shape of a tensor.
llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);

/// The shape of a tensor of rank `rank` or more, without the last dimension.
llvm::ArrayRef<int64_t> rowsOf(mlir::Value value);

/// Checks the rank of operand or result `name`.
llvm::LogicalResult expectRank(mlir::Operation *op, llvm::StringRef name,
                               mlir::Value value, int64_t rank);
llvm::LogicalResult expectRankAtLeast(mlir::Operation *op, llvm::StringRef name,
                                      mlir::Value value, int64_t rank);

/// Checks the shape of operand or result `name`.
llvm::LogicalResult expectShape(mlir::Operation *op, llvm::StringRef name,
                                mlir::Value value,
                                llvm::ArrayRef<int64_t> expected);

/// Checks the whole type of operand or result `name`.
llvm::LogicalResult expectType(mlir::Operation *op, llvm::StringRef name,
                               mlir::Value value, mlir::Type expected);

/// Checks an integer attribute.
llvm::LogicalResult expectAtLeast(mlir::Operation *op, llvm::StringRef name,
                                  std::optional<int64_t> value,
                                  int64_t minimum);

/// Checks that a number lies in [low, high).
llvm::LogicalResult expectInRange(mlir::Operation *op, llvm::StringRef name,
                                  double value, double low, double high);

/// Checks that a number is positive and finite.
llvm::LogicalResult expectPositive(mlir::Operation *op, llvm::StringRef name,
                                   double value);

/// Checks what attention and its gradient have in common.
llvm::LogicalResult verifyAttention(mlir::Operation *op, mlir::Value q,
                                    mlir::Value k, mlir::Value v,
                                    mlir::Value documentStarts, mlir::Value lse,
                                    double scale, std::optional<int64_t> window,
                                    int64_t globalTokens);

} // namespace llmc::nn::detail

#endif // LLMC_DIALECTS_NN_NNVERIFY_H

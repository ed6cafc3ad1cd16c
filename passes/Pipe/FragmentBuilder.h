// Builds closed fragments from the ops of a micro-batch or update.
#ifndef LLMC_PASSES_PIPE_FRAGMENTBUILDER_H
#define LLMC_PASSES_PIPE_FRAGMENTBUILDER_H

#include "dialects/Pipe/Pipe.h"
#include "llvm/ADT/MapVector.h"

namespace llmc::pipe {

/// The ops of a fragment in order, without reads of parameters, and what it
/// yields.
struct FragmentPlan {
  struct Result {
    mlir::Value value;
    ResultKind kind;
  };

  llvm::StringRef name;
  dist::FragmentKind kind;
  std::vector<mlir::Operation *> ops;
  std::vector<Result> results;
};

/// The results of `producers` that `consumers` read without being producers of
/// them too, in the order of their definition.
llvm::SmallVector<mlir::Value>
findReadValues(llvm::ArrayRef<mlir::Operation *> producers,
               llvm::ArrayRef<mlir::Operation *> consumers);

/// Appends a fragment of stage 0 to the program: clones of the ops, with an
/// argument for each input, value of `saved`, and parameter that they read.
llvm::LogicalResult
buildFragment(nn::MicrobatchOp microbatch, const FragmentPlan &plan,
              const llvm::MapVector<mlir::Value, SourceAttr> &saved,
              ProgramOp program);

/// Appends the update of a step as fragment U0.
void buildUpdate(nn::UpdateOp update, ProgramOp program);

} // namespace llmc::pipe

#endif // LLMC_PASSES_PIPE_FRAGMENTBUILDER_H

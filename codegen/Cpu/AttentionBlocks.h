// What attention and its gradient share: shapes, masks and block loops.
#ifndef LLMC_CODEGEN_CPU_ATTENTIONBLOCKS_H
#define LLMC_CODEGEN_CPU_ATTENTIONBLOCKS_H

#include "codegen/Cpu/Block.h"
#include "dialects/Nn/Nn.h"

namespace llmc::codegen {

/// Sizes and mask of one attention op. Scores are kept transposed, [key]
/// [query]: vectors run over queries, so that maxima and sums are elementwise
/// and only the queries need transposing. They are in units of log 2.
struct AttentionShape {
  int64_t positions, batch, heads, groups, size;
  int64_t queries, keys; // of one block
  double scale;
  std::optional<int64_t> window;
  int64_t globals;

  template <typename Op> static AttentionShape get(Op op);

  int64_t queryBlocks() const { return (positions + queries - 1) / queries; }
  /// Elements from one position to the next.
  int64_t queryStride() const { return batch * heads * size; }
  int64_t keyStride() const { return batch * groups * size; }
  double scoreScale() const;
};

/// The block of queries that is worked on.
class QueryBlock {
public:
  /// `head` is batch * heads + head; `documents` may be null.
  QueryBlock(Code &code, const AttentionShape &shape, mlir::Value documents);

  void begin(mlir::Value head, mlir::Value first);

  mlir::Value head() const { return headNumber; }
  /// Offset of a query's row, of a key's, and of a query's statistic. Rows
  /// past the end are read at the last position.
  mlir::Value queryRow(mlir::Value i);
  mlir::Value keyRow(mlir::Value first, mlir::Value j);
  mlir::Value statistic(mlir::Value i);
  /// Calls `body` for each row of the block that exists.
  void forRows(llvm::function_ref<void(mlir::Value i)> body);
  /// Calls `body` with the first key of each block that some query sees.
  void forKeyBlocks(llvm::function_ref<void(mlir::Value first)> body);
  /// `scores` of one key where the queries see it, else -infinity.
  mlir::Value mask(mlir::Value key, mlir::Value scores);
  /// `vector`, but `value` for queries that see no key. Every query sees its
  /// own position unless its document begins later.
  mlir::Value whereBlind(mlir::Value vector, double value);
  /// `vector`, but `value` for rows past the end.
  mlir::Value whereMissing(mlir::Value vector, double value);

private:
  mlir::Value position(mlir::Value i);
  void loadDocuments();

  Code &code;
  const AttentionShape &shape;
  mlir::Value documents, documentStack;
  mlir::Value headNumber, firstQuery, keyBase;
  mlir::Value numbers, nearest, documentStarts, lowestDocument;
};

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_CPU_ATTENTIONBLOCKS_H

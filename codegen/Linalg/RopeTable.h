// Cosines and sines of rotary position embeddings, known at compile time.
#ifndef LLMC_CODEGEN_LINALG_ROPETABLE_H
#define LLMC_CODEGEN_LINALG_ROPETABLE_H

#include "dialects/Nn/Nn.h"

namespace llmc::codegen {

struct RopeTable {
  /// [T, D / 2]: the cosine and sine of position t times frequency d.
  mlir::DenseElementsAttr cosine, sine;
  /// [D]: the sign with which the sine enters element d.
  mlir::DenseElementsAttr sign;
};

/// The table of one rope op, each entry rounded once from float64.
RopeTable makeRopeTable(nn::RopeOp op);

} // namespace llmc::codegen

#endif // LLMC_CODEGEN_LINALG_ROPETABLE_H

// Sums of products over named indices, through a BLAS or through plain loops.
#ifndef LLMC_CODEGEN_REFERENCE_CONTRACT_H
#define LLMC_CODEGEN_REFERENCE_CONTRACT_H

#include "codegen/Reference/Value.h"
#include "llvm/ADT/StringRef.h"

namespace llmc::reference {

/// One letter per dimension of the operands and of the result.
struct ContractIndices {
  llvm::StringRef lhs, rhs, result;
};

/// The contraction by nested loops over all letters.
Value contractNaive(const Value &lhs, const Value &rhs,
                    ContractIndices indices);

/// The same by permuting both operands to matrices and calling dgemm, once for
/// each value of the letters that all three terms have.
Value contractBlas(const Value &lhs, const Value &rhs, ContractIndices indices);

/// The path that the interpreter takes: the BLAS, unless `setNaiveContractions`
/// asked for loops.
Value contract(const Value &lhs, const Value &rhs, ContractIndices indices);

/// Makes every contraction of the process take the naive path.
void setNaiveContractions(bool naive);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_CONTRACT_H

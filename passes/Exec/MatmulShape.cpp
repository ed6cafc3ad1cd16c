// A contraction as one matrix product with strides.
#include "passes/Exec/MatmulShape.h"

#include "test/faults/Fault.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;

namespace llmc::exec {

namespace {
/// A tensor whose dimensions have letters.
struct Term {
  StringRef letters;
  ArrayRef<int64_t> shape;

  bool has(char letter) const { return letters.contains(letter); }
  int64_t size(char letter) const { return shape[letters.find(letter)]; }
  int64_t stride(char letter) const {
    int64_t stride = 1;
    for (size_t i = letters.find(letter) + 1; i < letters.size(); ++i)
      stride *= shape[i];
    return stride;
  }

  /// The stride of `group` as one dimension; nothing if the letters do not
  /// stand side by side in this order.
  std::optional<int64_t> collapse(StringRef group) const {
    if (group.empty())
      return 1;
    if (!letters.contains(group))
      return std::nullopt;
    return stride(group.back());
  }
};
} // namespace

/// Letters of `term` that are also in `with` and not in `without`.
static SmallString<8> lettersOf(StringRef term, StringRef with,
                                StringRef without) {
  SmallString<8> found;
  for (char letter : term)
    if (with.contains(letter) && !without.contains(letter))
      found.push_back(letter);
  return found;
}

static int64_t product(StringRef group, const Term &term) {
  int64_t size = 1;
  for (char letter : group)
    size *= term.size(letter);
  return size;
}

std::optional<MatmulShape> matmulShape(StringRef indices,
                                       RankedTensorType lhsType,
                                       RankedTensorType rhsType) {
  auto [operands, result] = indices.split("->");
  auto [lhsLetters, rhsLetters] = operands.split(",");
  Term lhs{lhsLetters, lhsType.getShape()}, rhs{rhsLetters, rhsType.getShape()};
  MatmulShape shape;
  // The result begins with the letters of the product's lhs.
  shape.swapped = !result.empty() && !lhs.has(result.front());
  if (shape.swapped)
    std::swap(lhs, rhs);
  SmallString<8> m = lettersOf(result, lhs.letters, rhs.letters);
  SmallString<8> n = lettersOf(result, rhs.letters, lhs.letters);
  SmallString<8> k = lettersOf(lhs.letters, rhs.letters, result);
  // Batch letters, interleaved groups and reductions of one operand alone are
  // no matrix product.
  if ((m + n).str() != result || m.size() + k.size() != lhs.letters.size() ||
      n.size() + k.size() != rhs.letters.size())
    return std::nullopt;
  auto lhsM = lhs.collapse(m), lhsK = lhs.collapse(k);
  auto rhsK = rhs.collapse(k), rhsN = rhs.collapse(n);
  if (!lhsM || !lhsK || !rhsK || !rhsN)
    return std::nullopt;
  shape.m = product(m, lhs);
  shape.n = product(n, rhs);
  shape.k = product(k, lhs);
  shape.lhsStrides = {*lhsM, *lhsK};
  shape.rhsStrides = {*rhsK, *rhsN};
  if (LLMC_FAULT("matmul-shape-swaps-strides"))
    std::swap(shape.rhsStrides[0], shape.rhsStrides[1]);
  return shape;
}

} // namespace llmc::exec

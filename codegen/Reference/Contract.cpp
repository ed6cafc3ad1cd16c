// Contractions by loops and by dgemm, and the kernel of nn.contract.
#include "codegen/Reference/Contract.h"
#include "codegen/Reference/Kernels.h"
#include "dialects/Nn/Nn.h"

#include <cblas.h>
#include <climits>

namespace llmc::reference {
namespace {

bool naiveContractions = false;

using Letters = std::string;

int64_t sizeOfLetter(char letter, const Value &lhs, const Value &rhs,
                     ContractIndices indices) {
  size_t at = indices.lhs.find(letter);
  if (at != llvm::StringRef::npos)
    return lhs.shape[at];
  return rhs.shape[indices.rhs.find(letter)];
}

/// Elements between neighbours along `letter` in a tensor of these dimensions;
/// 0 for a letter that it lacks.
int64_t strideOf(char letter, llvm::StringRef term,
                 llvm::ArrayRef<int64_t> shape) {
  size_t at = term.find(letter);
  if (at == llvm::StringRef::npos)
    return 0;
  return elementsOf(shape.drop_front(at + 1));
}

/// Advances `counter` as an odometer, the last digit fastest; false at the end.
bool countUp(llvm::MutableArrayRef<int64_t> counter,
             llvm::ArrayRef<int64_t> limits) {
  for (size_t d = counter.size(); d-- > 0;) {
    if (++counter[d] < limits[d])
      return true;
    counter[d] = 0;
  }
  return false;
}

int64_t offsetOf(llvm::ArrayRef<int64_t> counter,
                 llvm::ArrayRef<int64_t> strides) {
  int64_t offset = 0;
  for (auto [index, stride] : llvm::zip_equal(counter, strides))
    offset += index * stride;
  return offset;
}

/// The tensor with its dimensions in the order of `to`.
Value permute(const Value &value, llvm::StringRef from, const Letters &to) {
  std::vector<int64_t> shape, strides;
  for (char letter : to) {
    shape.push_back(value.shape[from.find(letter)]);
    strides.push_back(strideOf(letter, from, value.shape));
  }
  Value result = Value::zeros(shape);
  std::vector<int64_t> counter(shape.size(), 0);
  for (double &element : result.data) {
    element = value[offsetOf(counter, strides)];
    countUp(counter, shape);
  }
  return result;
}

/// The letters by which terms have them, in the order of their first term.
struct LetterClasses {
  Letters batch, rows, columns, summed;

  explicit LetterClasses(ContractIndices indices) {
    for (char letter : indices.lhs) {
      bool inResult = indices.result.contains(letter);
      bool inRhs = indices.rhs.contains(letter);
      (inResult && inRhs ? batch : inResult ? rows : summed) += letter;
    }
    for (char letter : indices.rhs)
      if (!indices.lhs.contains(letter))
        columns += letter;
  }
};

std::vector<int64_t> resultShape(const Value &lhs, const Value &rhs,
                                 ContractIndices indices) {
  std::vector<int64_t> shape;
  for (char letter : indices.result)
    shape.push_back(sizeOfLetter(letter, lhs, rhs, indices));
  return shape;
}

mlir::FailureOr<Results> computeContract(nn::ContractOp op, Operands operands) {
  return Results{contract(
      *operands[0], *operands[1],
      {op.getLhsIndices(), op.getRhsIndices(), op.getResultIndices()})};
}

} // namespace

Value contractNaive(const Value &lhs, const Value &rhs,
                    ContractIndices indices) {
  Value result = Value::zeros(resultShape(lhs, rhs, indices));
  LetterClasses classes(indices);
  Letters all = indices.result.str() + classes.summed;
  std::vector<int64_t> limits, lhsStrides, rhsStrides, resultStrides;
  for (char letter : all) {
    limits.push_back(sizeOfLetter(letter, lhs, rhs, indices));
    lhsStrides.push_back(strideOf(letter, indices.lhs, lhs.shape));
    rhsStrides.push_back(strideOf(letter, indices.rhs, rhs.shape));
    resultStrides.push_back(strideOf(letter, indices.result, result.shape));
  }
  std::vector<int64_t> counter(all.size(), 0);
  if (elementsOf(limits) == 0)
    return result;
  do {
    result[offsetOf(counter, resultStrides)] +=
        lhs[offsetOf(counter, lhsStrides)] * rhs[offsetOf(counter, rhsStrides)];
  } while (countUp(counter, limits));
  return result;
}

Value contractBlas(const Value &lhs, const Value &rhs,
                   ContractIndices indices) {
  LetterClasses classes(indices);
  auto count = [&](const Letters &letters) {
    int64_t product = 1;
    for (char letter : letters)
      product *= sizeOfLetter(letter, lhs, rhs, indices);
    return product;
  };
  int64_t batch = count(classes.batch), m = count(classes.rows),
          n = count(classes.columns), k = count(classes.summed);
  if (std::max({m, n, k}) > INT_MAX || batch * m * n * k == 0)
    return contractNaive(lhs, rhs, indices);

  Value left =
      permute(lhs, indices.lhs, classes.batch + classes.rows + classes.summed);
  Value right = permute(rhs, indices.rhs,
                        classes.batch + classes.summed + classes.columns);
  Letters order = classes.batch + classes.rows + classes.columns;
  std::vector<int64_t> shape;
  for (char letter : order)
    shape.push_back(sizeOfLetter(letter, lhs, rhs, indices));
  Value product = Value::zeros(shape);
  for (int64_t b = 0; b < batch; ++b)
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0,
                &left[b * m * k], k, &right[b * k * n], n, 0.0,
                &product[b * m * n], n);
  return permute(product, order, indices.result.str());
}

Value contract(const Value &lhs, const Value &rhs, ContractIndices indices) {
  return naiveContractions ? contractNaive(lhs, rhs, indices)
                           : contractBlas(lhs, rhs, indices);
}

void setNaiveContractions(bool naive) { naiveContractions = naive; }

void registerContractKernels(KernelTable &table) {
  table.add<nn::ContractOp, computeContract>();
}

} // namespace llmc::reference

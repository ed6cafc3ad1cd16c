// One optimiser step on a range of elements: shared by the updates of a
// parameter, of a bucket, and of a shard of a bucket.
#ifndef LLMC_CODEGEN_REFERENCE_UPDATE_H
#define LLMC_CODEGEN_REFERENCE_UPDATE_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace llmc::reference {

struct AdamwRecipe {
  double factor, lr;
  /// The number of this step, from 1.
  double t;
  double beta1, beta2, eps, weightDecay;
  /// Weight decay applies to elements before this one.
  int64_t decayBelow;
};

struct SgdRecipe {
  double factor, lr, momentum, weightDecay;
  int64_t decayBelow;
};

/// The recipe of an op that carries its constants as attributes.
template <typename OpTy>
AdamwRecipe adamwRecipe(OpTy op, double factor, double lr, double t,
                        int64_t decayBelow) {
  return {factor,
          lr,
          t,
          op.getBeta1().convertToDouble(),
          op.getBeta2().convertToDouble(),
          op.getEps().convertToDouble(),
          op.getWeightDecay().convertToDouble(),
          decayBelow};
}

template <typename OpTy>
SgdRecipe sgdRecipe(OpTy op, double factor, double lr, int64_t decayBelow) {
  return {factor, lr, op.getMomentum().convertToDouble(),
          op.getWeightDecay().convertToDouble(), decayBelow};
}

/// The four ranges have equal size.
void adamwStep(const AdamwRecipe &recipe,
               llvm::MutableArrayRef<double> parameter,
               llvm::ArrayRef<double> gradient,
               llvm::MutableArrayRef<double> moment1,
               llvm::MutableArrayRef<double> moment2);

/// `momentum` is empty when the recipe's momentum is 0.
void sgdStep(const SgdRecipe &recipe, llvm::MutableArrayRef<double> parameter,
             llvm::ArrayRef<double> gradient,
             llvm::MutableArrayRef<double> momentum);

} // namespace llmc::reference

#endif // LLMC_CODEGEN_REFERENCE_UPDATE_H

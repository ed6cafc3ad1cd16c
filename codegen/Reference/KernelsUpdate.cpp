// Kernels of clipping, of norms, and of the optimisers' steps.
#include "codegen/Reference/Kernels.h"
#include "codegen/Reference/Update.h"
#include "dialects/Nn/Nn.h"

#include <cmath>

namespace llmc::reference {

void adamwStep(const AdamwRecipe &recipe,
               llvm::MutableArrayRef<double> parameter,
               llvm::ArrayRef<double> gradient,
               llvm::MutableArrayRef<double> moment1,
               llvm::MutableArrayRef<double> moment2) {
  double correction1 = 1 - std::pow(recipe.beta1, recipe.t);
  double correction2 = 1 - std::pow(recipe.beta2, recipe.t);
  for (int64_t i = 0; i < static_cast<int64_t>(parameter.size()); ++i) {
    double g = recipe.factor * gradient[i], &m = moment1[i], &v = moment2[i];
    m = recipe.beta1 * m + (1 - recipe.beta1) * g;
    v = recipe.beta2 * v + (1 - recipe.beta2) * g * g;
    double decay = i < recipe.decayBelow ? recipe.weightDecay : 0;
    parameter[i] -= recipe.lr * (m / correction1 /
                                     (std::sqrt(v / correction2) + recipe.eps) +
                                 decay * parameter[i]);
  }
}

void sgdStep(const SgdRecipe &recipe, llvm::MutableArrayRef<double> parameter,
             llvm::ArrayRef<double> gradient,
             llvm::MutableArrayRef<double> momentum) {
  for (int64_t i = 0; i < static_cast<int64_t>(parameter.size()); ++i) {
    double m = recipe.factor * gradient[i];
    if (!momentum.empty())
      m = momentum[i] = recipe.momentum * momentum[i] + m;
    double decay = i < recipe.decayBelow ? recipe.weightDecay : 0;
    parameter[i] -= recipe.lr * (m + decay * parameter[i]);
  }
}

namespace {

using mlir::FailureOr;

FailureOr<Results> clipFactor(nn::ClipFactorOp, Operands in) {
  double clip = in[1]->number(), inverse = in[2]->number();
  double norm = std::sqrt(in[0]->number()) * inverse;
  double factor = inverse * std::min(1.0, clip / norm);
  return Results{Value::scalar(factor),
                 Value::scalar(std::isfinite(norm) ? 1 : 0)};
}

FailureOr<Results> normPartials(nn::NormPartialsOp op, Operands in) {
  const Value &input = *in[0];
  Value partials = Value::zeros(op.getPartials().getType());
  int64_t count = partials.size();
  for (int64_t p = 0; p < count; ++p)
    for (int64_t i = p * input.size() / count;
         i < (p + 1) * input.size() / count; ++i)
      partials[p] += input[i] * input[i];
  return Results{std::move(partials)};
}

FailureOr<Results> adamwApply(nn::AdamwApplyOp op, Operands in) {
  Value parameter = *in[0], moment1 = *in[2], moment2 = *in[3];
  bool ok = in[5]->number() != 0;
  if (ok)
    adamwStep(adamwRecipe(op, in[4]->number(), in[6]->number(), in[7]->number(),
                          op.getDecayBelow()),
              parameter.data, in[1]->data, moment1.data, moment2.data);
  return Results{std::move(parameter), std::move(moment1), std::move(moment2)};
}

FailureOr<Results> sgdApply(nn::SgdApplyOp op, Operands in) {
  Results results{*in[0]};
  if (in.size() > 5)
    results.push_back(*in[5]);
  bool ok = in[3]->number() != 0;
  llvm::MutableArrayRef<double> momentum;
  if (results.size() > 1)
    momentum = results[1].data;
  if (ok)
    sgdStep(sgdRecipe(op, in[2]->number(), in[4]->number(), op.getDecayBelow()),
            results[0].data, in[1]->data, momentum);
  return results;
}

} // namespace

void registerUpdateKernels(KernelTable &table) {
  table.add<nn::ClipFactorOp, clipFactor>();
  table.add<nn::NormPartialsOp, normPartials>();
  table.add<nn::AdamwApplyOp, adamwApply>();
  table.add<nn::SgdApplyOp, sgdApply>();
}

} // namespace llmc::reference

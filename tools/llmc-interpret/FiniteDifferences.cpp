// Central differences of the loss in float64.
#include "tools/llmc-interpret/FiniteDifferences.h"
#include "runtime/base/Philox.h"

#include "llvm/Support/Format.h"

#include <cmath>

namespace llmc::interpret {
namespace {

using reference::State;
using reference::Value;

/// Small enough for the cubic term, large enough for float64 rounding.
constexpr double kStep = 1e-5;
/// Entries tried in each parameter, or all of a smaller one.
constexpr int64_t kEntries = 24;

/// The loss with one element of one parameter changed by `delta`.
mlir::FailureOr<double> lossAt(mlir::ModuleOp module, const Inputs &inputs,
                               const std::string &name, int64_t element,
                               double delta) {
  State state;
  state.parameters = inputs.state.parameters;
  state.parameters[name][element] += delta;
  auto runner = reference::StepRunner::create(module, std::move(state));
  mlir::FailureOr<reference::Results> results =
      runner->runEntry("train", inputs.microbatches[0], inputs.scalars);
  if (mlir::failed(results))
    return mlir::failure();
  return (*results)[0].number();
}

/// The largest |difference - gradient| over the tried entries.
mlir::FailureOr<double> worstOf(mlir::ModuleOp module, const Inputs &inputs,
                                const std::string &name, const Value &gradient,
                                uint64_t seed) {
  double factor = inputs.scalars.seed, worst = 0;
  uint64_t hash = rt::hashName("entry of " + name);
  for (int64_t i = 0; i < std::min(kEntries, gradient.size()); ++i) {
    int64_t element = gradient.size() <= kEntries
                          ? i
                          : static_cast<int64_t>(rt::philox(seed, hash, i)[0] %
                                                 gradient.size());
    mlir::FailureOr<double> above =
        lossAt(module, inputs, name, element, kStep);
    mlir::FailureOr<double> below =
        lossAt(module, inputs, name, element, -kStep);
    if (mlir::failed(above) || mlir::failed(below))
      return mlir::failure();
    double difference = factor * (*above - *below) / (2 * kStep);
    double off = std::abs(difference - gradient[element]);
    worst = std::isnan(off) ? std::numeric_limits<double>::infinity()
                            : std::max(worst, off);
  }
  return worst;
}

double largestEntry(const Value &value) {
  double largest = 0;
  for (double element : value.data)
    largest = std::max(largest, std::abs(element));
  return largest;
}

} // namespace

mlir::LogicalResult checkFiniteDifferences(mlir::ModuleOp module,
                                           const Inputs &inputs, uint64_t seed,
                                           double tolerance,
                                           llvm::raw_ostream &os) {
  auto runner = reference::StepRunner::create(module, inputs.state);
  if (mlir::failed(
          runner->runEntry("train", inputs.microbatches[0], inputs.scalars)))
    return mlir::failure();
  State state = *runner->state();
  bool good = true, depends = false;
  for (const auto &[name, parameter] : inputs.state.parameters) {
    const Value &gradient = State::entry(state.gradients, name, parameter);
    mlir::FailureOr<double> worst =
        worstOf(module, inputs, name, gradient, seed);
    if (mlir::failed(worst))
      return mlir::failure();
    double largest = largestEntry(gradient);
    // A gradient that is zero must be zero by differences too.
    double relative = *worst / (largest > 0 ? largest : 1);
    bool fits = relative <= tolerance;
    os << "@" << name << ": " << (fits ? "agrees" : "differs")
       << llvm::format(" to %.1e of %.3e\n", relative, largest);
    good &= fits;
    depends |= largest > 0;
  }
  if (!depends)
    os << "the loss depends on no parameter\n";
  return mlir::success(good && depends);
}

} // namespace llmc::interpret

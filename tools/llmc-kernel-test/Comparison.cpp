// One compiled kernel against the reference interpreter.
#include "tools/llmc-kernel-test/Comparison.h"
#include "codegen/Reference/Interpreter.h"
#include "tools/llmc-kernel-test/Inputs.h"
#include <cmath>

using namespace mlir;
using namespace llmc;

namespace {

using Values = std::vector<reference::Value>;

/// The pieces [begin, end) in which a kernel is called.
using Pieces = std::vector<std::pair<int64_t, int64_t>>;

/// The whole range in uneven pieces, the last first.
Pieces unevenPieces(int64_t extent) {
  Pieces pieces;
  for (int64_t begin = 0, size = 1; begin < extent; ++size) {
    int64_t end = std::min(extent, begin + size);
    pieces.insert(pieces.begin(), {begin, end});
    begin = end;
  }
  return pieces;
}

/// One call of the kernel on fresh memory; empty when it wrote outside.
std::vector<Buffer> run(const KernelUnderTest &test, const Values &inputs,
                        const Values &initial, const Pieces &pieces,
                        bool inPlace) {
  exec::KernelOp kernel = test.kernel;
  std::vector<Buffer> arguments, results;
  for (auto [type, value] : llvm::zip(kernel.getArgumentTypes(), inputs)) {
    arguments.emplace_back(type);
    arguments.back().write(value);
  }
  for (auto [i, type] : llvm::enumerate(kernel.getResultTypes())) {
    results.emplace_back(type);
    if (kernel.getAccumulate()[i])
      results.back().write(initial[i]);
  }
  std::vector<void *> pointers;
  for (Buffer &buffer : arguments)
    pointers.push_back(buffer.data());
  for (auto [i, buffer] : llvm::enumerate(results)) {
    int64_t alias = inPlace ? kernel.getAliases()[i] : -1;
    pointers.push_back(alias >= 0 ? arguments[alias].data() : buffer.data());
  }
  rt::KernelArgs args{pointers.data()};
  for (auto [begin, end] : pieces)
    test.function(&args, begin, end);
  bool holds = true;
  for (const Buffer &buffer : arguments)
    holds &= buffer.guardsHold();
  for (const Buffer &buffer : results)
    holds &= buffer.guardsHold();
  if (!holds)
    return {};
  for (auto [i, alias] : llvm::enumerate(kernel.getAliases()))
    if (inPlace && alias >= 0)
      results[i] = arguments[alias];
  return results;
}

/// The largest difference over the largest element; infinity where only one
/// of both is finite.
double difference(const reference::Value &actual,
                  const reference::Value &expected) {
  double largest = 1e-30, worst = 0;
  for (int64_t i = 0; i < expected.size(); ++i) {
    if (std::isfinite(expected[i]))
      largest = std::max(largest, std::abs(expected[i]));
    if (actual[i] == expected[i] ||
        (std::isnan(actual[i]) && std::isnan(expected[i])))
      continue;
    double off = std::abs(actual[i] - expected[i]);
    worst = std::isfinite(off) ? std::max(worst, off)
                               : std::numeric_limits<double>::infinity();
  }
  return worst / largest;
}

/// Infinities and NaN in the inputs must not be lost: the step is skipped by
/// them. False when a result is finite where the reference is not.
bool keepsNonFinite(const KernelUnderTest &test, Values inputs,
                    const Values &initial) {
  exec::KernelOp kernel = test.kernel;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double planted[] = {kInfinity, -kInfinity, std::nan("")};
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (isa<FloatType>(getElementTypeOrSelf(type)))
      inputs[i][inputs[i].size() / 2] = planted[i % 3];
  auto expected = reference::evaluateBlock(kernel.getBody().front(), inputs);
  auto actual = run(test, inputs, initial, {{0, test.extent}}, false);
  if (failed(expected) || actual.size() != initial.size())
    return false;
  for (auto [i, buffer] : llvm::enumerate(actual)) {
    reference::Value value = buffer.read();
    for (int64_t j = 0; j < value.size(); ++j)
      if (std::isfinite(value[j]) && !std::isfinite((*expected)[i][j]))
        return kernel.emitError("result ")
                   << i << " lost " << (*expected)[i][j],
               false;
  }
  return true;
}

} // namespace

bool llmc::agrees(const KernelUnderTest &test, unsigned seed,
                  double tolerance) {
  exec::KernelOp kernel = test.kernel;
  Values inputs = makeInputs(kernel, seed), initial;
  for (Type type : kernel.getResultTypes())
    initial.push_back(makeInitial(type, seed));
  auto expected = reference::evaluateBlock(kernel.getBody().front(), inputs);
  if (failed(expected))
    return false;
  auto whole = run(test, inputs, initial, {{0, test.extent}}, false);
  auto pieces = run(test, inputs, initial, unevenPieces(test.extent), false);
  auto inPlace = run(test, inputs, initial, unevenPieces(test.extent), true);
  if (whole.size() != initial.size() || pieces.size() != initial.size() ||
      inPlace.size() != initial.size())
    return kernel.emitError("writes outside its memory"), false;
  bool ok = true;
  for (auto [i, buffer] : llvm::enumerate(whole)) {
    if (kernel.getAccumulate()[i])
      reference::addInto((*expected)[i], initial[i]);
    double off = difference(buffer.read(), (*expected)[i]);
    if (off > tolerance)
      kernel.emitError("result ")
          << i << " is off by " << off << ", expected at most " << tolerance;
    if (!(buffer == pieces[i]))
      kernel.emitError("result ") << i << " differs when called in pieces";
    if (!(buffer == inPlace[i]))
      kernel.emitError("result ") << i << " differs when computed in place";
    ok &= off <= tolerance && buffer == pieces[i] && buffer == inPlace[i];
  }
  return keepsNonFinite(test, inputs, initial) && ok;
}

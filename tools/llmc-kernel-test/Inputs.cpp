// Memory of a kernel under test, and seeded numbers to fill it.
#include "tools/llmc-kernel-test/Inputs.h"
#include "dialects/Nn/Nn.h"
#include <cstring>
#include <random>

using namespace mlir;
using namespace llmc;

static size_t elementBytes(Type type) {
  return llvm::divideCeil(getElementTypeOrSelf(type).getIntOrFloatBitWidth(),
                          8);
}

Buffer::Buffer(Type type)
    : type(type), bytes(2 * kGuard + elementBytes(type) *
                                         reference::Value::zeros(type).size(),
                        0xA5) {}

template <typename T>
static void writeAs(unsigned char *to, const reference::Value &value) {
  for (int64_t i = 0; i < value.size(); ++i) {
    T number = static_cast<T>(value[i]);
    std::memcpy(to + i * sizeof(T), &number, sizeof(T));
  }
}

template <typename T>
static void readAs(const unsigned char *from, reference::Value &value) {
  for (int64_t i = 0; i < value.size(); ++i) {
    T number;
    std::memcpy(&number, from + i * sizeof(T), sizeof(T));
    value[i] = static_cast<double>(number);
  }
}

void Buffer::write(const reference::Value &value) {
  unsigned char *to = bytes.data() + kGuard;
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return writeAs<float>(to, value);
  switch (elementBytes(type)) {
  case 1:
    return writeAs<int8_t>(to, value);
  case 4:
    return writeAs<int32_t>(to, value);
  default:
    return writeAs<int64_t>(to, value);
  }
}

reference::Value Buffer::read() const {
  reference::Value value = reference::Value::zeros(type);
  const unsigned char *from = bytes.data() + kGuard;
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    readAs<float>(from, value);
  else if (elementBytes(type) == 1)
    readAs<int8_t>(from, value);
  else if (elementBytes(type) == 4)
    readAs<int32_t>(from, value);
  else
    readAs<int64_t>(from, value);
  return value;
}

bool Buffer::guardsHold() const {
  auto holds = [](unsigned char byte) { return byte == 0xA5; };
  return std::all_of(bytes.begin(), bytes.begin() + kGuard, holds) &&
         std::all_of(bytes.end() - kGuard, bytes.end(), holds);
}

/// The range [low, high) of an integer argument, from the op that reads it.
static std::pair<int64_t, int64_t> integerRange(BlockArgument argument) {
  for (Operation *user : argument.getUsers()) {
    if (auto op = dyn_cast<nn::EmbeddingOp>(user))
      return {0, op.getTable().getType().getShape()[0]};
    if (auto op = dyn_cast<nn::EmbeddingGradOp>(user))
      return {0, op.getResult().getType().getShape()[0]};
    if (auto op = dyn_cast<nn::SoftmaxCrossEntropyOp>(user))
      return {-1, op.getLogits().getType().getShape().back()};
  }
  return {0, 4};
}

/// Starts of documents: for each position one of those up to it, and now and
/// then the position after it, so that the row sees nothing.
static void makeDocumentStarts(reference::Value &value, std::mt19937 &random) {
  int64_t batch = value.dim(1);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t t = 0, start = 0; t < value.dim(0); ++t) {
      if (random() % 5 == 0)
        start = t;
      value[t * batch + b] = random() % 11 == 0 ? t + 1 : start;
    }
}

static bool mustBePositive(BlockArgument argument) {
  return llvm::any_of(argument.getUsers(), [&](Operation *user) {
    if (auto op = dyn_cast<nn::AdamwApplyOp>(user))
      return op.getMoment2() == argument;
    return isa<nn::ClipFactorOp>(user);
  });
}

std::vector<reference::Value> llmc::makeInputs(exec::KernelOp kernel,
                                               unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<reference::Value> inputs;
  for (BlockArgument argument : kernel.getBody().front().getArguments()) {
    Type type = argument.getType();
    reference::Value value = reference::Value::zeros(type);
    bool isDocuments =
        llvm::any_of(argument.getUsers(),
                     llvm::IsaPred<nn::AttentionOp, nn::AttentionGradOp>);
    if (isa<FloatType>(getElementTypeOrSelf(type))) {
      bool positive = mustBePositive(argument);
      for (double &number : value.data) {
        number = normal(random);
        number = positive ? std::abs(number) : number;
      }
    } else if (getElementTypeOrSelf(type).isInteger(1)) {
      for (double &number : value.data)
        number = value.shape.empty() ? seed % 2 : random() % 2;
    } else if (isDocuments) {
      makeDocumentStarts(value, random);
    } else if (value.shape.empty()) {
      value.data[0] = 1 + seed % 7;
    } else {
      auto [low, high] = integerRange(argument);
      for (double &number : value.data)
        number = low + static_cast<int64_t>(random() % (high - low));
    }
    inputs.push_back(std::move(value));
  }
  return inputs;
}

reference::Value llmc::makeInitial(Type type, unsigned seed) {
  std::mt19937 random(seed + 1000);
  std::normal_distribution<float> normal;
  reference::Value value = reference::Value::zeros(type);
  for (double &number : value.data)
    number = normal(random);
  return value;
}

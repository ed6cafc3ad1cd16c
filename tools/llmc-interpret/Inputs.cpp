// Random inputs, and inputs from a JSON file.
#include "tools/llmc-interpret/Inputs.h"
#include "runtime/base/Philox.h"
#include "tools/llmc-interpret/ValueJson.h"

namespace llmc::interpret {
namespace {

using reference::Value;

/// Draws for one named tensor.
struct Draw {
  uint64_t seed, name;

  Draw(uint64_t seed, const std::string &what)
      : seed(seed), name(rt::hashName(what)) {}

  double normal(int64_t element) const {
    return rt::normalAt(seed, name, element);
  }
  /// In [0, limit).
  int64_t below(int64_t element, int64_t limit) const {
    return static_cast<int64_t>(rt::philox(seed, name, element)[0] % limit);
  }
};

/// One past the largest token that every table of the module has.
int64_t vocabularyOf(mlir::ModuleOp module) {
  int64_t rows = 16;
  bool found = false;
  auto see = [&](mlir::Value table) {
    int64_t size = reference::shapeOf(table.getType())[0];
    rows = found ? std::min(rows, size) : size;
    found = true;
  };
  module.walk([&](nn::EmbeddingOp op) { see(op.getTable()); });
  module.walk([&](nn::CrossEntropyOp op) { see(op.getWeight()); });
  return rows;
}

Value randomArgument(mlir::Type type, llvm::StringRef role, const Draw &draw,
                     int64_t vocabulary) {
  Value value = Value::zeros(type);
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  for (int64_t i = 0; i < value.size(); ++i) {
    if (role == "labels")
      value[i] = static_cast<double>(
          draw.below(2 * i, 6) == 0 ? -1 : draw.below(2 * i + 1, vocabulary));
    else if (element.isInteger(1))
      value[i] = draw.below(i, 4) != 0;
    else if (element.isInteger(32))
      value[i] = static_cast<double>(draw.below(i, vocabulary));
    else if (llvm::isa<mlir::FloatType>(element))
      value[i] = draw.normal(i);
  }
  return value;
}

/// One over the number of labels that count.
double seedFor(const reference::Signature &signature,
               const std::vector<reference::Results> &microbatches) {
  int64_t counted = 0;
  for (const reference::Results &arguments : microbatches)
    for (auto [argument, value] :
         llvm::zip_equal(signature.arguments, arguments))
      if (argument.role == "labels")
        for (double label : value.data)
          counted += label >= 0;
  // A module without labels still has a scale that is not 1.
  return counted ? 1 / static_cast<double>(counted) : 0.25;
}

rt::Status readParameters(const rt::Json &object, Inputs &inputs) {
  for (const auto &[name, json] : object.items()) {
    auto it = inputs.state.parameters.find(name);
    if (it == inputs.state.parameters.end())
      return rt::Status::error("the module has no parameter '" + name + "'");
    rt::Expected<Value> value = valueFromJson(json, "parameter " + name);
    if (!value)
      return rt::Status::error(value.message());
    if (value->shape != it->second.shape)
      return rt::Status::error("parameter '" + name + "' has another shape");
    it->second = *value;
  }
  return rt::Status::success();
}

rt::Status readArguments(const rt::Json &object, Inputs &inputs) {
  for (const auto &[name, json] : object.items()) {
    unsigned index = 0;
    if (llvm::StringRef(name).getAsInteger(10, index) ||
        index >= inputs.microbatches[0].size())
      return rt::Status::error("the entry has no argument '" + name + "'");
    rt::Expected<Value> value = valueFromJson(json, "argument " + name);
    if (!value)
      return rt::Status::error(value.message());
    if (value->shape != inputs.microbatches[0][index].shape)
      return rt::Status::error("argument " + name + " has another shape");
    for (reference::Results &arguments : inputs.microbatches)
      arguments[index] = *value;
  }
  return rt::Status::success();
}

rt::Status readScalars(const rt::Json &object,
                       reference::StepScalars &scalars) {
  for (const auto &[name, json] : object.items()) {
    if (!json.is_number())
      return rt::Status::error("step." + name + " is no number");
    double number = json.get<double>();
    if (name == "lr")
      scalars.lr = number;
    else if (name == "t")
      scalars.step = static_cast<int64_t>(number);
    else if (name == "clip")
      scalars.clip = number;
    else if (name == "inv_scale")
      scalars.inverseScale = number;
    else if (name == "seed")
      scalars.seed = number;
    else
      return rt::Status::error("unknown step scalar '" + name +
                               "', expected lr, t, clip, inv_scale or seed");
  }
  return rt::Status::success();
}

} // namespace

Inputs randomInputs(mlir::ModuleOp module,
                    const reference::Signature &signature, uint64_t seed,
                    int64_t microbatches) {
  Inputs inputs;
  inputs.scalars.lr = 0.01;
  inputs.scalars.clip = 1;
  for (nn::ParameterOp parameter : module.getOps<nn::ParameterOp>()) {
    std::string name = parameter.getSymName().str();
    Value value = Value::zeros(parameter.getType());
    Draw draw(seed, "parameter " + name);
    for (int64_t i = 0; i < value.size(); ++i)
      value[i] = 0.5 * draw.normal(i);
    inputs.state.parameters[name] = std::move(value);
  }
  int64_t vocabulary = vocabularyOf(module);
  for (int64_t m = 0; m < microbatches; ++m) {
    reference::Results arguments;
    for (auto [i, argument] : llvm::enumerate(signature.arguments))
      arguments.push_back(
          argument.type
              ? randomArgument(argument.type, argument.role,
                               Draw(seed, "argument " + std::to_string(i) +
                                              " of micro-batch " +
                                              std::to_string(m)),
                               vocabulary)
              : Value::scalar(0));
    inputs.microbatches.push_back(std::move(arguments));
  }
  inputs.scalars.seed = seedFor(signature, inputs.microbatches);
  return inputs;
}

rt::Status readInputs(const std::string &path, Inputs &inputs) {
  rt::Expected<rt::Json> json = rt::readJsonFile(path);
  if (!json)
    return rt::Status::error(json.message());
  if (!json->is_object())
    return rt::Status::error(path + ": expected an object");
  for (const auto &[key, section] : json->items()) {
    rt::Status status = rt::Status::success();
    if (!section.is_object())
      status = rt::Status::error("'" + key + "' is no object");
    else if (key == "parameters")
      status = readParameters(section, inputs);
    else if (key == "arguments")
      status = readArguments(section, inputs);
    else if (key == "step")
      status = readScalars(section, inputs.scalars);
    else
      status = rt::Status::error("unknown key '" + key +
                                 "', expected parameters, arguments or step");
    if (!status)
      return rt::Status::error(path + ": " + status.message());
  }
  return rt::Status::success();
}

} // namespace llmc::interpret

// Reads the parameters of a module from a weights file.
#include "tools/llmc-interpret/ParameterFiles.h"
#include "dialects/Nn/Nn.h"
#include "runtime/checkpoint/TensorMapping.h"

namespace llmc::interpret {
namespace {

/// The place of a parameter in its file, seen as an (out, in) matrix.
rt::TensorMapping mappingOf(nn::ParameterOp parameter) {
  nn::StorageAttr storage = *parameter.getStorage();
  rt::TensorMapping mapping;
  mapping.file = storage.getFile().str();
  mapping.fileShape = storage.getShape().vec();
  mapping.transposed = storage.getTransposed();
  mapping.outOffset = storage.getOffset();
  if (mapping.fileShape.size() == 2)
    mapping.in = mapping.fileShape[mapping.transposed ? 0 : 1];
  mapping.out = parameter.getTensorType().getNumElements() /
                std::max<int64_t>(mapping.in, 1);
  return mapping;
}

} // namespace

rt::Expected<std::map<std::string, reference::Value>>
readParameters(mlir::ModuleOp module, const std::string &path) {
  rt::Expected<rt::WeightsFile> weights = rt::WeightsFile::open(path);
  if (!weights)
    return rt::Status::error(weights.message());
  std::map<std::string, std::vector<float>> floats;
  std::vector<rt::TensorRef> tensors;
  for (nn::ParameterOp parameter : module.getOps<nn::ParameterOp>()) {
    std::string name = parameter.getSymName().str();
    if (!parameter.getStorage())
      return rt::Status::error("parameter '" + name +
                               "' has no place in a weights file");
    std::vector<float> &data = floats[name];
    data.resize(parameter.getTensorType().getNumElements());
    tensors.push_back({mappingOf(parameter), data.data()});
  }
  if (rt::Status status = rt::readTensors(*weights, "", tensors); !status)
    return status;
  std::map<std::string, reference::Value> values;
  for (nn::ParameterOp parameter : module.getOps<nn::ParameterOp>()) {
    const std::vector<float> &data = floats[parameter.getSymName().str()];
    values[parameter.getSymName().str()] = {
        parameter.getTensorType().getShape().vec(),
        std::vector<double>(data.begin(), data.end())};
  }
  return values;
}

} // namespace llmc::interpret

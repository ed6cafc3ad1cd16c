// Initialisation and loading.
#include "runtime/executor/Parameters.h"

#include <algorithm>

namespace llmc::rt {

static TensorMapping mappingOf(const plan::Parameter &parameter) {
  TensorMapping mapping;
  mapping.file = parameter.file()->str();
  mapping.fileShape.assign(parameter.file_shape()->begin(),
                           parameter.file_shape()->end());
  mapping.transposed = parameter.transposed();
  mapping.outOffset = parameter.file_offset();
  mapping.out = parameter.out();
  mapping.in = parameter.in();
  return mapping;
}

Parameters Parameters::of(const plan::Plan &plan, const Program &program) {
  Parameters result;
  OptimizerSlot slots[] = {
      {"moment1.", {}}, {"moment2.", {}}, {"momentum.", {}}};
  for (const plan::Parameter *parameter : *plan.parameters()) {
    TensorMapping mapping = mappingOf(*parameter);
    for (const plan::StateBuffer *buffer : *parameter->buffers()) {
      std::string role = buffer->role()->str();
      TensorRef ref{mapping,
                    reinterpret_cast<float *>(program.address(*buffer->ref()))};
      if (role == "parameter")
        result.all.weights.push_back(ref);
      for (OptimizerSlot &slot : slots)
        if (slot.prefix == role + ".")
          slot.tensors.push_back(ref);
    }
    result.initialisations.push_back({parameter->init(), parameter->std()});
  }
  for (OptimizerSlot &slot : slots)
    if (!slot.tensors.empty())
      result.all.optimizer.push_back(std::move(slot));
  return result;
}

uint64_t Parameters::elements() const {
  uint64_t sum = 0;
  for (const TensorRef &weight : all.weights)
    sum += uint64_t(weight.mapping.elements());
  return sum;
}

/// Elements that one thread fills at a time.
static constexpr int64_t chunkElements = int64_t(1) << 16;

static void fillNormal(const TensorRef &weight, uint64_t seed, double std) {
  const TensorMapping &whole = weight.mapping;
  int64_t rows = std::max<int64_t>(1, chunkElements / whole.in);
#pragma omp parallel for schedule(dynamic)
  for (int64_t row = 0; row < whole.out; row += rows) {
    TensorMapping part = whole;
    part.outOffset += row;
    part.out = std::min(rows, whole.out - row);
    initialiseNormal(part, seed, std, weight.data + row * whole.in);
  }
}

void Parameters::initialise(uint64_t seed) {
  for (size_t i = 0; i < all.weights.size(); ++i) {
    const TensorRef &weight = all.weights[i];
    switch (initialisations[i].kind) {
    case plan::InitKind::zeros:
      std::fill_n(weight.data, weight.mapping.elements(), 0.0f);
      break;
    case plan::InitKind::ones:
      std::fill_n(weight.data, weight.mapping.elements(), 1.0f);
      break;
    case plan::InitKind::normal:
      fillNormal(weight, seed, initialisations[i].std);
      break;
    }
  }
}

Status Parameters::loadWeights(const std::string &path,
                               const std::string &prefix,
                               const std::vector<std::string> &buffers) {
  Expected<WeightsFile> file = WeightsFile::open(path, prefix);
  if (!file)
    return file.takeStatus();
  return readTensors(*file, "", all.weights, buffers);
}

Status Parameters::loadCheckpointWeights(const std::string &checkpoint) {
  return loadWeights(checkpoint, "", {});
}

} // namespace llmc::rt

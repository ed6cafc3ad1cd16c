// How a tensor in memory lies in a tensor of a weights file.
#ifndef LLMC_RUNTIME_CHECKPOINT_TENSORMAPPING_H
#define LLMC_RUNTIME_CHECKPOINT_TENSORMAPPING_H

#include "runtime/checkpoint/WeightsFile.h"

namespace llmc::rt {

/// A tensor in memory is a row-major matrix (out, in), a vector being one with
/// in = 1. It is the slice [outOffset, outOffset + out) along the out axis of a
/// file tensor stored as (out, in), or as (in, out) if `transposed`.
struct TensorMapping {
  std::string file;
  std::vector<int64_t> fileShape;
  bool transposed = false;
  int64_t outOffset = 0;
  int64_t out = 0, in = 1;

  /// Fails when the slice does not lie in the file tensor.
  Status check() const;
  /// The rows of the whole file tensor along the out axis.
  int64_t fileOut() const {
    return transposed ? fileShape.back() : fileShape.front();
  }
  int64_t elements() const { return out * in; }
  /// The flat index in the file tensor of element `e` of the one in memory.
  int64_t fileIndexOf(int64_t e) const {
    int64_t row = outOffset + e / in, column = e % in;
    return transposed ? column * fileOut() + row : row * in + column;
  }
};

/// A mapped tensor and its memory.
struct TensorRef {
  TensorMapping mapping;
  float *data = nullptr;
};

/// File to memory.
void gather(const WeightView &view, const TensorMapping &mapping, float *out);

/// Reads every tensor; `prefix` stands before the names of the file. What is
/// missing or differs is reported as WeightsFile::check does, before anything
/// is read.
Status readTensors(const WeightsFile &weights, const std::string &prefix,
                   const std::vector<TensorRef> &tensors,
                   const std::vector<std::string> &buffers = {});

/// The file tensors that the slices form, sorted by name. Fails when the slices
/// of a file tensor do not cover it exactly once or disagree about it.
Expected<std::vector<NamedShape>>
fileTensors(const std::vector<TensorRef> &tensors);

/// Memory to file: appends file tensor `name`, made of its slices.
Status scatter(const std::string &name, const std::vector<TensorRef> &tensors,
               SafetensorsWriter &writer);

/// normal(0, stddev) from the seed, a function of the file tensor's name and
/// the element's place in it, whatever the slices and the layout in memory are.
void initialiseNormal(const TensorMapping &mapping, uint64_t seed,
                      double stddev, float *out);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_CHECKPOINT_TENSORMAPPING_H

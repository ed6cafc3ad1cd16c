// Writes weights as Hugging Face loaders expect them.
#ifndef LLMC_RUNTIME_CHECKPOINT_EXPORT_H
#define LLMC_RUNTIME_CHECKPOINT_EXPORT_H

#include "runtime/checkpoint/WeightsFile.h"

namespace llmc::rt {

/// More than this in all is written as shards of at most this.
inline constexpr uint64_t shardBytes = 5'000'000'000;

/// Writes all tensors as `type` into the directory: model.safetensors, or
/// model-0000K-of-0000N.safetensors with model.safetensors.index.json when they
/// have more than `limit` bytes. A single tensor is never cut.
Status exportWeights(const WeightsFile &weights, const std::string &directory,
                     FloatType type, uint64_t limit = shardBytes);

} // namespace llmc::rt

#endif // LLMC_RUNTIME_CHECKPOINT_EXPORT_H

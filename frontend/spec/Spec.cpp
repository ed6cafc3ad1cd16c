// The few computed values of a spec.
#include "frontend/spec/Spec.h"

namespace llmc::frontend {

const char *toString(Origin origin) {
  switch (origin) {
  case Origin::Default:
    return "default";
  case Origin::Library:
    return "library";
  case Origin::Config:
    return "config.json";
  case Origin::Include:
    return "include";
  case Origin::File:
    return "file";
  case Origin::Set:
    return "--set";
  }
  return "default";
}

std::optional<int64_t> TrainSection::steps() const {
  if (trainSteps)
    return trainSteps;
  if (!trainTokens || tokensPerStep() <= 0)
    return std::nullopt;
  // Rounded up without the sum that could overflow.
  return *trainTokens / tokensPerStep() + (*trainTokens % tokensPerStep() != 0);
}

SourceMark Spec::markOf(const std::string &key) const {
  for (std::string path = key;;) {
    auto it = origins.find(path);
    if (it != origins.end() && it->second.mark.valid())
      return it->second.mark;
    size_t dot = path.rfind('.');
    if (dot == std::string::npos)
      return {file, 1, 1};
    path.resize(dot);
  }
}

} // namespace llmc::frontend

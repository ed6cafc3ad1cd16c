// Opens what a run reads, so that a wrong path costs no compilation.
#include "tools/llmc/RunFiles.h"

#include "runtime/checkpoint/WeightsFile.h"
#include "runtime/data/PathList.h"
#include "runtime/data/TokenSource.h"
#include "runtime/data/ValidationReader.h"
#include "tools/llmc/Settings.h"

namespace llmc::tool {

static rt::Status checkTraining(const frontend::DataSource &data,
                                const rt::RunSettings &settings) {
  rt::Expected<std::vector<std::string>> paths = rt::expandPaths(data.paths);
  if (!paths)
    return paths.takeStatus();
  rt::Expected<rt::TokenSource> source =
      rt::TokenSource::open(*paths, settings.data.format);
  if (!source)
    return source.takeStatus();
  return source->checkHasWindow(uint64_t(settings.train.sequenceLength));
}

static rt::Status checkValidation(const frontend::DataSource &data,
                                  const rt::RunSettings &settings) {
  return rt::ValidationReader::open(data.paths, settings.data.format,
                                    settings.validate.windows,
                                    settings.batchOptions())
      .takeStatus();
}

static rt::Status checkWeights(const frontend::Architecture &arch,
                               const std::string &path,
                               const rt::RunSettings &settings) {
  rt::Expected<rt::WeightsFile> weights =
      rt::WeightsFile::open(path, settings.model.weightsPrefix);
  if (!weights)
    return weights.takeStatus();
  std::vector<rt::NamedShape> wanted;
  for (const frontend::TensorInfo &tensor : arch.tensors)
    wanted.push_back({tensor.name, tensor.shape});
  return weights->check(wanted, settings.model.weightsBuffers);
}

void checkRunFiles(const frontend::LoadedSpec &loaded, bool resumes,
                   frontend::DiagnosticList &diagnostics) {
  const frontend::Spec &spec = loaded.spec;
  const rt::RunSettings settings = settingsOf(loaded);
  auto report = [&](const char *key, const rt::Status &status) {
    if (!status)
      diagnostics.error(spec.markOf(key),
                        std::string(key) + ": " + status.message());
  };
  if (spec.data.train.empty())
    diagnostics.error(spec.markOf("data"),
                      "data.train is missing, expected files to train on");
  for (const frontend::DataSource &source : spec.data.train)
    report("data.train", checkTraining(source, settings));
  for (const frontend::DataSource &source : spec.data.validation)
    report("data.validation", checkValidation(source, settings));
  if (spec.model.weights && !resumes)
    report("model.weights",
           checkWeights(loaded.arch, *spec.model.weights, settings));
}

} // namespace llmc::tool

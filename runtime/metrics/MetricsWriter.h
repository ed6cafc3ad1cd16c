// Writes one JSON object a step, at once and without allocation.
#ifndef LLMC_RUNTIME_METRICS_METRICSWRITER_H
#define LLMC_RUNTIME_METRICS_METRICSWRITER_H

#include "runtime/base/Status.h"
#include "runtime/metrics/StepMetrics.h"

#include <string>
#include <string_view>

namespace llmc::rt {

/// Numbers are the shortest decimals that read back as the same double; those
/// that are not finite are the strings "nan", "inf" and "-inf".
class MetricsWriter {
public:
  /// Opens the file to append. Lines of steps beyond `finishedSteps` are cut,
  /// and so is a line that a crash left half written: 0 begins anew.
  static Expected<MetricsWriter> open(const std::string &path,
                                      int64_t finishedSteps);

  MetricsWriter(MetricsWriter &&other) noexcept;
  MetricsWriter &operator=(MetricsWriter &&) = delete;
  ~MetricsWriter();

  Status writeStep(const StepMetrics &metrics);
  Status writeValidation(int64_t step, double loss);

private:
  MetricsWriter(std::string path, int descriptor);
  Status writeLine(std::string_view line);

  std::string name;
  int descriptor;
};

} // namespace llmc::rt

#endif // LLMC_RUNTIME_METRICS_METRICSWRITER_H

// A run of the hand-built bundle in a directory of its own.
#ifndef LLMC_TEST_UNIT_RUNTIMEEXECUTOR_TRAININGRUN_H
#define LLMC_TEST_UNIT_RUNTIMEEXECUTOR_TRAININGRUN_H

#include "runtime/base/Json.h"
#include "runtime/checkpoint/WeightsFile.h"
#include "runtime/executor/Trainer.h"
#include "test/Support/UnigramBundle.h"

#include <fcntl.h>
#include <sstream>
#include <unistd.h>

namespace llmc::rt {

class TrainingRun {
public:
  explicit TrainingRun(int64_t microBatches = 3, uint32_t threads = 2)
      : plan(unigram::makePlan("cpu", threads, microBatches)),
        settings(unigram::makeSettings(dir, microBatches)) {
    unigram::writeBundle(dir, plan, settings);
  }

  /// Runs with the settings as they are now; the output goes to `output`.
  RunEnd run(RunOptions options = {}) {
    unigram::writeBundle(dir, plan, settings);
    Expected<Bundle> bundle = openBundle(dir.path("bundle"));
    if (!bundle)
      return {exitcode::wrong, bundle.message()};
    options.output =
        ::open(dir.path("output").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    RunEnd end = Trainer::run(std::move(*bundle), settings, options);
    ::close(options.output);
    return end;
  }

  std::string output() const { return readText(dir.path("output")); }

  /// The objects of metrics.jsonl.
  std::vector<Json> metrics() const {
    std::istringstream lines(readText(dir.path("run/metrics.jsonl")));
    std::vector<Json> result;
    for (std::string line; std::getline(lines, line);) {
      Expected<Json> json = parseJson(line, "metrics.jsonl");
      EXPECT_TRUE(json.ok()) << json.message();
      result.push_back(json ? *json : Json());
    }
    return result;
  }

  Json summary() const {
    Expected<Json> json = readJsonFile(dir.path("run/summary.json"));
    EXPECT_TRUE(json.ok()) << json.message();
    return json ? *json : Json();
  }

  /// The weights of a checkpoint.
  std::vector<float> weights(int64_t step) const {
    char name[64];
    std::snprintf(name, sizeof(name), "run/checkpoints/step_%08lld",
                  (long long)step);
    Expected<WeightsFile> file = WeightsFile::open(dir.path(name));
    EXPECT_TRUE(file.ok()) << file.message();
    std::vector<float> values(4);
    if (file)
      file->find("unigram.weight")->read(0, 4, values.data());
    return values;
  }

  TempDir dir;
  plan::PlanT plan;
  RunSettings settings;
};

} // namespace llmc::rt

#endif // LLMC_TEST_UNIT_RUNTIMEEXECUTOR_TRAININGRUN_H

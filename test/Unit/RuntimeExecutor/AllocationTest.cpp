// No step allocates after the first one: counted by a preloaded library.
#include "test/Unit/RuntimeExecutor/TrainingRun.h"

#include <climits>
#include <cstdlib>
#include <unistd.h>

namespace llmc::rt {
namespace {

/// Run by the test below, in a process of its own.
TEST(Allocations, DISABLED_Train) {
  TrainingRun run(3, unsigned(std::atoi(std::getenv("TEST_THREADS"))));
  run.settings.train.trainSteps = 30;
  run.settings.checkpoint.every = 10;
  run.settings.log.every = 1;
  run.settings.data.validation = {
      run.dir.write("v.u8", unigram::tokenBytes(300))};
  run.settings.validate.every = 5;
  RunOptions options;
  options.traceFile = run.dir.path("trace.json");
  options.checkFinite = true;
  RunEnd end = run.run(options);
  ASSERT_EQ(end.code, 0) << end.message;
}

TEST(Allocations, NoneInAStep) {
  char self[PATH_MAX] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
  for (const char *threads : {"1", "2", "4"}) {
    TempDir dir;
    // A runner that splits the tests must not split the one inside, too.
    std::string command = std::string("unset GTEST_TOTAL_SHARDS "
                                      "GTEST_SHARD_INDEX GTEST_OUTPUT; "
                                      "TEST_THREADS=") +
                          threads +
                          " LD_PRELOAD=" TEST_ALLOC_HOOK " ALLOC_HOOK_OUTPUT=" +
                          dir.path("hook") + " " + self +
                          " --gtest_also_run_disabled_tests --gtest_brief=1"
                          " --gtest_filter=Allocations.DISABLED_Train > " +
                          dir.path("log");
    ASSERT_EQ(std::system(command.c_str()), 0) << readText(dir.path("log"));
    std::istringstream lines(readText(dir.path("hook")));
    int steps = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("alloc-hook: step "))
        continue;
      // The first step grows what is kept, such as OpenMP's team.
      if (++steps > 1) {
        EXPECT_EQ(line, "alloc-hook: step 0 calls 0 bytes")
            << "step " << steps << " with " << threads << " threads";
      }
    }
    EXPECT_EQ(steps, 30);
  }
}

} // namespace
} // namespace llmc::rt

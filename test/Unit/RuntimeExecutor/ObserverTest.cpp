// Traces, and the search for the first number that is not finite.
#include "test/Unit/RuntimeExecutor/TrainingRun.h"

#include <limits>

namespace llmc::rt {
namespace {

TEST(Trace, HoldsEveryInstruction) {
  TrainingRun run;
  RunOptions options;
  options.traceFile = run.dir.path("trace.json");
  options.steps = 2;
  ASSERT_EQ(run.run(options).code, 0);
  Expected<Json> trace = readJsonFile(options.traceFile);
  ASSERT_TRUE(trace.ok()) << trace.message();
  const Json &events = (*trace)["traceEvents"];
  ASSERT_EQ(events.size(), 20u); // 10 a step
  EXPECT_EQ(events[0]["name"], "fill_zero");
  EXPECT_EQ(events[0]["args"]["when"], "first");
  EXPECT_EQ(events[0]["args"]["step"], 1);
  EXPECT_EQ(events[3]["cat"], "matmul");
  EXPECT_EQ(events[4]["args"]["micro_batch"], 1);
  EXPECT_EQ(events[4]["args"]["action"], "0FB1");
  EXPECT_EQ(events[4]["args"]["op"], "nn.op2");
  EXPECT_EQ(events[4]["args"]["layer"], 2);
  EXPECT_EQ(events[19]["name"], "descend");
  EXPECT_EQ(events[19]["args"]["step"], 2);
  double end = 0;
  for (const Json &event : events) {
    EXPECT_GE(event["ts"].get<double>(), end - 1e-3);
    end = event["ts"].get<double>() + event["dur"].get<double>();
  }
}

TEST(Trace, KeepsTheLastInstructions) {
  std::string bytes = unigram::pack(unigram::makePlan("null", 1, 1));
  Expected<const plan::Plan *> plan = checkPlan(bytes, "plan.bin");
  ASSERT_TRUE(plan.ok());
  Trace trace(**plan, 3);
  const plan::Block &block = *(*plan)->blocks()->Get(0);
  const plan::Action &action = *(*plan)->entries()->Get(0)->actions()->Get(0);
  for (int i = 0; i < 5; ++i) {
    trace.beginStep(i);
    trace.before();
    trace.after({block.instructions()->Get(0), {}}, action);
  }
  TempDir dir;
  ASSERT_TRUE(trace.write(dir.path("t.json")).ok());
  Expected<Json> json = readJsonFile(dir.path("t.json"));
  ASSERT_TRUE(json.ok());
  ASSERT_EQ((*json)["traceEvents"].size(), 3u);
  EXPECT_EQ((*json)["traceEvents"][0]["args"]["step"], 2);
}

TEST(Trace, AFileThatCannotBeWrittenIsSaidBeforeTheRun) {
  TrainingRun run;
  RunOptions options;
  options.traceFile = run.dir.path("no/such/folder/trace.json");
  RunEnd end = run.run(options);
  EXPECT_EQ(end.code, exitcode::wrong);
  EXPECT_TRUE(contains(end.message, "trace.json")) << end.message;
  EXPECT_FALSE(std::filesystem::exists(run.dir.path("run")));
}

TEST(FiniteCheck, NamesOpLayerAndLine) {
  TrainingRun run;
  run.settings.train.schedule.lr = std::numeric_limits<double>::max();
  RunOptions options;
  options.checkFinite = true;
  RunEnd end = run.run(options);
  EXPECT_EQ(end.code, exitcode::policy);
  // The update of step 1 makes the weights infinite.
  EXPECT_TRUE(contains(end.message, "step 1: loss ")) << end.message;
  EXPECT_TRUE(contains(end.message, "inf at element ") &&
              contains(end.message,
                       "of output 0 of kernel 'descend', op nn.op5, layer 5, "
                       "spec.yaml:15: unigram, action 0U"))
      << end.message;
}

TEST(FiniteCheck, IsSilentOnGoodRuns) {
  TrainingRun run;
  RunOptions options;
  options.checkFinite = true;
  RunEnd end = run.run(options);
  EXPECT_EQ(end.code, 0) << end.message;
}

} // namespace
} // namespace llmc::rt

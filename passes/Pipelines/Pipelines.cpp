// The named pipelines: the way of a spec, from the nn level to exec.
#include "passes/Pipelines/Pipelines.h"

#include "passes/Dist/Passes.h"
#include "passes/Exec/Passes.h"
#include "passes/Nn/Passes.h"
#include "passes/Pipe/Passes.h"

using namespace mlir;

namespace llmc {

void buildNnPipeline(OpPassManager &pm, const PipelineOptions &) {
  pm.addPass(nn::createNnVerifyModel());
  pm.addPass(nn::createNnGenerateBackward());
  pm.addPass(nn::createNnVerifyStep());
}

void buildPlanPipeline(OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(dist::createDistImportPlan());
  // Structure: closed fragments and their order.
  pipe::PipeSplitStagesOptions split;
  split.microbatches = options.microbatches;
  pm.addPass(pipe::createPipeSplitStages(split));
  pipe::PipeBuildScheduleOptions schedule;
  schedule.kind = options.schedule;
  pm.addPass(pipe::createPipeBuildSchedule(schedule));
  pm.addPass(pipe::createPipeVerifySchedule());
  // Local programs, once per fragment.
  pm.addPass(dist::createDistConvertGlobalToLocal());
  pm.addPass(dist::createDistFormBuckets());
  pm.addPass(dist::createDistVerifyLocal());
}

void buildExecPipeline(OpPassManager &pm, const PipelineOptions &options) {
  exec::ExecFormDispatchesPassOptions dispatches;
  dispatches.target = options.target;
  pm.addPass(exec::createExecFormDispatchesPass(dispatches));
  pm.addPass(exec::createConvertToExecPass());
  ExecSizeWorkspacePassOptions workspace;
  workspace.threads = options.threads;
  pm.addPass(createExecSizeWorkspacePass(workspace));
  pm.addPass(exec::createExecPlanMemoryPass());
  pm.addPass(exec::createExecVerifyPass());
}

void buildCompilePipeline(OpPassManager &pm, const PipelineOptions &options) {
  buildNnPipeline(pm, options);
  buildPlanPipeline(pm, options);
  buildExecPipeline(pm, options);
}

void registerPipelines() {
  PassPipelineRegistration<PipelineOptions>(
      "llmc-nn", "from the forward graph to a checked step", buildNnPipeline);
  PassPipelineRegistration<PipelineOptions>(
      "llmc-plan", "from a checked step to local functions on buckets",
      buildPlanPipeline);
  PassPipelineRegistration<PipelineOptions>(
      "llmc-exec", "from local functions to a planned, verified program",
      buildExecPipeline);
  PassPipelineRegistration<PipelineOptions>(
      "llmc-compile", "everything from the forward graph to the program",
      buildCompilePipeline);
}

} // namespace llmc

// The named pipelines: the way of a spec, from the nn level to exec.
#ifndef LLMC_PASSES_PIPELINES_PIPELINES_H
#define LLMC_PASSES_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace llmc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Pipelines/Passes.h.inc"

/// What the pipelines need to know of a spec.
struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<int64_t> microbatches{*this, "microbatches",
                               llvm::cl::desc("micro-batches of a step"),
                               llvm::cl::init(1)};
  Option<std::string> schedule{*this, "schedule",
                               llvm::cl::desc("gpipe or 1f1b"),
                               llvm::cl::init("1f1b")};
  Option<std::string> target{*this, "target", llvm::cl::desc("cpu or null"),
                             llvm::cl::init("cpu")};
  Option<unsigned> threads{
      *this, "threads", llvm::cl::desc("threads of a rank"), llvm::cl::init(1)};
};

/// `llmc-nn`: from the forward graph to a checked step.
void buildNnPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);
/// `llmc-plan`: from a checked step to local functions on buckets.
void buildPlanPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);
/// `llmc-exec`: from local functions to a planned, verified program.
void buildExecPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);
/// `llmc-compile`: all three.
void buildCompilePipeline(mlir::OpPassManager &pm,
                          const PipelineOptions &options);

void registerPipelines();

} // namespace llmc

#endif // LLMC_PASSES_PIPELINES_PIPELINES_H

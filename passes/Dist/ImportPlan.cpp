// dist-import-plan: the mesh that the plan asks for.
#include "dialects/Dist/Dist.h"
#include "passes/Dist/Passes.h"

namespace llmc::dist {
#define GEN_PASS_DEF_DISTIMPORTPLAN
#include "passes/Dist/Passes.h.inc"
} // namespace llmc::dist

using namespace mlir;
using namespace llmc;
using namespace llmc::dist;

namespace {

struct ImportPlan : llmc::dist::impl::DistImportPlanBase<ImportPlan> {
  using DistImportPlanBase::DistImportPlanBase;

  void runOnOperation() override {
    if (failed(importPlan(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult importPlan(ModuleOp module);
};

} // namespace

LogicalResult ImportPlan::importPlan(ModuleOp module) {
  std::pair<StringRef, int64_t> degrees[] = {
      {"pp", pp.getValue()}, {"dp", dp.getValue()}, {"tp", tp.getValue()}};
  for (auto [axis, degree] : degrees)
    if (degree != 1)
      return module.emitError()
             << "found " << axis << " " << degree
             << ", which is not implemented yet, expected " << axis << " 1";
  for (auto mesh : module.getOps<MeshOp>())
    return mesh.emitOpError()
           << "found before the plan is imported, expected no mesh";
  if (module.lookupSymbol("m"))
    return module.emitError()
           << "found symbol '@m', expected the name free for the mesh";
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<int64_t> sizes = {pp, dp, tp};
  MeshOp::create(builder, module.getLoc(), "m",
                 builder.getStrArrayAttr({"pp", "dp", "tp"}), sizes);
  return success();
}

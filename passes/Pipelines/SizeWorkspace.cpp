// exec-size-workspace: the scratch of each matmul, asked of the library.
#include "dialects/Exec/Exec.h"
#include "passes/Pipelines/Pipelines.h"
#include "runtime/device/cpu/Matmul.h"

using namespace mlir;

namespace llmc {
#define GEN_PASS_DEF_EXECSIZEWORKSPACEPASS
#include "passes/Pipelines/Passes.h.inc"

static rt::MatmulDesc describe(exec::MatmulOp op) {
  rt::MatmulDesc desc;
  desc.m = op.getM();
  desc.n = op.getN();
  desc.k = op.getK();
  llvm::copy(op.getLhsStrides(), desc.lhsStrides.begin());
  llvm::copy(op.getRhsStrides(), desc.rhsStrides.begin());
  desc.accumulate = op.getAccumulate();
  desc.bias = bool(op.getBias());
  desc.addend = bool(op.getAddend());
  return desc;
}

namespace {
struct SizeWorkspace : impl::ExecSizeWorkspacePassBase<SizeWorkspace> {
  using ExecSizeWorkspacePassBase::ExecSizeWorkspacePassBase;

  void runOnOperation() override {
    // A model has few distinct products; each costs a query of some
    // milliseconds.
    std::vector<std::pair<rt::MatmulDesc, uint64_t>> known;
    WalkResult result = getOperation().walk([&](exec::MatmulOp op) {
      rt::MatmulDesc desc = describe(op);
      auto found = llvm::find_if(
          known, [&](const auto &each) { return each.first == desc; });
      if (found == known.end()) {
        auto bytes = rt::matmulWorkspaceBytes(desc, threads);
        if (!bytes) {
          op.emitError("internal: ") << bytes.message();
          return WalkResult::interrupt();
        }
        known.emplace_back(desc, *bytes);
        found = std::prev(known.end());
      }
      op.setWorkspace(found->second);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

} // namespace llmc

// One list of actions for each pipeline rank, and the live micro-batches.
// RUN: llmc-opt %s --pipe-build-schedule --pipe-verify-schedule | FileCheck %s
// RUN: llmc-opt %s --pass-pipeline='builtin.module(pipe-build-schedule{kind=gpipe},pipe-verify-schedule)' | FileCheck %s --check-prefix=GPIPE
// RUN: llmc-opt %S/Inputs/two-stages.mlir --pipe-build-schedule --pipe-verify-schedule | FileCheck %s --check-prefix=TWO
// RUN: llmc-opt %S/Inputs/evaluate.mlir --pipe-split-stages --pipe-build-schedule | FileCheck %s --check-prefix=EVALUATE

// CHECK: pipe.schedule {kind = "1f1b", live = array<i64: 1>, ranks = ["0F0 0B0 0F1 0B1 0F2 0B2 0U"]}
// GPIPE: pipe.schedule {kind = "gpipe", live = array<i64: 3>, ranks = ["0F0 0F1 0F2 0B0 0B1 0B2 0U"]}
dist.mesh @m [pp = 1]
pipe.program @train mesh @m microbatches 3 {
  pipe.fragment forward @F0 stage 0() {
    pipe.yield
  }
}

// TWO: pipe.schedule {kind = "1f1b", live = array<i64: 2, 1>, ranks = ["0F0 {{.*}} 0U", "1RECV_F0 {{.*}} 1U"]}

// A program that only evaluates needs no schedule.
// EVALUATE: pipe.program
// EVALUATE-NOT: pipe.schedule

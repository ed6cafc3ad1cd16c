// Schedules that cannot be built or are wrong.
// RUN: llmc-opt %s --pipe-verify-schedule --split-input-file --verify-diagnostics
// RUN: not llmc-opt %S/Inputs/two-stages.mlir --pass-pipeline='builtin.module(pipe-build-schedule{kind=zigzag})' 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not llmc-opt %S/Inputs/two-stages.mlir --pipe-build-schedule --pipe-build-schedule 2>&1 | FileCheck %s --check-prefix=TWICE

// Rejected: a kind of schedule that nobody knows.
// KIND: error: 'pipe.program' op found schedule 'zigzag', expected gpipe or 1f1b

// Rejected: a schedule for a program that has one.
// TWICE: error: 'pipe.schedule' op found before the schedule is built, expected none

// Rejected: a program that trains without a schedule.
dist.mesh @m [pp = 1]
// expected-error @below {{'pipe.program' op found no schedule, expected one}}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F0 stage 0() {
    pipe.yield
  }
}

// -----

// Rejected: an action that is none.
dist.mesh @m [pp = 1]
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F0 stage 0() {
    pipe.yield
  }
  // expected-error @below {{'pipe.schedule' op action 1: found '0Q0', expected F, B, U, SEND_F, RECV_F, SEND_B or RECV_B after the stage}}
  pipe.schedule {kind = "1f1b", live = array<i64: 1>, ranks = ["0F0 0Q0 0U"]}
}

// -----

// Rejected: work that is left out.
dist.mesh @m [pp = 1]
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F0 stage 0() {
    pipe.yield
  }
  // expected-error @below {{'pipe.schedule' op rank 0: found no 0B0, expected it once}}
  pipe.schedule {kind = "1f1b", live = array<i64: 1>, ranks = ["0F0 0U"]}
}

// -----

// Rejected: another number of live micro-batches than the lists need.
dist.mesh @m [pp = 1]
pipe.program @train mesh @m microbatches 2 {
  pipe.fragment forward @F0 stage 0() {
    pipe.yield
  }
  // expected-error @below {{'pipe.schedule' op found 1 live micro-batches on rank 0, expected 2}}
  pipe.schedule {kind = "gpipe", live = array<i64: 1>, ranks = ["0F0 0F1 0B0 0B1 0U"]}
}

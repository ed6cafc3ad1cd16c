// Each buffer is memory of its own: equal ones stay two, unused ones may go;
// equal views are one.
// RUN: llmc-opt %s --cse | FileCheck %s

// CHECK: %[[A:.*]] = exec.buffer @scratch {bytes = 64 : i64, value = "value"}
// CHECK-NEXT: %[[B:.*]] = exec.buffer @scratch {bytes = 64 : i64, value = "value"}
// CHECK-NEXT: %[[V:.*]] = exec.view %[[A]] {bytes = 16 : i64, offset = 0 : i64}
// CHECK-NEXT: exec.block
// CHECK-NEXT: exec.matmul(%[[V]], %[[V]]) -> %[[B]]
exec.program @p {
  exec.arena @scratch {role = scratch}
  %a = exec.buffer @scratch {bytes = 64 : i64, value = "value"}
  %b = exec.buffer @scratch {bytes = 64 : i64, value = "value"}
  %unused = exec.buffer @scratch {bytes = 64 : i64, value = "value"}
  %v = exec.view %a {offset = 0 : i64, bytes = 16 : i64}
  %w = exec.view %a {offset = 0 : i64, bytes = 16 : i64}
  exec.block @F0 {
    exec.matmul (%v, %w) -> %b {m = 2 : i64, n = 2 : i64, k = 2 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 2, 1>}
  }
}

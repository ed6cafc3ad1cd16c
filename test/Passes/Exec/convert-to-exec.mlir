// Where values lie, and what dispatches become.
// RUN: llmc-opt %s --exec-form-dispatches --convert-to-exec --split-input-file | FileCheck %s

!x = tensor<6x4x8xf32>
!P = !dist.bucket<@b, parameter, f32>

dist.bucket @b shard [] elements 72 padded 80 shard_elements 80
    decay_below 64 replicated_over_tp_from 72 {
  @w : tensor<8x8xf32> at 0
  @c : tensor<8xf32> at 64
}

// What the backward block reads lies in the slot, and so do the inputs of the
// micro-batch; what one block alone reads lies in scratch; parameters are views
// of their bucket.
// CHECK: exec.program @pp0 {
// CHECK-DAG: exec.arena @slot {role = slot}
// CHECK-DAG: exec.arena @scratch {role = scratch}
// CHECK-DAG: exec.arena @parameter {role = parameter}
// CHECK: %[[DATA:.*]] = exec.buffer @slot {bytes = 768 : i64, entry = "train_step", value = "data"}
// CHECK-NEXT: exec.input %[[DATA]] {entry = "train_step", role = "data", shape = array<i64: 6, 4, 8>}
// CHECK: %[[P:.*]] = exec.buffer @parameter {bytes = 320 : i64, value = "b.parameter"}
// CHECK: %[[SAVED:.*]] = exec.buffer @slot {bytes = 768 : i64, entry = "train_step", value = "saved"}
// CHECK: %[[W:.*]] = exec.view %[[P]] {bytes = 256 : i64, offset = 0 : i64}
// CHECK: %[[C:.*]] = exec.view %[[P]] {bytes = 32 : i64, offset = 256 : i64}
// CHECK: %[[H:.*]] = exec.buffer @scratch {bytes = 768 : i64, entry = "train_step", value = "layers.0.h"}
// CHECK: exec.block @F0 {
// CHECK-NEXT: exec.launch @gelu_6x4x8(%[[DATA]]) -> (%[[H]]) {layer = 0 : i64}
// CHECK-NEXT: exec.matmul(%[[H]], %[[W]]) bias(%[[C]]) add(%[[DATA]]) -> %[[SAVED]]
// CHECK-SAME: k = 8 : i64, layer = 0 : i64, lhs_strides = array<i64: 8, 1>, m = 24 : i64, n = 8 : i64, rhs_strides = array<i64: 1, 8>
// CHECK-NEXT: {{^ +[}]$}}
// CHECK-NEXT: exec.block @B0 {
// CHECK-NEXT: exec.launch @silu_6x4x8(%[[SAVED]]) -> (%{{.*}})
// CHECK-NEXT: {{^ +[}]$}}
// CHECK-NOT: dist.
dist.func forward @F0 stage 0(
    %x: !x {pipe.source = #pipe.source<input "data" 0>}, %p: !P)
    -> (!x {pipe.result = #pipe.result<saved>}) {
  %w, %c = dist.view %p [@w, @c] : !P -> tensor<8x8xf32>, tensor<8xf32>
  %h = nn.gelu %x {layer = 0 : i64} : (!x) -> !x loc("layers.0.h")
  %a = nn.contract %h, %w {indices = "tbc,dc->tbd", layer = 0 : i64} : (!x, tensor<8x8xf32>) -> !x
  %b = nn.add_bias %a, %c : (!x, tensor<8xf32>) -> !x
  %y = nn.add %x, %b : (!x, !x) -> !x
  dist.return %y : !x
}
dist.func backward @B0 stage 0(
    %y: !x {pipe.source = #pipe.source<saved @F0 0>})
    -> (!x {pipe.result = #pipe.result<saved>}) {
  %z = nn.silu %y : (!x) -> !x
  dist.return %z : !x
}

// -----

!x = tensor<6x4x8xf32>
!P = !dist.bucket<@b, parameter, f32>

dist.bucket @b shard [] elements 64 padded 64 shard_elements 64
    decay_below 64 replicated_over_tp_from 64 {
  @w : tensor<8x8xf32> at 0
}

// An elementwise kernel writes over a scratch operand of its type that dies
// there; not over a saved one, and not over one that is read later. The two
// gelus are two kernels: only one may work in place.
// CHECK: %[[A:.*]] = exec.buffer @scratch {{.*}}value = "a"
// CHECK: exec.kernel @[[INPLACE:gelu_6x4x8.*]](%{{.*}}aliases = array<i64: 0>
// CHECK: exec.kernel @[[COPY:gelu_6x4x8.*]](%{{.*}}aliases = array<i64: -1>
// CHECK: exec.block @F0 {
// CHECK-NEXT: exec.matmul(%{{.*}}, %{{.*}}) -> %[[A]]
// CHECK-NEXT: exec.launch @[[INPLACE]](%[[A]]) -> (%[[A]])
// CHECK-NEXT: exec.matmul(%[[A]], %{{.*}}) -> %[[C:[0-9]+]]
// CHECK-NEXT: exec.launch @[[COPY]](%[[C]]) -> (%[[D:[0-9]+]])
// CHECK-NEXT: exec.matmul(%[[C]], %{{.*}}) -> %[[E:[0-9]+]]
// CHECK-NEXT: exec.launch @multiply_6x4x8(%[[D]], %[[E]]) -> (%{{.*}})
dist.func forward @F0 stage 0(
    %x: !x {pipe.source = #pipe.source<input "data" 0>}, %p: !P)
    -> (!x {pipe.result = #pipe.result<saved>}) {
  %w = dist.view %p [@w] : !P -> tensor<8x8xf32>
  %a = nn.contract %x, %w {indices = "tbc,dc->tbd"} : (!x, tensor<8x8xf32>) -> !x loc("a")
  %b = nn.gelu %a : (!x) -> !x
  %c = nn.contract %b, %w {indices = "tbc,dc->tbd"} : (!x, tensor<8x8xf32>) -> !x
  %d = nn.gelu %c : (!x) -> !x
  %e = nn.contract %c, %w {indices = "tbc,dc->tbd"} : (!x, tensor<8x8xf32>) -> !x
  %y = nn.multiply %d, %e : (!x, !x) -> !x
  dist.return %y : !x
}

// -----

!x = tensor<6x4x8xf32>

// Kernels of equal content are one, wherever they came from; others with the
// same name get a number.
// CHECK: exec.kernel @gelu_6x4x8(
// CHECK: exec.kernel @gelu_6x4x8_v2(
// CHECK: nn.gelu %{{.*}} {exact}
// CHECK-NOT: exec.kernel
// CHECK: exec.block @F0 {
// CHECK-NEXT: exec.launch @gelu_6x4x8(%{{.*}}) -> (%{{.*}}) {layer = 0 : i64}
// CHECK-NEXT: exec.launch @gelu_6x4x8_v2(%{{.*}}) -> (%{{.*}}) {layer = 0 : i64}
// CHECK-NEXT: exec.launch @gelu_6x4x8(%{{.*}}) -> (%{{.*}}) {layer = 1 : i64}
dist.func forward @F0 stage 0(
    %x: !x {pipe.source = #pipe.source<input "data" 0>},
    %y: !x {pipe.source = #pipe.source<input "other" 1>},
    %z: !x {pipe.source = #pipe.source<input "third" 2>})
    -> (!x {pipe.result = #pipe.result<saved>}, !x {pipe.result = #pipe.result<saved>},
        !x {pipe.result = #pipe.result<saved>}) {
  %a = nn.gelu %x {layer = 0 : i64} : (!x) -> !x
  %b = nn.gelu %y {exact, layer = 0 : i64} : (!x) -> !x
  %c = nn.gelu %z {layer = 1 : i64} : (!x) -> !x
  dist.return %a, %b, %c : !x, !x, !x
}

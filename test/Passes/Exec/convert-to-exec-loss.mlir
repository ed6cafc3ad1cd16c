// The head and its loss, in chunks of rows whose logits stay within the limit.
// RUN: llmc-opt %s --exec-form-dispatches --convert-to-exec --split-input-file | FileCheck %s

!x = tensor<5x2x8xf32>
!w = tensor<10x8xf32>
!P = !dist.bucket<@head, parameter, f32>
!G = !dist.bucket<@head, gradient, f32>

dist.bucket @head shard [] elements 80 padded 80 shard_elements 80
    decay_below 80 replicated_over_tp_from 80 {
  @w : tensor<10x8xf32> at 0
}

// A row of logits is 2 x 10 x 4 = 80 bytes: 170 hold two rows, and five rows
// make chunks of 2, 2 and 1. All chunks share the logits; the first
// contribution to the weight is that of the first chunk.
// CHECK: %[[LOGITS:.*]] = exec.buffer @scratch {bytes = 160 : i64, {{.*}}value = "logits"}
// CHECK: %[[LOSSES:.*]] = exec.buffer @scratch {bytes = 40 : i64, {{.*}}value = "token losses"}
// CHECK-DAG: exec.view %[[X:.*]] {bytes = 128 : i64, offset = 0 : i64}
// CHECK-DAG: exec.view %[[X]] {bytes = 128 : i64, offset = 128 : i64}
// CHECK-DAG: exec.view %[[X]] {bytes = 64 : i64, offset = 256 : i64}
// CHECK-DAG: exec.view %[[LOGITS]] {bytes = 160 : i64, offset = 0 : i64}
// CHECK-DAG: exec.view %[[LOGITS]] {bytes = 80 : i64, offset = 0 : i64}
// CHECK-DAG: exec.view %[[LOSSES]] {bytes = 8 : i64, offset = 32 : i64}
// CHECK: exec.block @F0 {
// CHECK-NEXT: exec.matmul(%[[X0:.*]], %[[W:.*]]) -> %[[L0:[0-9]+]] {k = 8 : i64, {{.*}}m = 4 : i64, n = 10 : i64
// CHECK-NEXT: exec.launch @softmax_cross_entropy_2x2(%[[L0]], %{{.*}}, %{{.*}}) -> (%{{.*}}, %[[L0]])
// CHECK-NEXT: exec.matmul(%[[L0]], %[[W]]) -> %{{.*}} {k = 10 : i64, {{.*}}m = 4 : i64, n = 8 : i64
// CHECK-NEXT: exec.matmul(%[[L0]], %[[X0]]) -> %{{.*}} when first {k = 4 : i64
// CHECK-NEXT: exec.matmul(%[[L0]], %[[X0]]) -> %{{.*}} when not_first {accumulate, k = 4 : i64
// CHECK-NEXT: exec.matmul(%[[X1:.*]], %[[W]]) -> %[[L1:[0-9]+]]
// CHECK-NEXT: exec.launch @softmax_cross_entropy_2x2
// CHECK-NEXT: exec.matmul
// CHECK-NEXT: exec.matmul(%[[L1]], %[[X1]]) -> %{{.*}} {accumulate, k = 4 : i64
// CHECK-NEXT: exec.matmul(%[[X2:.*]], %[[W]]) -> %[[L2:[0-9]+]] {k = 8 : i64, {{.*}}m = 2 : i64
// CHECK-NEXT: exec.launch @softmax_cross_entropy_1x2
// CHECK-NEXT: exec.matmul
// CHECK-NEXT: exec.matmul(%[[L2]], %[[X2]]) -> %{{.*}} {accumulate, k = 2 : i64
// CHECK-NEXT: exec.launch @sum_5x2(%[[LOSSES]]) -> (%[[LOSS:.*]]) when first
// CHECK-NEXT: exec.launch @sum_5x2_add(%[[LOSSES]]) -> (%[[LOSS]]) when not_first
// CHECK-NEXT: {{^ +[}]$}}
dist.func forward @F0 stage 0(
    %x: !x {pipe.source = #pipe.source<input "data" 0>},
    %labels: tensor<5x2xi32> {pipe.source = #pipe.source<input "labels" 1>},
    %seed: f32 {pipe.source = #pipe.source<input "seed" 2>}, %p: !P, %g: !G)
    -> (f32 {pipe.result = #pipe.result<loss>}, !x {pipe.result = #pipe.result<saved>}) {
  %w = dist.view %p [@w] : !P -> !w
  %loss, %dx, %dw = nn.cross_entropy %x, %w, %labels, %seed {logits_limit = 170 : i64} : (!x, !w, tensor<5x2xi32>, f32) -> (f32, !x, !w)
  dist.accumulate %g [@w], %dw {first_in_microbatch} : !G, !w
  dist.return %loss, %dx : f32, !x
}

// -----

!x = tensor<5x2x8xf32>
!w = tensor<10x8xf32>
!P = !dist.bucket<@head, parameter, f32>

dist.bucket @head shard [] elements 80 padded 80 shard_elements 80
    decay_below 80 replicated_over_tp_from 80 {
  @w : tensor<10x8xf32> at 0
}

// A limit below one row means one row; an evaluation wants no gradients.
// CHECK: exec.buffer @scratch {bytes = 80 : i64, entry = "evaluate", value = "logits"}
// CHECK: exec.block @E0 {
// CHECK-COUNT-5: exec.launch @softmax_cross_entropy_1x2
// CHECK-NEXT: exec.launch @sum_5x2(
// CHECK-NEXT: exec.launch @sum_5x2_add(
// CHECK-NEXT: {{^ +[}]$}}
dist.func evaluate @E0 stage 0(
    %x: !x {pipe.source = #pipe.source<input "data" 0>},
    %labels: tensor<5x2xi32> {pipe.source = #pipe.source<input "labels" 1>},
    %seed: f32 {pipe.source = #pipe.source<input "seed" 2>}, %p: !P)
    -> (f32 {pipe.result = #pipe.result<loss>}) {
  %w = dist.view %p [@w] : !P -> !w
  %loss, %dx, %dw = nn.cross_entropy %x, %w, %labels, %seed {logits_limit = 4 : i64} : (!x, !w, tensor<5x2xi32>, f32) -> (f32, !x, !w)
  dist.return %loss : f32
}

// -----

!x = tensor<5x2x8xf32>
!w = tensor<10x8xf32>
!P = !dist.bucket<@head, parameter, f32>

dist.bucket @head shard [] elements 80 padded 80 shard_elements 80
    decay_below 80 replicated_over_tp_from 80 {
  @w : tensor<10x8xf32> at 0
}

// Without a limit, and with one that all rows fit: one chunk.
// CHECK: exec.buffer @scratch {bytes = 400 : i64, entry = "evaluate", value = "logits"}
// CHECK: exec.block @E0 {
// CHECK-NEXT: exec.matmul
// CHECK-NEXT: exec.launch @softmax_cross_entropy_5x2
// CHECK-NEXT: exec.launch @sum_5x2(
dist.func evaluate @E0 stage 0(
    %x: !x {pipe.source = #pipe.source<input "data" 0>},
    %labels: tensor<5x2xi32> {pipe.source = #pipe.source<input "labels" 1>},
    %seed: f32 {pipe.source = #pipe.source<input "seed" 2>}, %p: !P)
    -> (f32 {pipe.result = #pipe.result<loss>}) {
  %w = dist.view %p [@w] : !P -> !w
  %loss, %dx, %dw = nn.cross_entropy %x, %w, %labels, %seed {logits_limit = 400 : i64} : (!x, !w, tensor<5x2xi32>, f32) -> (f32, !x, !w)
  dist.return %loss : f32
}

// Contributions to gradients: the first of a step overwrites, others add.
// RUN: llmc-opt %s --exec-form-dispatches --convert-to-exec --split-input-file | FileCheck %s

!x = tensor<6x4x8xf32>
!G = !dist.bucket<@b, gradient, f32>

dist.bucket @b shard [] elements 64 padded 64 shard_elements 64
    decay_below 64 replicated_over_tp_from 64 {
  @w : tensor<8x8xf32> at 0
}

// A product writes into the bucket: over it in the first micro-batch; a second
// use of the parameter always adds.
// CHECK: %[[W1:.*]] = exec.view %[[G:.*]] {bytes = 256 : i64, offset = 0 : i64}
// CHECK: %[[W2:.*]] = exec.view %[[G]] {bytes = 256 : i64, offset = 0 : i64}
// CHECK: exec.block @B0 {
// CHECK-NEXT: exec.matmul(%[[D:.*]], %[[X:.*]]) -> %[[W1]] when first {k = 24
// CHECK-SAME: lhs_strides = array<i64: 1, 8>
// CHECK-SAME: rhs_strides = array<i64: 8, 1>
// CHECK-NEXT: exec.matmul(%[[D]], %[[X]]) -> %[[W1]] when not_first {accumulate,
// CHECK-NEXT: exec.matmul(%[[X]], %[[D]]) -> %[[W2]] {accumulate,
// CHECK-NEXT: {{^ +[}]$}}
dist.func backward @B0 stage 0(
    %x: !x {pipe.source = #pipe.source<input "data" 0>},
    %d: !x {pipe.source = #pipe.source<input "other" 1>}, %g: !G) {
  dist.accumulate_contract %g [@w], %d, %x {indices = "tbd,tbc->dc", first_in_microbatch} : !G, !x, !x
  dist.accumulate_contract %g [@w], %x, %d {indices = "tbd,tbc->dc"} : !G, !x, !x
  dist.return
}

// -----

!x = tensor<6x4x8xf32>
!G = !dist.bucket<@b, gradient, f32>

dist.bucket @b shard [] elements 8 padded 16 shard_elements 16
    decay_below 0 replicated_over_tp_from 8 {
  @c : tensor<8xf32> at 0
}

// A kernel writes into the bucket: two kernels of one body.
// CHECK: exec.kernel @sum_leading_8_add({{.*}}accumulate = array<i1: true>
// CHECK: exec.kernel @sum_leading_8({{.*}}accumulate = array<i1: false>
// CHECK: exec.block @B0 {
// CHECK-NEXT: exec.launch @sum_leading_8(%[[D:.*]]) -> (%[[C:.*]]) when first
// CHECK-NEXT: exec.launch @sum_leading_8_add(%[[D]]) -> (%[[C]]) when not_first
// CHECK-NEXT: {{^ +[}]$}}
dist.func backward @B0 stage 0(
    %d: !x {pipe.source = #pipe.source<input "data" 0>}, %g: !G) {
  %dc = nn.sum_leading %d : (!x) -> tensor<8xf32>
  dist.accumulate %g [@c], %dc {first_in_microbatch} : !G, tensor<8xf32>
  dist.return
}

// -----

!x = tensor<6x4x8xf32>
!G = !dist.bucket<@b, gradient, f32>

dist.bucket @b shard [] elements 192 padded 192 shard_elements 192
    decay_below 0 replicated_over_tp_from 192 {
  @s : tensor<6x4x8xf32> at 0
}

// An elementwise contribution does not write over its dying operand: its
// place is the bucket.
// CHECK: exec.kernel @multiply_6x4x8_add({{.*}}accumulate = array<i1: true>, aliases = array<i64: -1>
// CHECK: exec.launch @multiply_6x4x8(%[[A:.*]], %[[B:.*]]) -> (%[[S:.*]]) when first
// CHECK: exec.launch @multiply_6x4x8_add(%[[A]], %[[B]]) -> (%[[S]]) when not_first
dist.func backward @B0 stage 0(
    %d: !x {pipe.source = #pipe.source<input "data" 0>},
    %w: tensor<8x8xf32> {pipe.source = #pipe.source<input "other" 1>}, %g: !G) {
  %a = nn.contract %d, %w {indices = "tbc,dc->tbd"} : (!x, tensor<8x8xf32>) -> !x
  %ds = nn.multiply %a, %d : (!x, !x) -> !x
  dist.accumulate %g [@s], %ds {first_in_microbatch} : !G, !x
  dist.return
}

// -----

!x = tensor<6x4x8xf32>
!G = !dist.bucket<@b, gradient, f32>

dist.bucket @b shard [] elements 200 padded 208 shard_elements 208
    decay_below 0 replicated_over_tp_from 200 {
  @s : tensor<6x4x8xf32> at 0
  @c : tensor<8xf32> at 192
}

// A value that others read too, and one that no kernel of this block made, are
// copied in the first micro-batch and added in the others.
// CHECK: %[[V:.*]] = exec.buffer @scratch
// CHECK: exec.block @B0 {
// CHECK-NEXT: exec.launch @gelu_6x4x8(%[[D:.*]]) -> (%[[V]])
// CHECK-NEXT: exec.launch @copy_6x4x8(%[[V]]) -> (%[[S:.*]]) when first
// CHECK-NEXT: exec.launch @accumulate_6x4x8_add(%[[V]]) -> (%[[S]]) when not_first
// CHECK-NEXT: exec.launch @accumulate_6x4x8_add(%[[D]]) -> (%{{.*}}){{$}}
// CHECK-NEXT: exec.launch @sum_leading_8(%[[V]])
dist.func backward @B0 stage 0(
    %d: !x {pipe.source = #pipe.source<input "data" 0>}, %g: !G) {
  %v = nn.gelu %d : (!x) -> !x
  dist.accumulate %g [@s], %v {first_in_microbatch} : !G, !x
  dist.accumulate %g [@s], %d : !G, !x
  %dc = nn.sum_leading %v : (!x) -> tensor<8xf32>
  dist.accumulate %g [@c], %dc {first_in_microbatch} : !G, tensor<8xf32>
  dist.return
}

// -----

!x = tensor<6x4x8xf32>
!w = tensor<97x8xf32>
!P = !dist.bucket<@embedding, parameter, f32>
!G = !dist.bucket<@embedding, gradient, f32>

dist.bucket @embedding shard [] elements 776 padded 784 shard_elements 784
    decay_below 776 replicated_over_tp_from 776 {
  @wte : tensor<97x8xf32> at 0
}

// A tied weight: the head contributes first, in the forward block; the
// gradient of the embedding always adds, though its block comes first in the
// text.
// CHECK: exec.block @F0 {
// CHECK: exec.matmul(%{{.*}}, %{{.*}}) -> %{{.*}} when first {k = 24
// CHECK-NEXT: exec.matmul(%{{.*}}, %{{.*}}) -> %{{.*}} when not_first {accumulate, k = 24
// CHECK: exec.block @B0 {
// CHECK-NEXT: exec.launch @embedding_grad_97x8_add(%{{.*}}, %{{.*}}) -> (%{{.*}}){{$}}
// CHECK-NEXT: {{^ +[}]$}}
dist.func backward @B0 stage 0(
    %tokens: tensor<6x4xi32> {pipe.source = #pipe.source<input "tokens" 0>},
    %dx: !x {pipe.source = #pipe.source<saved @F0 1>}, %g: !G) {
  %dw = nn.embedding_grad %tokens, %dx : (tensor<6x4xi32>, !x) -> !w
  dist.accumulate %g [@wte], %dw : !G, !w
  dist.return
}
dist.func forward @F0 stage 0(
    %x: !x {pipe.source = #pipe.source<input "data" 0>},
    %labels: tensor<6x4xi32> {pipe.source = #pipe.source<input "labels" 1>},
    %seed: f32 {pipe.source = #pipe.source<input "seed" 2>}, %p: !P, %g: !G)
    -> (f32 {pipe.result = #pipe.result<loss>}, !x {pipe.result = #pipe.result<saved>}) {
  %w = dist.view %p [@wte] : !P -> !w
  %loss, %dx, %dw = nn.cross_entropy %x, %w, %labels, %seed : (!x, !w, tensor<6x4xi32>, f32) -> (f32, !x, !w)
  dist.accumulate %g [@wte], %dw {first_in_microbatch} : !G, !w
  dist.return %loss, %dx : f32, !x
}

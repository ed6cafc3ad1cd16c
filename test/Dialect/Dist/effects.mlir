// Reads and writes through a handle keep their order.
// RUN: llmc-opt %s --split-input-file --canonicalize --cse | FileCheck %s

nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}

// Two views on either side of a write are two values.
// CHECK-LABEL: dist.func forward @F0
// CHECK: %[[A:.*]] = dist.view
// CHECK: dist.accumulate
// CHECK: %[[B:.*]] = dist.view
// CHECK: dist.return %[[A]], %[[B]]
dist.func forward @F0 stage 0(%G: !dist.bucket<@l0, gradient, f32>, %d: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = dist.view %G [@g] : !dist.bucket<@l0, gradient, f32> -> tensor<8xf32>
  dist.accumulate %G [@g], %d : !dist.bucket<@l0, gradient, f32>, tensor<8xf32>
  %b = dist.view %G [@g] : !dist.bucket<@l0, gradient, f32> -> tensor<8xf32>
  dist.return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// -----

nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}

// Equal contributions both count.
// CHECK-LABEL: dist.func backward @B0
// CHECK-COUNT-2: dist.accumulate
dist.func backward @B0 stage 0(%G: !dist.bucket<@l0, gradient, f32>, %d: tensor<8xf32>) {
  dist.accumulate %G [@g], %d : !dist.bucket<@l0, gradient, f32>, tensor<8xf32>
  dist.accumulate %G [@g], %d : !dist.bucket<@l0, gradient, f32>, tensor<8xf32>
  dist.return
}

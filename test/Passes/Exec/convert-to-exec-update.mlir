// Norm, clip factor and updates of whole buckets.
// RUN: llmc-opt %s --exec-form-dispatches --convert-to-exec --split-input-file | FileCheck %s

dist.bucket @a shard [] elements 64 padded 64 shard_elements 64
    decay_below 64 replicated_over_tp_from 64 {
  @w : tensor<8x8xf32> at 0
}
dist.bucket @b shard [] elements 8 padded 16 shard_elements 16
    decay_below 0 replicated_over_tp_from 8 {
  @c : tensor<8xf32> at 0
}

// Each bucket gives a fixed number of partial sums, which one kernel adds in a
// fixed order. The clip factor and the decision to step are scalars.
// CHECK-DAG: exec.scalar %[[CLIP:.*]] {role = "clip"}
// CHECK-DAG: exec.scalar %[[INV:.*]] {role = "inv_scale"}
// CHECK-DAG: %[[GA:.*]] = exec.buffer @gradient {bytes = 256 : i64, value = "a.gradient"}
// CHECK-DAG: %[[GB:.*]] = exec.buffer @gradient {bytes = 64 : i64, value = "b.gradient"}
// CHECK: %[[ALL:.*]] = exec.buffer @scratch {bytes = 512 : i64, {{.*}}value = "norm partials"}
// CHECK: %[[P0:.*]] = exec.view %[[ALL]] {bytes = 256 : i64, offset = 0 : i64}
// CHECK: exec.kernel @norm_partials_64_64(%{{.*}}: tensor<64xf32>) -> tensor<64xf32>
// CHECK: %[[P1:.*]] = exec.view %[[ALL]] {bytes = 256 : i64, offset = 256 : i64}
// CHECK: exec.kernel @norm_partials_16_64(
// CHECK-DAG: exec.scalar %[[NORM:.*]] {role = "norm_squared"}
// CHECK-DAG: exec.scalar %[[FACTOR:.*]] {role = "factor"}
// CHECK-DAG: exec.scalar %[[OK:.*]] {role = "ok"}
// CHECK: exec.block @U0 {
// CHECK-NEXT: exec.launch @norm_partials_64_64(%[[GA]]) -> (%[[P0]])
// CHECK-NEXT: exec.launch @norm_partials_16_64(%[[GB]]) -> (%[[P1]])
// CHECK-NEXT: exec.launch @sum_128(%[[ALL]]) -> (%[[NORM]])
// CHECK-NEXT: exec.launch @clip_factor(%[[NORM]], %[[CLIP]], %[[INV]]) -> (%[[FACTOR]], %[[OK]])
// CHECK-NEXT: exec.launch @sgd_16(%{{.*}}, %[[GB]], %[[FACTOR]], %[[OK]], %{{.*}}) ->
dist.func update @U0 stage 0(
    %clip: f32 {pipe.source = #pipe.source<scalar "clip">},
    %inv: f32 {pipe.source = #pipe.source<scalar "inv_scale">},
    %lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %ga: !dist.bucket<@a, gradient, f32>, %gb: !dist.bucket<@b, gradient, f32>,
    %pb: !dist.bucket<@b, parameter, f32>) {
  %q = dist.norm_squared %ga, %gb : (!dist.bucket<@a, gradient, f32>, !dist.bucket<@b, gradient, f32>) -> f32
  %k, %ok = nn.clip_factor %q, %clip, %inv : (f32, f32, f32) -> (f32, i1)
  dist.sgd %pb, %gb, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.1 : f64}
      : !dist.bucket<@b, parameter, f32>, !dist.bucket<@b, gradient, f32>, f32, i1, f32
  dist.return
}

// -----

dist.bucket @a shard [] elements 72 padded 80 shard_elements 80
    decay_below 64 replicated_over_tp_from 72 {
  @w : tensor<8x8xf32> at 0
  @c : tensor<8xf32> at 64
}

// AdamW works on a bucket in place; the decay ends at the bucket's border.
// CHECK: %[[P:.*]] = exec.buffer @parameter {bytes = 320 : i64, value = "a.parameter"}
// CHECK: %[[G:.*]] = exec.buffer @gradient {bytes = 320 : i64, value = "a.gradient"}
// CHECK: %[[M:.*]] = exec.buffer @state {bytes = 320 : i64, value = "a.moment1"}
// CHECK: %[[V:.*]] = exec.buffer @state {bytes = 320 : i64, value = "a.moment2"}
// CHECK: exec.kernel @adamw_80({{.*}}aliases = array<i64: 0, 2, 3>
// CHECK-NEXT: nn.adamw_apply {{.*}} {beta1 = 9.000000e-01 : f64, beta2 = 0.949{{.*}}, decay_below = 64 : i64, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-01 : f64}
// CHECK: exec.state @w(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {roles = ["parameter", "gradient", "moment1", "moment2"]}
// CHECK: exec.launch @adamw_80(%[[P]], %[[G]], %[[M]], %[[V]], %{{.*}}) -> (%[[P]], %[[M]], %[[V]])
dist.func update @U0 stage 0(
    %k: f32 {pipe.source = #pipe.source<scalar "factor">},
    %ok: i1 {pipe.source = #pipe.source<scalar "ok">},
    %lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %t: i64 {pipe.source = #pipe.source<scalar "t">},
    %p: !dist.bucket<@a, parameter, f32>, %g: !dist.bucket<@a, gradient, f32>,
    %m: !dist.bucket<@a, moment1, f32>, %v: !dist.bucket<@a, moment2, f32>) {
  dist.adamw %p, %g, %m, %v, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
      eps = 1.0e-8 : f64, weight_decay = 0.1 : f64}
      : !dist.bucket<@a, parameter, f32>, !dist.bucket<@a, gradient, f32>,
        !dist.bucket<@a, moment1, f32>, !dist.bucket<@a, moment2, f32>, f32, i1, f32, i64
  dist.return
}

// -----

dist.bucket @a shard [] elements 64 padded 64 shard_elements 64
    decay_below 64 replicated_over_tp_from 64 {
  @w : tensor<8x8xf32> at 0
}

// Momentum is state of its own.
// CHECK: exec.kernel @sgd_momentum_64({{.*}}aliases = array<i64: 0, 5>
// CHECK: exec.state @w(%{{.*}}, %{{.*}}, %{{.*}}) {roles = ["parameter", "gradient", "momentum"]}
// CHECK: exec.launch @sgd_momentum_64(%[[P:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[M:.*]]) -> (%[[P]], %[[M]])
dist.func update @U0 stage 0(
    %k: f32 {pipe.source = #pipe.source<scalar "factor">},
    %ok: i1 {pipe.source = #pipe.source<scalar "ok">},
    %lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %p: !dist.bucket<@a, parameter, f32>, %g: !dist.bucket<@a, gradient, f32>,
    %m: !dist.bucket<@a, momentum, f32>) {
  dist.sgd %p, %g, %m, %k, %ok, %lr {momentum = 0.9 : f64, weight_decay = 0.1 : f64}
      : !dist.bucket<@a, parameter, f32>, !dist.bucket<@a, gradient, f32>,
        !dist.bucket<@a, momentum, f32>, f32, i1, f32
  dist.return
}

// -----

dist.bucket @a shard [] elements 64 padded 64 shard_elements 64
    decay_below 64 replicated_over_tp_from 64 {
  @w : tensor<8x8xf32> at 0
}

// Without momentum there is no state, and no arena for it.
// CHECK-NOT: exec.arena @state
// CHECK: exec.kernel @sgd_64({{.*}}aliases = array<i64: 0>
// CHECK: exec.state @w(%{{.*}}, %{{.*}}) {roles = ["parameter", "gradient"]}
// CHECK: exec.launch @sgd_64(%[[P:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) -> (%[[P]])
dist.func update @U0 stage 0(
    %k: f32 {pipe.source = #pipe.source<scalar "factor">},
    %ok: i1 {pipe.source = #pipe.source<scalar "ok">},
    %lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %p: !dist.bucket<@a, parameter, f32>, %g: !dist.bucket<@a, gradient, f32>) {
  dist.sgd %p, %g, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.1 : f64}
      : !dist.bucket<@a, parameter, f32>, !dist.bucket<@a, gradient, f32>, f32, i1, f32
  dist.return
}

// Parameters of a layer become entries of one bucket; functions read and write
// them through handles.
// RUN: llmc-opt %s --dist-form-buckets --dist-verify-local --split-input-file | FileCheck %s

dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @wte : tensor<5x8xf32> {group = "embedding", decay}
nn.parameter @l0.g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @l0.u : tensor<6x8xf32> {layer = 0 : i64, decay}
nn.parameter @l0.b : tensor<6xf32> {layer = 0 : i64}

// One bucket for each group and layer, in the order of first parameters.
// CHECK: dist.bucket @embedding shard [] elements 40 padded 48 shard_elements 48 decay_below 40 replicated_over_tp_from 40 {
// CHECK-NEXT: @wte : tensor<5x8xf32> at 0
// CHECK-NEXT: }
// Inside, the decay class first; each tensor aligned to 64 bytes.
// CHECK: dist.bucket @l0 shard [] elements 70 padded 80 shard_elements 80 decay_below 48 replicated_over_tp_from 70 {
// CHECK-NEXT: @l0.u : tensor<6x8xf32> at 0
// CHECK-NEXT: @l0.g : tensor<8xf32> at 48
// CHECK-NEXT: @l0.b : tensor<6xf32> at 64
// CHECK-NEXT: }

// Parameters become views of one handle for each bucket, in the order of
// arguments; other arguments keep their places.
// CHECK: dist.func forward @F0 stage 0(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<3x4x8xf32> {pipe.source = #pipe.source<input "data" 0>}, %[[P0:[a-z0-9]*]]: !dist.bucket<@embedding, parameter, f32>, %[[P1:[a-z0-9]*]]: !dist.bucket<@l0, parameter, f32>, %[[G0:[a-z0-9]*]]: !dist.bucket<@embedding, gradient, f32>)
// CHECK-SAME: -> (tensor<3x4x6xf32> {pipe.result = #pipe.result<saved>}) {
// CHECK-NEXT: %[[W:.*]] = dist.view %[[P0]] [@wte] : <@embedding, parameter, f32> -> tensor<5x8xf32>
// CHECK-NEXT: %[[V:.*]]:2 = dist.view %[[P1]] [@l0.b, @l0.u] : <@l0, parameter, f32> -> tensor<6xf32>, tensor<6x8xf32>
// CHECK-NEXT: %[[A:.*]] = nn.contract %[[X]], %[[V]]#1
// CHECK-NEXT: %[[Y:.*]] = nn.add_bias %[[A]], %[[V]]#0
// The first contribution in a micro-batch is marked.
// CHECK-NEXT: dist.accumulate %[[G0]][@wte], %[[W]] {direction = "backward", first_in_microbatch} : <@embedding, gradient, f32>, tensor<5x8xf32>
// CHECK-NEXT: dist.return %[[Y]]
dist.func forward @F0 stage 0(
    %b: tensor<6xf32> {pipe.source = #pipe.source<parameter @l0.b>},
    %x: tensor<3x4x8xf32> {pipe.source = #pipe.source<input "data" 0>},
    %u: tensor<6x8xf32> {pipe.source = #pipe.source<parameter @l0.u>},
    %w: tensor<5x8xf32> {pipe.source = #pipe.source<parameter @wte>})
    -> (tensor<3x4x6xf32> {pipe.result = #pipe.result<saved>}) {
  %a = nn.contract %x, %u {indices = "tbc,fc->tbf"} : (tensor<3x4x8xf32>, tensor<6x8xf32>) -> tensor<3x4x6xf32>
  %y = nn.add_bias %a, %b : (tensor<3x4x6xf32>, tensor<6xf32>) -> tensor<3x4x6xf32>
  nn.accumulate @wte, %w {direction = "backward"} : tensor<5x8xf32>
  dist.return %y : tensor<3x4x6xf32>
}

// CHECK: dist.func backward @B0 stage 0(
// CHECK-SAME: %[[Y:[a-z0-9]*]]: tensor<3x4x6xf32> {{{[^}]*}}}, %[[X:[a-z0-9]*]]: tensor<3x4x8xf32> {{{[^}]*}}}, %[[P0:[a-z0-9]*]]: !dist.bucket<@embedding, parameter, f32>, %[[G0:[a-z0-9]*]]: !dist.bucket<@embedding, gradient, f32>, %[[G1:[a-z0-9]*]]: !dist.bucket<@l0, gradient, f32>) {
dist.func backward @B0 stage 0(
    %y: tensor<3x4x6xf32> {pipe.source = #pipe.source<saved @F0 0>},
    %x: tensor<3x4x8xf32> {pipe.source = #pipe.source<input "data" 0>},
    %w: tensor<5x8xf32> {pipe.source = #pipe.source<parameter @wte>}) {
  // A weight gradient with one use is added by the contraction, where it stood.
  // CHECK: dist.accumulate_contract %[[G1]][@l0.u], %[[Y]], %[[X]] {direction = "backward", first_in_microbatch, indices = "tbf,tbc->fc", layer = 0 : i64} : <@l0, gradient, f32>, tensor<3x4x6xf32>, tensor<3x4x8xf32>
  // CHECK-NEXT: %[[DB:.*]] = nn.sum_leading %[[Y]]
  // CHECK-NEXT: dist.accumulate %[[G1]][@l0.b], %[[DB]] {direction = "backward", first_in_microbatch, layer = 0 : i64}
  %du = nn.contract %y, %x {indices = "tbf,tbc->fc", weight_gradient, direction = "backward", layer = 0 : i64} : (tensor<3x4x6xf32>, tensor<3x4x8xf32>) -> tensor<6x8xf32>
  %db = nn.sum_leading %y {weight_gradient, direction = "backward", layer = 0 : i64} : (tensor<3x4x6xf32>) -> tensor<6xf32>
  nn.accumulate @l0.b, %db {direction = "backward", layer = 0 : i64} : tensor<6xf32>
  nn.accumulate @l0.u, %du {direction = "backward", layer = 0 : i64} : tensor<6x8xf32>
  // A contraction that is used twice stays.
  // CHECK: %[[TWO:.*]] = nn.contract
  // CHECK: dist.accumulate %[[G1]][@l0.u], %[[TWO]] {direction = "backward"}
  // CHECK: dist.accumulate %[[G1]][@l0.u], %[[TWO]] {direction = "backward"}
  %two = nn.contract %y, %x {indices = "tbf,tbc->fc", weight_gradient, direction = "backward"} : (tensor<3x4x6xf32>, tensor<3x4x8xf32>) -> tensor<6x8xf32>
  nn.accumulate @l0.u, %two {direction = "backward"} : tensor<6x8xf32>
  nn.accumulate @l0.u, %two {direction = "backward"} : tensor<6x8xf32>
  %dg = nn.sum_leading %x {weight_gradient, direction = "backward"} : (tensor<3x4x8xf32>) -> tensor<8xf32>
  nn.accumulate @l0.g, %dg {direction = "backward"} : tensor<8xf32>
  // A later contribution to a parameter is not marked, not even in B0.
  // CHECK: dist.accumulate %[[G0]][@wte], %{{.*}} {direction = "backward"}
  nn.accumulate @wte, %w {direction = "backward"} : tensor<5x8xf32>
  dist.return
}

// One update for each bucket, with the decay of its decay class.
// CHECK: dist.func update @U0 stage 0(
// CHECK-SAME: %[[P0:[a-z0-9]*]]: !dist.bucket<@embedding, parameter, f32>, %[[G0:[a-z0-9]*]]: !dist.bucket<@embedding, gradient, f32>, %[[M0:[a-z0-9]*]]: !dist.bucket<@embedding, moment1, f32>, %[[V0:[a-z0-9]*]]: !dist.bucket<@embedding, moment2, f32>, %[[P1:[a-z0-9]*]]: !dist.bucket<@l0, parameter, f32>, %[[G1:[a-z0-9]*]]: !dist.bucket<@l0, gradient, f32>, %[[M1:[a-z0-9]*]]: !dist.bucket<@l0, moment1, f32>, %[[V1:[a-z0-9]*]]: !dist.bucket<@l0, moment2, f32>)
// CHECK: %[[S:.*]] = dist.norm_squared %[[G0]], %[[G1]] : (!dist.bucket<@embedding, gradient, f32>, !dist.bucket<@l0, gradient, f32>) -> f32
// CHECK: nn.clip_factor %[[S]]
// CHECK: dist.adamw %[[P0]], %[[G0]], %[[M0]], %[[V0]], {{.*}}weight_decay = 1.250000e-01
// CHECK: dist.adamw %[[P1]], %[[G1]], %[[M1]], %[[V1]], {{.*}}weight_decay = 2.500000e-01
// CHECK-NOT: adamw
// CHECK: dist.return
dist.func update @U0 stage 0(
    %lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %t: i64 {pipe.source = #pipe.source<scalar "t">}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.adamw @l0.g, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.adamw @wte, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.125 : f64} : f32, i1, f32, i64
  nn.adamw @l0.u, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.25 : f64} : f32, i1, f32, i64
  nn.adamw @l0.b, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  dist.return
}

// -----

// A bucket whose name is taken gets another; SGD takes a momentum handle where
// there is momentum.
// CHECK: dist.bucket @head.bucket
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @head : tensor<8xf32> {group = "head"}

// CHECK: dist.func update @U0
// CHECK-SAME: %[[P:[a-z0-9]*]]: !dist.bucket<@head.bucket, parameter, f32>, %[[G:[a-z0-9]*]]: !dist.bucket<@head.bucket, gradient, f32>, %[[M:[a-z0-9]*]]: !dist.bucket<@head.bucket, momentum, f32>)
// CHECK: dist.sgd %[[P]], %[[G]], %[[M]], %{{.*}}, %{{.*}}, %{{.*}} {momentum = 5.000000e-01 : f64
dist.func update @U0 stage 0(
    %lr: f32 {pipe.source = #pipe.source<scalar "lr">}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @head, %k, %ok, %lr {momentum = 0.5 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  dist.return
}

// -----

// Without momentum there is no state; without a use of the norm no norm.
// CHECK: dist.func update @U0
// CHECK-NOT: momentum, f32
// CHECK-NOT: norm_squared
// CHECK: dist.sgd %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {momentum = 0.000000e+00 : f64
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @w : tensor<8xf32> {group = "head"}
dist.func update @U0 stage 0(
    %lr: f32 {pipe.source = #pipe.source<scalar "lr">}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @w, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  dist.return
}

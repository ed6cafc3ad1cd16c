// Every op, attribute and type of the dist dialect survives its text form, its
// generic form and bytecode.
// RUN: llmc-opt %s | llmc-opt | FileCheck %s
// RUN: llmc-opt %s --mlir-print-op-generic | llmc-opt | FileCheck %s
// RUN: llmc-opt %s --verify-roundtrip | FileCheck %s

// CHECK: dist.mesh @m [pp = 2, dp = 4, tp = 2]
dist.mesh @m [pp = 2, dp = 4, tp = 2]
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}

// CHECK: dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
// CHECK-NEXT: @u : tensor<32x8xf32> at 0
// CHECK-NEXT: @g : tensor<8xf32> at 256
// CHECK-NEXT: }
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}

// Shardings annotate arguments and results of other dialects' ops.
// CHECK: nn.microbatch @annotated(%{{.*}}: tensor<6x4xf32> {dist.sharding = #dist.sharding<[{tp}, {dp}]>, nn.role = "data"})
nn.microbatch @annotated(%x: tensor<6x4xf32> {nn.role = "data", dist.sharding = #dist.sharding<[{tp}, {dp}]>}) {
  // CHECK: nn.relu %{{.*}} {dist.shardings = [#dist.sharding<[{tp, dp}, {}], unreduced {pp}>]}
  %0 = nn.relu %x {dist.shardings = [#dist.sharding<[{tp, dp}, {}], unreduced {pp}>]} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  // CHECK: dist.reshard %{{.*}} from <[{}, {dp}], unreduced max {tp}> to <[{}, {dp}]> : tensor<6x4xf32>
  %1 = dist.reshard %0 from <[{}, {dp}], unreduced max {tp}> to <[{}, {dp}]> : tensor<6x4xf32>
  nn.yield
}

// CHECK: dist.func forward @F0 stage 0(%{{.*}}: tensor<6x2xf32>, %{{.*}}: f32) -> tensor<6x2xf32> attributes {note = "x"} {
dist.func forward @F0 stage 0(%x: tensor<6x2xf32>, %s: f32) -> tensor<6x2xf32> attributes {note = "x"} {
  // CHECK: dist.all_gather %{{.*}} dim 0 axes [tp] : tensor<6x2xf32> -> tensor<12x2xf32>
  %0 = dist.all_gather %x dim 0 axes [tp] : tensor<6x2xf32> -> tensor<12x2xf32>
  // CHECK: dist.reduce_scatter %{{.*}} dim 0 axes [tp] : tensor<12x2xf32> -> tensor<6x2xf32>
  %1 = dist.reduce_scatter %0 dim 0 axes [tp] : tensor<12x2xf32> -> tensor<6x2xf32>
  // CHECK: dist.all_reduce %{{.*}} axes [dp, tp] : tensor<6x2xf32>
  %2 = dist.all_reduce %1 axes [dp, tp] : tensor<6x2xf32>
  // CHECK: dist.all_reduce %{{.*}} axes [tp] : f32
  %3 = dist.all_reduce %s axes [tp] : f32
  // CHECK: dist.return %{{.*}} : tensor<6x2xf32>
  dist.return %2 : tensor<6x2xf32>
}

// CHECK: dist.func backward @B0 stage 0(%[[X:.*]]: tensor<6x2x32xf32>, %[[Y:.*]]: tensor<6x2x8xf32>, %[[D:.*]]: tensor<8xf32>, %[[P:.*]]: !dist.bucket<@l0, parameter, f32>, %[[G:.*]]: !dist.bucket<@l0, gradient, f32, partial {dp}>)
dist.func backward @B0 stage 0(%x: tensor<6x2x32xf32>, %y: tensor<6x2x8xf32>, %d: tensor<8xf32>, %P: !dist.bucket<@l0, parameter, f32>, %G: !dist.bucket<@l0, gradient, f32, partial {dp}>) {
  // CHECK: %{{.*}}:2 = dist.view %[[P]] [@u, @g] : <@l0, parameter, f32> -> tensor<32x8xf32>, tensor<8xf32>
  %u, %g = dist.view %P [@u, @g] : !dist.bucket<@l0, parameter, f32> -> tensor<32x8xf32>, tensor<8xf32>
  // CHECK: dist.accumulate_contract %[[G]][@u], %[[X]], %[[Y]] {acc = f64, first_in_microbatch, indices = "tbf,tbc->fc"} : <@l0, gradient, f32, partial {dp}>, tensor<6x2x32xf32>, tensor<6x2x8xf32>
  dist.accumulate_contract %G [@u], %x, %y {indices = "tbf,tbc->fc", acc = f64, first_in_microbatch} : !dist.bucket<@l0, gradient, f32, partial {dp}>, tensor<6x2x32xf32>, tensor<6x2x8xf32>
  // CHECK: dist.accumulate %[[G]][@g], %[[D]] : <@l0, gradient, f32, partial {dp}>, tensor<8xf32>
  dist.accumulate %G [@g], %d : !dist.bucket<@l0, gradient, f32, partial {dp}>, tensor<8xf32>
  // CHECK: dist.when last_microbatch {
  dist.when last_microbatch {
    // CHECK: dist.all_reduce_in_place %[[G]][256 : 264] axes [tp] : !dist.bucket<@l0, gradient, f32, partial {dp}>
    dist.all_reduce_in_place %G [256 : 264] axes [tp] : !dist.bucket<@l0, gradient, f32, partial {dp}>
    // CHECK: dist.reduce_scatter_in_place %[[G]] axes [dp] : <@l0, gradient, f32, partial {dp}>
    dist.reduce_scatter_in_place %G axes [dp] : !dist.bucket<@l0, gradient, f32, partial {dp}>
  }
  // CHECK: dist.when not_first_microbatch {
  // CHECK-NEXT: }
  dist.when not_first_microbatch {
  }
  // CHECK: dist.return
  dist.return
}

// CHECK: dist.func update @U0 stage 0
dist.func update @U0 stage 0(%P: !dist.bucket<@l0, parameter, f32>, %G: !dist.shard<@l0, gradient, f32>, %M: !dist.shard<@l0, moment1, f32>, %V: !dist.shard<@l0, moment2, f32>, %k: f32, %ok: i1, %lr: f32, %t: i64) {
  // CHECK: dist.all_reduce_in_place %{{.*}} axes [pp] : !dist.shard<@l0, gradient, f32>
  dist.all_reduce_in_place %G axes [pp] : !dist.shard<@l0, gradient, f32>
  // CHECK: dist.norm_squared %{{.*}} {replicated_part_counts_when = "tp == 0"} : (!dist.shard<@l0, gradient, f32>) -> f32
  %q = dist.norm_squared %G {replicated_part_counts_when = "tp == 0"} : (!dist.shard<@l0, gradient, f32>) -> f32
  // CHECK: dist.adamw {{.*}} {beta1 = 5.000000e-01 : f64, beta2 = 2.500000e-01 : f64, eps = 1.000000e-08 : f64, range = #dist.range<dp * 80, 80>, weight_decay = 1.000000e-01 : f64}
  dist.adamw %P, %G, %M, %V, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.25 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64, range = #dist.range<dp * 80, 80>}
      : !dist.bucket<@l0, parameter, f32>, !dist.shard<@l0, gradient, f32>, !dist.shard<@l0, moment1, f32>, !dist.shard<@l0, moment2, f32>, f32, i1, f32, i64
  // CHECK: dist.all_gather_in_place %{{.*}} axes [dp] : <@l0, parameter, f32>
  dist.all_gather_in_place %P axes [dp] : !dist.bucket<@l0, parameter, f32>
  dist.return
}

// CHECK: dist.func update @U1 stage 1
dist.func update @U1 stage 1(%P: !dist.bucket<@l0, master, f32>, %G: !dist.bucket<@l0, gradient, f32>, %M: !dist.bucket<@l0, momentum, f32>, %k: f32, %ok: i1, %lr: f32) {
  // CHECK: dist.sgd %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {momentum = 5.000000e-01 : f64
  dist.sgd %P, %G, %M, %k, %ok, %lr {momentum = 0.5 : f64, weight_decay = 0.1 : f64} : !dist.bucket<@l0, master, f32>, !dist.bucket<@l0, gradient, f32>, !dist.bucket<@l0, momentum, f32>, f32, i1, f32
  // CHECK: dist.sgd %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {momentum = 0.000000e+00 : f64
  dist.sgd %P, %G, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.1 : f64} : !dist.bucket<@l0, master, f32>, !dist.bucket<@l0, gradient, f32>, f32, i1, f32
  dist.return
}

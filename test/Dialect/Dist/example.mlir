// The example of two layers under dp 2, tp 2, pp 2, ZeRO 1 and sequence
// parallel, at the local level: tensors of one rank (T/tp = 3, B/dp = 2,
// F/tp = 16). The text is the same on all (dp, tp) ranks of a stage. Saved are
// x, r and a; n, nf and h are computed again.
// RUN: llmc-opt %s --verify-roundtrip --pipe-verify-schedule --dist-verify-local | FileCheck %s
// RUN: llmc-interpret %s --microbatches 2 --equal-to %S/../Nn/example.mlir | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal

// CHECK: dist.bucket @l0 shard [dp] elements 264 padded 288 shard_elements 144 decay_below 256 replicated_over_tp_from 256 {
// CHECK-NEXT: @l0.u : tensor<16x8xf32> at 0
// CHECK-NEXT: @l0.v : tensor<8x16xf32> at 128
// CHECK-NEXT: @l0.g : tensor<8xf32> at 256
// CHECK-NEXT: }
// CHECK: dist.func backward @B0 stage 0
// CHECK: dist.accumulate_contract %[[G:.*]][@l0.v]
// CHECK: dist.when last_microbatch {
// CHECK-NEXT: dist.all_reduce_in_place %[[G]][256 : 264] axes [tp]
// CHECK-NEXT: dist.reduce_scatter_in_place %[[G]] axes [dp]
// CHECK: dist.func update @U0 stage 0
// CHECK: dist.adamw {{.*}}range = #dist.range<dp * 144, 144>

dist.mesh @m [pp = 2, dp = 2, tp = 2]
nn.parameter @l0.g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @l0.u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @l0.v : tensor<8x32xf32> {layer = 0 : i64, decay}
nn.parameter @l1.g : tensor<8xf32> {layer = 1 : i64}
nn.parameter @l1.u : tensor<32x8xf32> {layer = 1 : i64, decay}
nn.parameter @l1.v : tensor<8x32xf32> {layer = 1 : i64, decay}

// One layout for every role and type. The border between the shards, element
// 144, is inside v: decay and norm go by element range.
dist.bucket @l0 shard [dp] elements 264 padded 288 shard_elements 144
    decay_below 256 replicated_over_tp_from 256 {
  @l0.u : tensor<16x8xf32> at 0
  @l0.v : tensor<8x16xf32> at 128
  @l0.g : tensor<8xf32> at 256
}
dist.bucket @l1 shard [dp] elements 264 padded 288 shard_elements 144
    decay_below 256 replicated_over_tp_from 256 {
  @l1.u : tensor<16x8xf32> at 0
  @l1.v : tensor<8x16xf32> at 128
  @l1.g : tensor<8xf32> at 256
}

pipe.program @train mesh @m microbatches 2 {
  pipe.transfer @X0 from @F0 result 0 to @F1 : tensor<3x2x8xf32>
  pipe.transfer @X1 from @B1 result 0 to @B0 : tensor<3x2x8xf32>
  pipe.schedule {kind = "1f1b", live = array<i64: 2, 1>,
      ranks = ["0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1 0U",
               "1RECV_F0 1F0 1B0 1SEND_B0 1RECV_F1 1F1 1B1 1SEND_B1 1U"]}
}

dist.func forward @F0 stage 0(
    %x0: tensor<3x2x8xf32> {pipe.source = #pipe.source<input "data" 0>,
        dist.sharding = #dist.sharding<[{tp}, {dp}, {}]>},
    %P: !dist.bucket<@l0, parameter, f32>)
    -> (tensor<3x2x8xf32> {pipe.result = #pipe.result<transfer>},
        tensor<3x2x8xf32> {pipe.result = #pipe.result<saved>},
        tensor<3x2xf32> {pipe.result = #pipe.result<saved>},
        tensor<6x2x16xf32> {pipe.result = #pipe.result<saved>}) {
  %g, %u, %v = dist.view %P [@l0.g, @l0.u, @l0.v]
      : !dist.bucket<@l0, parameter, f32> -> tensor<8xf32>, tensor<16x8xf32>, tensor<8x16xf32>
  %r = nn.rms_stat %x0 {eps = 1.0e-5 : f64, layer = 0 : i64} : (tensor<3x2x8xf32>) -> tensor<3x2xf32>
  %n = nn.rms_apply %x0, %r, %g {layer = 0 : i64}
      : (tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<8xf32>) -> tensor<3x2x8xf32>
  %nf = dist.all_gather %n dim 0 axes [tp] {layer = 0 : i64} : tensor<3x2x8xf32> -> tensor<6x2x8xf32>
  %a = nn.contract %nf, %u {indices = "tbc,fc->tbf", layer = 0 : i64}
      : (tensor<6x2x8xf32>, tensor<16x8xf32>) -> tensor<6x2x16xf32>
  %h = nn.gelu %a {layer = 0 : i64} : (tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
  %p = nn.contract %h, %v {indices = "tbf,cf->tbc", layer = 0 : i64}
      : (tensor<6x2x16xf32>, tensor<8x16xf32>) -> tensor<6x2x8xf32>
  %d = dist.reduce_scatter %p dim 0 axes [tp] {layer = 0 : i64} : tensor<6x2x8xf32> -> tensor<3x2x8xf32>
  %x1 = nn.add %x0, %d {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64}
      : (tensor<3x2x8xf32>, tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
  dist.return %x1, %x0, %r, %a
      : tensor<3x2x8xf32>, tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<6x2x16xf32>
}

dist.func forward @F1 stage 1(
    %x1: tensor<3x2x8xf32> {pipe.source = #pipe.source<transfer @X0>},
    %y: tensor<3x2x8xf32> {pipe.source = #pipe.source<input "data" 1>,
        dist.sharding = #dist.sharding<[{tp}, {dp}, {}]>},
    %keep: tensor<3x2xi1> {pipe.source = #pipe.source<input "data" 2>,
        dist.sharding = #dist.sharding<[{tp}, {dp}]>},
    %seed: f32 {pipe.source = #pipe.source<input "seed" 3>},
    %P: !dist.bucket<@l1, parameter, f32>)
    -> (f32 {pipe.result = #pipe.result<loss>},
        tensor<3x2x8xf32> {pipe.result = #pipe.result<saved>},
        tensor<3x2xf32> {pipe.result = #pipe.result<saved>},
        tensor<6x2x16xf32> {pipe.result = #pipe.result<saved>},
        tensor<3x2x8xf32> {pipe.result = #pipe.result<saved>}) {
  %g, %u, %v = dist.view %P [@l1.g, @l1.u, @l1.v]
      : !dist.bucket<@l1, parameter, f32> -> tensor<8xf32>, tensor<16x8xf32>, tensor<8x16xf32>
  %r = nn.rms_stat %x1 {eps = 1.0e-5 : f64, layer = 1 : i64} : (tensor<3x2x8xf32>) -> tensor<3x2xf32>
  %n = nn.rms_apply %x1, %r, %g {layer = 1 : i64}
      : (tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<8xf32>) -> tensor<3x2x8xf32>
  %nf = dist.all_gather %n dim 0 axes [tp] {layer = 1 : i64} : tensor<3x2x8xf32> -> tensor<6x2x8xf32>
  %a = nn.contract %nf, %u {indices = "tbc,fc->tbf", layer = 1 : i64}
      : (tensor<6x2x8xf32>, tensor<16x8xf32>) -> tensor<6x2x16xf32>
  %h = nn.gelu %a {layer = 1 : i64} : (tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
  %p = nn.contract %h, %v {indices = "tbf,cf->tbc", layer = 1 : i64}
      : (tensor<6x2x16xf32>, tensor<8x16xf32>) -> tensor<6x2x8xf32>
  %d = dist.reduce_scatter %p dim 0 axes [tp] {layer = 1 : i64} : tensor<6x2x8xf32> -> tensor<3x2x8xf32>
  %x2 = nn.add %x1, %d {anchor = "residual", end_of_layer = 1 : i64, layer = 1 : i64}
      : (tensor<3x2x8xf32>, tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
  %loss, %e2 = nn.squared_error %x2, %y, %keep, %seed
      : (tensor<3x2x8xf32>, tensor<3x2x8xf32>, tensor<3x2xi1>, f32) -> (f32, tensor<3x2x8xf32>)
  dist.return %loss, %x1, %r, %a, %e2
      : f32, tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<6x2x16xf32>, tensor<3x2x8xf32>
}

dist.func backward @B1 stage 1(
    %x1: tensor<3x2x8xf32> {pipe.source = #pipe.source<saved @F1 1>},
    %r: tensor<3x2xf32> {pipe.source = #pipe.source<saved @F1 2>},
    %a: tensor<6x2x16xf32> {pipe.source = #pipe.source<saved @F1 3>},
    %e2: tensor<3x2x8xf32> {pipe.source = #pipe.source<saved @F1 4>},
    %P: !dist.bucket<@l1, parameter, f32>,
    %G: !dist.bucket<@l1, gradient, f32, partial {dp}>)
    -> (tensor<3x2x8xf32> {pipe.result = #pipe.result<transfer>}) {
  %g, %u, %v = dist.view %P [@l1.g, @l1.u, @l1.v]
      : !dist.bucket<@l1, parameter, f32> -> tensor<8xf32>, tensor<16x8xf32>, tensor<8x16xf32>
  %n = nn.rms_apply %x1, %r, %g {recompute, direction = "backward", layer = 1 : i64}
      : (tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<8xf32>) -> tensor<3x2x8xf32>
  %nf = dist.all_gather %n dim 0 axes [tp] {recompute, direction = "backward", layer = 1 : i64} : tensor<3x2x8xf32> -> tensor<6x2x8xf32>
  %h = nn.gelu %a {recompute, direction = "backward", layer = 1 : i64} : (tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
  %ef = dist.all_gather %e2 dim 0 axes [tp] {direction = "backward", layer = 1 : i64} : tensor<3x2x8xf32> -> tensor<6x2x8xf32>
  %dh = nn.contract %ef, %v {indices = "tbc,cf->tbf", direction = "backward", layer = 1 : i64}
      : (tensor<6x2x8xf32>, tensor<8x16xf32>) -> tensor<6x2x16xf32>
  dist.accumulate_contract %G [@l1.v], %ef, %h
      {indices = "tbc,tbf->cf", first_in_microbatch, direction = "backward", layer = 1 : i64}
      : !dist.bucket<@l1, gradient, f32, partial {dp}>, tensor<6x2x8xf32>, tensor<6x2x16xf32>
  %da = nn.gelu_input_grad %a, %dh {direction = "backward", layer = 1 : i64}
      : (tensor<6x2x16xf32>, tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
  dist.accumulate_contract %G [@l1.u], %da, %nf
      {indices = "tbf,tbc->fc", first_in_microbatch, direction = "backward", layer = 1 : i64}
      : !dist.bucket<@l1, gradient, f32, partial {dp}>, tensor<6x2x16xf32>, tensor<6x2x8xf32>
  %q = nn.contract %da, %u {indices = "tbf,fc->tbc", direction = "backward", layer = 1 : i64}
      : (tensor<6x2x16xf32>, tensor<16x8xf32>) -> tensor<6x2x8xf32>
  %dn = dist.reduce_scatter %q dim 0 axes [tp] {direction = "backward", layer = 1 : i64} : tensor<6x2x8xf32> -> tensor<3x2x8xf32>
  %dg = nn.rms_weight_grad %x1, %r, %dn {weight_gradient, direction = "backward", layer = 1 : i64}
      : (tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<3x2x8xf32>) -> tensor<8xf32>
  dist.accumulate %G [@l1.g], %dg {first_in_microbatch, direction = "backward", layer = 1 : i64}
      : !dist.bucket<@l1, gradient, f32, partial {dp}>, tensor<8xf32>
  %dx = nn.rms_input_grad %x1, %r, %g, %dn {direction = "backward", layer = 1 : i64}
      : (tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<8xf32>, tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
  %e1 = nn.add %e2, %dx {anchor = "residual", direction = "backward", layer = 1 : i64}
      : (tensor<3x2x8xf32>, tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
  dist.when last_microbatch {
    // The class that tp replicates.
    dist.all_reduce_in_place %G [256 : 264] axes [tp] : !dist.bucket<@l1, gradient, f32, partial {dp}>
    dist.reduce_scatter_in_place %G axes [dp] : !dist.bucket<@l1, gradient, f32, partial {dp}>
  }
  dist.return %e1 : tensor<3x2x8xf32>
}

dist.func backward @B0 stage 0(
    %e1: tensor<3x2x8xf32> {pipe.source = #pipe.source<transfer @X1>},
    %x0: tensor<3x2x8xf32> {pipe.source = #pipe.source<saved @F0 1>},
    %r: tensor<3x2xf32> {pipe.source = #pipe.source<saved @F0 2>},
    %a: tensor<6x2x16xf32> {pipe.source = #pipe.source<saved @F0 3>},
    %P: !dist.bucket<@l0, parameter, f32>,
    %G: !dist.bucket<@l0, gradient, f32, partial {dp}>) {
  %g, %u, %v = dist.view %P [@l0.g, @l0.u, @l0.v]
      : !dist.bucket<@l0, parameter, f32> -> tensor<8xf32>, tensor<16x8xf32>, tensor<8x16xf32>
  %n = nn.rms_apply %x0, %r, %g {recompute, direction = "backward", layer = 0 : i64}
      : (tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<8xf32>) -> tensor<3x2x8xf32>
  %nf = dist.all_gather %n dim 0 axes [tp] {recompute, direction = "backward", layer = 0 : i64} : tensor<3x2x8xf32> -> tensor<6x2x8xf32>
  %h = nn.gelu %a {recompute, direction = "backward", layer = 0 : i64} : (tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
  %ef = dist.all_gather %e1 dim 0 axes [tp] {direction = "backward", layer = 0 : i64} : tensor<3x2x8xf32> -> tensor<6x2x8xf32>
  %dh = nn.contract %ef, %v {indices = "tbc,cf->tbf", direction = "backward", layer = 0 : i64}
      : (tensor<6x2x8xf32>, tensor<8x16xf32>) -> tensor<6x2x16xf32>
  dist.accumulate_contract %G [@l0.v], %ef, %h
      {indices = "tbc,tbf->cf", first_in_microbatch, direction = "backward", layer = 0 : i64}
      : !dist.bucket<@l0, gradient, f32, partial {dp}>, tensor<6x2x8xf32>, tensor<6x2x16xf32>
  %da = nn.gelu_input_grad %a, %dh {direction = "backward", layer = 0 : i64}
      : (tensor<6x2x16xf32>, tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
  dist.accumulate_contract %G [@l0.u], %da, %nf
      {indices = "tbf,tbc->fc", first_in_microbatch, direction = "backward", layer = 0 : i64}
      : !dist.bucket<@l0, gradient, f32, partial {dp}>, tensor<6x2x16xf32>, tensor<6x2x8xf32>
  %q = nn.contract %da, %u {indices = "tbf,fc->tbc", direction = "backward", layer = 0 : i64}
      : (tensor<6x2x16xf32>, tensor<16x8xf32>) -> tensor<6x2x8xf32>
  %dn = dist.reduce_scatter %q dim 0 axes [tp] {direction = "backward", layer = 0 : i64} : tensor<6x2x8xf32> -> tensor<3x2x8xf32>
  %dg = nn.rms_weight_grad %x0, %r, %dn {weight_gradient, direction = "backward", layer = 0 : i64}
      : (tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<3x2x8xf32>) -> tensor<8xf32>
  dist.accumulate %G [@l0.g], %dg {first_in_microbatch, direction = "backward", layer = 0 : i64}
      : !dist.bucket<@l0, gradient, f32, partial {dp}>, tensor<8xf32>
  dist.when last_microbatch {
    // The class that tp replicates.
    dist.all_reduce_in_place %G [256 : 264] axes [tp] : !dist.bucket<@l0, gradient, f32, partial {dp}>
    dist.reduce_scatter_in_place %G axes [dp] : !dist.bucket<@l0, gradient, f32, partial {dp}>
  }
  dist.return
}

dist.func update @U0 stage 0(
    %lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %t: i64 {pipe.source = #pipe.source<scalar "t">},
    %clip: f32 {pipe.source = #pipe.source<scalar "clip">},
    %inv_scale: f32 {pipe.source = #pipe.source<scalar "inv_scale">},
    %P: !dist.bucket<@l0, parameter, f32>, %G: !dist.shard<@l0, gradient, f32>,
    %M: !dist.shard<@l0, moment1, f32>, %V: !dist.shard<@l0, moment2, f32>) {
  %q = dist.norm_squared %G {replicated_part_counts_when = "tp == 0"}
      : (!dist.shard<@l0, gradient, f32>) -> f32
  %n2 = dist.all_reduce %q axes [pp, dp, tp] : f32
  %k, %ok = nn.clip_factor %n2, %clip, %inv_scale
      : (f32, f32, f32) -> (f32, i1)
  dist.adamw %P, %G, %M, %V, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
      eps = 1.0e-8 : f64, weight_decay = 0.1 : f64,
      range = #dist.range<dp * 144, 144>}
      : !dist.bucket<@l0, parameter, f32>, !dist.shard<@l0, gradient, f32>,
        !dist.shard<@l0, moment1, f32>, !dist.shard<@l0, moment2, f32>, f32, i1, f32, i64
  dist.all_gather_in_place %P axes [dp] : !dist.bucket<@l0, parameter, f32>
  dist.return
}

dist.func update @U1 stage 1(
    %lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %t: i64 {pipe.source = #pipe.source<scalar "t">},
    %clip: f32 {pipe.source = #pipe.source<scalar "clip">},
    %inv_scale: f32 {pipe.source = #pipe.source<scalar "inv_scale">},
    %P: !dist.bucket<@l1, parameter, f32>, %G: !dist.shard<@l1, gradient, f32>,
    %M: !dist.shard<@l1, moment1, f32>, %V: !dist.shard<@l1, moment2, f32>) {
  %q = dist.norm_squared %G {replicated_part_counts_when = "tp == 0"}
      : (!dist.shard<@l1, gradient, f32>) -> f32
  %n2 = dist.all_reduce %q axes [pp, dp, tp] : f32
  %k, %ok = nn.clip_factor %n2, %clip, %inv_scale
      : (f32, f32, f32) -> (f32, i1)
  dist.adamw %P, %G, %M, %V, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
      eps = 1.0e-8 : f64, weight_decay = 0.1 : f64,
      range = #dist.range<dp * 144, 144>}
      : !dist.bucket<@l1, parameter, f32>, !dist.shard<@l1, gradient, f32>,
        !dist.shard<@l1, moment1, f32>, !dist.shard<@l1, moment2, f32>, f32, i1, f32, i64
  dist.all_gather_in_place %P axes [dp] : !dist.bucket<@l1, parameter, f32>
  dist.return
}

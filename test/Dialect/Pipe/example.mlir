// The example of two layers under dp 2, tp 2, pp 2 and sequence parallel, at
// the pipe level: global shapes with shardings, one closed fragment for each
// stage and kind. Shardings and reshards mean nothing to the numbers: the
// step is that of the nn level.
// RUN: llmc-opt %s --verify-roundtrip --pipe-verify-schedule | FileCheck %s
// RUN: llmc-interpret %s --microbatches 2 --equal-to %S/../Nn/example.mlir | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal

// CHECK: dist.mesh @m [pp = 2, dp = 2, tp = 2]
// CHECK: pipe.program @train mesh @m microbatches 2
// CHECK: pipe.fragment forward @F0 stage 0(%{{.*}}: tensor<6x4x8xf32> {dist.sharding = #dist.sharding<[{tp}, {dp}, {}]>, pipe.source = #pipe.source<input "data" 0>}
// CHECK: dist.reshard %{{.*}} from <[{}, {dp}, {}], unreduced {tp}> to <[{tp}, {dp}, {}]>
// CHECK: pipe.transfer @X0 from @F0 result 0 to @F1 : tensor<6x4x8xf32> sharded <[{tp}, {dp}, {}]>
// CHECK: pipe.fragment backward @B0 stage 0
// CHECK: nn.rms_weight_grad {{.*}}dist.shardings = [#dist.sharding<[{}], unreduced {dp, tp}>]
// CHECK: pipe.schedule {kind = "1f1b", live = array<i64: 2, 1>

#split = #dist.sharding<[{tp}, {dp}, {}]>
#rows = #dist.sharding<[{tp}, {dp}]>
#gathered = #dist.sharding<[{}, {dp}, {}]>
#features = #dist.sharding<[{}, {dp}, {tp}]>
#terms = #dist.sharding<[{}, {dp}, {}], unreduced {tp}>
#loss = #dist.sharding<[], unreduced {dp, tp}>
#whole1 = #dist.sharding<[{}]>
#out = #dist.sharding<[{tp}, {}]>
#in = #dist.sharding<[{}, {tp}]>
#dv = #dist.sharding<[{}, {tp}], unreduced {dp}>
#du = #dist.sharding<[{tp}, {}], unreduced {dp}>
#dg = #dist.sharding<[{}], unreduced {dp, tp}>

dist.mesh @m [pp = 2, dp = 2, tp = 2]
nn.parameter @l0.g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @l0.u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @l0.v : tensor<8x32xf32> {layer = 0 : i64, decay}
nn.parameter @l1.g : tensor<8xf32> {layer = 1 : i64}
nn.parameter @l1.u : tensor<32x8xf32> {layer = 1 : i64, decay}
nn.parameter @l1.v : tensor<8x32xf32> {layer = 1 : i64, decay}

pipe.program @train mesh @m microbatches 2 {
  pipe.fragment forward @F0 stage 0(
      %x0: tensor<6x4x8xf32> {pipe.source = #pipe.source<input "data" 0>, dist.sharding = #split},
      %g: tensor<8xf32> {pipe.source = #pipe.source<parameter @l0.g>, dist.sharding = #whole1},
      %u: tensor<32x8xf32> {pipe.source = #pipe.source<parameter @l0.u>, dist.sharding = #out},
      %v: tensor<8x32xf32> {pipe.source = #pipe.source<parameter @l0.v>, dist.sharding = #in})
      -> (tensor<6x4x8xf32> {pipe.result = #pipe.result<transfer>},
          tensor<6x4x8xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4x8xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4x8xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4x32xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4x32xf32> {pipe.result = #pipe.result<saved>}) {
    %r = nn.rms_stat %x0 {eps = 1.0e-5 : f64, layer = 0 : i64, dist.shardings = [#rows]}
        : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
    %n = nn.rms_apply %x0, %r, %g {layer = 0 : i64, dist.shardings = [#split]}
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
    // The tactic "tp" owns factor f of the contraction, so "sp" yields here.
    %nf = dist.reshard %n from #split to #gathered
        {layer = 0 : i64, dist.shardings = [#gathered]} : tensor<6x4x8xf32>
    %a = nn.contract %nf, %u {indices = "tbc,fc->tbf", layer = 0 : i64, dist.shardings = [#features]}
        : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
    %h = nn.gelu %a {layer = 0 : i64, dist.shardings = [#features]}
        : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    %p = nn.contract %h, %v {indices = "tbf,cf->tbc", layer = 0 : i64, dist.shardings = [#terms]}
        : (tensor<6x4x32xf32>, tensor<8x32xf32>) -> tensor<6x4x8xf32>
    // Will become a reduce-scatter.
    %d = dist.reshard %p from #terms to #split
        {layer = 0 : i64, dist.shardings = [#split]} : tensor<6x4x8xf32>
    %x1 = nn.add %x0, %d {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64, dist.shardings = [#split]}
        : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    pipe.yield %x1, %x0, %r, %n, %nf, %a, %h
        : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x32xf32>, tensor<6x4x32xf32>
  }
  // The same sharding on both sides: rank to rank, no copy.
  pipe.transfer @X0 from @F0 result 0 to @F1 : tensor<6x4x8xf32> sharded #split
  pipe.fragment forward @F1 stage 1(
      %x1: tensor<6x4x8xf32> {pipe.source = #pipe.source<transfer @X0>, dist.sharding = #split},
      %y: tensor<6x4x8xf32> {pipe.source = #pipe.source<input "data" 1>, dist.sharding = #split},
      %keep: tensor<6x4xi1> {pipe.source = #pipe.source<input "data" 2>, dist.sharding = #rows},
      %seed: f32 {pipe.source = #pipe.source<input "seed" 3>},
      %g: tensor<8xf32> {pipe.source = #pipe.source<parameter @l1.g>, dist.sharding = #whole1},
      %u: tensor<32x8xf32> {pipe.source = #pipe.source<parameter @l1.u>, dist.sharding = #out},
      %v: tensor<8x32xf32> {pipe.source = #pipe.source<parameter @l1.v>, dist.sharding = #in})
      -> (f32 {pipe.result = #pipe.result<loss>},
          tensor<6x4x8xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4x8xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4x8xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4x32xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4x32xf32> {pipe.result = #pipe.result<saved>},
          tensor<6x4x8xf32> {pipe.result = #pipe.result<saved>}) {
    %r = nn.rms_stat %x1 {eps = 1.0e-5 : f64, layer = 1 : i64, dist.shardings = [#rows]}
        : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
    %n = nn.rms_apply %x1, %r, %g {layer = 1 : i64, dist.shardings = [#split]}
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
    // The tactic "tp" owns factor f of the contraction, so "sp" yields here.
    %nf = dist.reshard %n from #split to #gathered
        {layer = 1 : i64, dist.shardings = [#gathered]} : tensor<6x4x8xf32>
    %a = nn.contract %nf, %u {indices = "tbc,fc->tbf", layer = 1 : i64, dist.shardings = [#features]}
        : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
    %h = nn.gelu %a {layer = 1 : i64, dist.shardings = [#features]}
        : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    %p = nn.contract %h, %v {indices = "tbf,cf->tbc", layer = 1 : i64, dist.shardings = [#terms]}
        : (tensor<6x4x32xf32>, tensor<8x32xf32>) -> tensor<6x4x8xf32>
    // Will become a reduce-scatter.
    %d = dist.reshard %p from #terms to #split
        {layer = 1 : i64, dist.shardings = [#split]} : tensor<6x4x8xf32>
    %x2 = nn.add %x1, %d {anchor = "residual", end_of_layer = 1 : i64, layer = 1 : i64, dist.shardings = [#split]}
        : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    %loss, %e2 = nn.squared_error %x2, %y, %keep, %seed
        {dist.shardings = [#loss, #split]}
        : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4x8xf32>)
    pipe.yield %loss, %x1, %r, %n, %nf, %a, %h, %e2
        : f32, tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x32xf32>, tensor<6x4x32xf32>, tensor<6x4x8xf32>
  }
  pipe.fragment backward @B1 stage 1(
      %x1: tensor<6x4x8xf32> {pipe.source = #pipe.source<saved @F1 1>, dist.sharding = #split},
      %r: tensor<6x4xf32> {pipe.source = #pipe.source<saved @F1 2>, dist.sharding = #rows},
      %n: tensor<6x4x8xf32> {pipe.source = #pipe.source<saved @F1 3>, dist.sharding = #split},
      %nf: tensor<6x4x8xf32> {pipe.source = #pipe.source<saved @F1 4>, dist.sharding = #gathered},
      %a: tensor<6x4x32xf32> {pipe.source = #pipe.source<saved @F1 5>, dist.sharding = #features},
      %h: tensor<6x4x32xf32> {pipe.source = #pipe.source<saved @F1 6>, dist.sharding = #features},
      %e2: tensor<6x4x8xf32> {pipe.source = #pipe.source<saved @F1 7>, dist.sharding = #split},
      %g: tensor<8xf32> {pipe.source = #pipe.source<parameter @l1.g>, dist.sharding = #whole1},
      %u: tensor<32x8xf32> {pipe.source = #pipe.source<parameter @l1.u>, dist.sharding = #out},
      %v: tensor<8x32xf32> {pipe.source = #pipe.source<parameter @l1.v>, dist.sharding = #in})
      -> (tensor<6x4x8xf32> {pipe.result = #pipe.result<transfer>}) {
    // Used by %dh and by %dv: one value.
    %ef = dist.reshard %e2 from #split to #gathered
        {direction = "backward", layer = 1 : i64, dist.shardings = [#gathered]} : tensor<6x4x8xf32>
    %dh = nn.contract %ef, %v {indices = "tbc,cf->tbf", direction = "backward", layer = 1 : i64, dist.shardings = [#features]}
        : (tensor<6x4x8xf32>, tensor<8x32xf32>) -> tensor<6x4x32xf32>
    %dv = nn.contract %ef, %h {indices = "tbc,tbf->cf", weight_gradient, direction = "backward", layer = 1 : i64, dist.shardings = [#dv]}
        : (tensor<6x4x8xf32>, tensor<6x4x32xf32>) -> tensor<8x32xf32>
    nn.accumulate @l1.v, %dv {direction = "backward", layer = 1 : i64} : tensor<8x32xf32>
    %da = nn.gelu_input_grad %a, %dh {direction = "backward", layer = 1 : i64, dist.shardings = [#features]}
        : (tensor<6x4x32xf32>, tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    %du = nn.contract %da, %nf {indices = "tbf,tbc->fc", weight_gradient, direction = "backward", layer = 1 : i64, dist.shardings = [#du]}
        : (tensor<6x4x32xf32>, tensor<6x4x8xf32>) -> tensor<32x8xf32>
    nn.accumulate @l1.u, %du {direction = "backward", layer = 1 : i64} : tensor<32x8xf32>
    %q = nn.contract %da, %u {indices = "tbf,fc->tbc", direction = "backward", layer = 1 : i64, dist.shardings = [#terms]}
        : (tensor<6x4x32xf32>, tensor<32x8xf32>) -> tensor<6x4x8xf32>
    %dn = dist.reshard %q from #terms to #split
        {direction = "backward", layer = 1 : i64, dist.shardings = [#split]} : tensor<6x4x8xf32>
    // Unreduced over tp too: sequence parallel splits t.
    %dg = nn.rms_weight_grad %x1, %r, %dn {weight_gradient, direction = "backward", layer = 1 : i64, dist.shardings = [#dg]}
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
    nn.accumulate @l1.g, %dg {direction = "backward", layer = 1 : i64} : tensor<8xf32>
    %dx = nn.rms_input_grad %x1, %r, %g, %dn {direction = "backward", layer = 1 : i64, dist.shardings = [#split]}
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    %e1 = nn.add %e2, %dx {anchor = "residual", direction = "backward", layer = 1 : i64, dist.shardings = [#split]}
        : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    pipe.yield %e1 : tensor<6x4x8xf32>
  }
  pipe.transfer @X1 from @B1 result 0 to @B0 : tensor<6x4x8xf32> sharded #split
  pipe.fragment backward @B0 stage 0(
      %e1: tensor<6x4x8xf32> {pipe.source = #pipe.source<transfer @X1>, dist.sharding = #split},
      %x0: tensor<6x4x8xf32> {pipe.source = #pipe.source<saved @F0 1>, dist.sharding = #split},
      %r: tensor<6x4xf32> {pipe.source = #pipe.source<saved @F0 2>, dist.sharding = #rows},
      %n: tensor<6x4x8xf32> {pipe.source = #pipe.source<saved @F0 3>, dist.sharding = #split},
      %nf: tensor<6x4x8xf32> {pipe.source = #pipe.source<saved @F0 4>, dist.sharding = #gathered},
      %a: tensor<6x4x32xf32> {pipe.source = #pipe.source<saved @F0 5>, dist.sharding = #features},
      %h: tensor<6x4x32xf32> {pipe.source = #pipe.source<saved @F0 6>, dist.sharding = #features},
      %u: tensor<32x8xf32> {pipe.source = #pipe.source<parameter @l0.u>, dist.sharding = #out},
      %v: tensor<8x32xf32> {pipe.source = #pipe.source<parameter @l0.v>, dist.sharding = #in}) {
    // Used by %dh and by %dv: one value.
    %ef = dist.reshard %e1 from #split to #gathered
        {direction = "backward", layer = 0 : i64, dist.shardings = [#gathered]} : tensor<6x4x8xf32>
    %dh = nn.contract %ef, %v {indices = "tbc,cf->tbf", direction = "backward", layer = 0 : i64, dist.shardings = [#features]}
        : (tensor<6x4x8xf32>, tensor<8x32xf32>) -> tensor<6x4x32xf32>
    %dv = nn.contract %ef, %h {indices = "tbc,tbf->cf", weight_gradient, direction = "backward", layer = 0 : i64, dist.shardings = [#dv]}
        : (tensor<6x4x8xf32>, tensor<6x4x32xf32>) -> tensor<8x32xf32>
    nn.accumulate @l0.v, %dv {direction = "backward", layer = 0 : i64} : tensor<8x32xf32>
    %da = nn.gelu_input_grad %a, %dh {direction = "backward", layer = 0 : i64, dist.shardings = [#features]}
        : (tensor<6x4x32xf32>, tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    %du = nn.contract %da, %nf {indices = "tbf,tbc->fc", weight_gradient, direction = "backward", layer = 0 : i64, dist.shardings = [#du]}
        : (tensor<6x4x32xf32>, tensor<6x4x8xf32>) -> tensor<32x8xf32>
    nn.accumulate @l0.u, %du {direction = "backward", layer = 0 : i64} : tensor<32x8xf32>
    %q = nn.contract %da, %u {indices = "tbf,fc->tbc", direction = "backward", layer = 0 : i64, dist.shardings = [#terms]}
        : (tensor<6x4x32xf32>, tensor<32x8xf32>) -> tensor<6x4x8xf32>
    %dn = dist.reshard %q from #terms to #split
        {direction = "backward", layer = 0 : i64, dist.shardings = [#split]} : tensor<6x4x8xf32>
    // Unreduced over tp too: sequence parallel splits t.
    %dg = nn.rms_weight_grad %x0, %r, %dn {weight_gradient, direction = "backward", layer = 0 : i64, dist.shardings = [#dg]}
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
    nn.accumulate @l0.g, %dg {direction = "backward", layer = 0 : i64} : tensor<8xf32>
    pipe.yield
  }
  pipe.fragment update @U0 stage 0(
      %lr: f32 {pipe.source = #pipe.source<scalar "lr">},
      %t: i64 {pipe.source = #pipe.source<scalar "t">},
      %clip: f32 {pipe.source = #pipe.source<scalar "clip">},
      %inv_scale: f32 {pipe.source = #pipe.source<scalar "inv_scale">}) {
    %s = nn.grad_norm_squared : f32
    %k, %ok = nn.clip_factor %s, %clip, %inv_scale
        : (f32, f32, f32) -> (f32, i1)
    nn.adamw @l0.g, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
        eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
    nn.adamw @l0.u, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
        eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
    nn.adamw @l0.v, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
        eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
    pipe.yield
  }
  pipe.fragment update @U1 stage 1(
      %lr: f32 {pipe.source = #pipe.source<scalar "lr">},
      %t: i64 {pipe.source = #pipe.source<scalar "t">},
      %clip: f32 {pipe.source = #pipe.source<scalar "clip">},
      %inv_scale: f32 {pipe.source = #pipe.source<scalar "inv_scale">}) {
    %s = nn.grad_norm_squared : f32
    %k, %ok = nn.clip_factor %s, %clip, %inv_scale
        : (f32, f32, f32) -> (f32, i1)
    nn.adamw @l1.g, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
        eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
    nn.adamw @l1.u, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
        eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
    nn.adamw @l1.v, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
        eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
    pipe.yield
  }
  pipe.schedule {kind = "1f1b", live = array<i64: 2, 1>,
      ranks = ["0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1 0U",
               "1RECV_F0 1F0 1B0 1SEND_B0 1RECV_F1 1F1 1B1 1SEND_B1 1U"]}
}

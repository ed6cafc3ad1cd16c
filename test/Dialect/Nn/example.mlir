// Two layers x + v gelu(u (rms(x) * g)) and a squared error: forward as the
// front end builds it, backward as `nn-generate-backward` appends it, update.
// T = 6, B = 4, C = 8, F = 32: every size differs, so a wrong axis shows.
// RUN: llmc-opt %s --verify-roundtrip --nn-verify-step | FileCheck %s
// RUN: llmc-opt %s > %t.written
// RUN: llmc-opt %S/Inputs/example-forward.mlir \
// RUN:   --pass-pipeline='builtin.module(nn-verify-model,nn-generate-backward,nn-verify-step)' \
// RUN:   > %t.generated
// RUN: diff %t.written %t.generated

// The residual stream and its cotangent.
// CHECK: %[[X1:.*]] = nn.add %{{.*}}, %{{.*}} {anchor = "residual", end_of_layer = 0 : i64
// CHECK: %[[X2:.*]] = nn.add %[[X1]], %{{.*}} {anchor = "residual", end_of_layer = 1 : i64
// CHECK: %[[LOSS:.*]], %[[E2:.*]] = nn.squared_error %[[X2]]
// CHECK: %[[DX1:.*]] = nn.rms_input_grad %[[X1]]
// CHECK: %[[E1:.*]] = nn.add %[[E2]], %[[DX1]] {anchor = "residual", direction = "backward"
// The input gradient of layer 0 is dead: nothing needs it.
// CHECK-NOT: nn.rms_input_grad
// CHECK: nn.yield %[[LOSS]] : f32

nn.parameter @l0.g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @l0.u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @l0.v : tensor<8x32xf32> {layer = 0 : i64, decay}
nn.parameter @l1.g : tensor<8xf32> {layer = 1 : i64}
nn.parameter @l1.u : tensor<32x8xf32> {layer = 1 : i64, decay}
nn.parameter @l1.v : tensor<8x32xf32> {layer = 1 : i64, decay}

nn.microbatch @train(%x0: tensor<6x4x8xf32> {nn.role = "data"},
                     %y: tensor<6x4x8xf32> {nn.role = "data"},
                     %keep: tensor<6x4xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  // Layer 0, forward.
  %g0 = nn.get @l0.g : tensor<8xf32>
  %u0 = nn.get @l0.u : tensor<32x8xf32>
  %v0 = nn.get @l0.v : tensor<8x32xf32>
  %r0 = nn.rms_stat %x0 {eps = 1.0e-5 : f64, layer = 0 : i64}
      : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
  %n0 = nn.rms_apply %x0, %r0, %g0 {layer = 0 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>)
      -> tensor<6x4x8xf32>
  %a0 = nn.contract %n0, %u0 {indices = "tbc,fc->tbf", layer = 0 : i64}
      : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  %h0 = nn.gelu %a0 {layer = 0 : i64}
      : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  %d0 = nn.contract %h0, %v0 {indices = "tbf,cf->tbc", layer = 0 : i64}
      : (tensor<6x4x32xf32>, tensor<8x32xf32>) -> tensor<6x4x8xf32>
  %x1 = nn.add %x0, %d0 {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // Layer 1, forward.
  %g1 = nn.get @l1.g : tensor<8xf32>
  %u1 = nn.get @l1.u : tensor<32x8xf32>
  %v1 = nn.get @l1.v : tensor<8x32xf32>
  %r1 = nn.rms_stat %x1 {eps = 1.0e-5 : f64, layer = 1 : i64}
      : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
  %n1 = nn.rms_apply %x1, %r1, %g1 {layer = 1 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>)
      -> tensor<6x4x8xf32>
  %a1 = nn.contract %n1, %u1 {indices = "tbc,fc->tbf", layer = 1 : i64}
      : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  %h1 = nn.gelu %a1 {layer = 1 : i64}
      : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  %d1 = nn.contract %h1, %v1 {indices = "tbf,cf->tbc", layer = 1 : i64}
      : (tensor<6x4x32xf32>, tensor<8x32xf32>) -> tensor<6x4x8xf32>
  %x2 = nn.add %x1, %d1 {anchor = "residual", end_of_layer = 1 : i64, layer = 1 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // The loss and its gradient; seed = loss_scale / counted rows of the step.
  %loss, %e2 = nn.squared_error %x2, %y, %keep, %seed
      : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xi1>, f32)
      -> (f32, tensor<6x4x8xf32>)
  // Layer 1, backward.
  %dh1 = nn.contract %e2, %v1 {indices = "tbc,cf->tbf", direction = "backward", layer = 1 : i64}
      : (tensor<6x4x8xf32>, tensor<8x32xf32>) -> tensor<6x4x32xf32>
  %dv1 = nn.contract %e2, %h1
      {indices = "tbc,tbf->cf", weight_gradient, direction = "backward", layer = 1 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4x32xf32>) -> tensor<8x32xf32>
  nn.accumulate @l1.v, %dv1 {direction = "backward", layer = 1 : i64} : tensor<8x32xf32>
  %da1 = nn.gelu_input_grad %a1, %dh1 {direction = "backward", layer = 1 : i64}
      : (tensor<6x4x32xf32>, tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  %dn1 = nn.contract %da1, %u1 {indices = "tbf,fc->tbc", direction = "backward", layer = 1 : i64}
      : (tensor<6x4x32xf32>, tensor<32x8xf32>) -> tensor<6x4x8xf32>
  %du1 = nn.contract %da1, %n1
      {indices = "tbf,tbc->fc", weight_gradient, direction = "backward", layer = 1 : i64}
      : (tensor<6x4x32xf32>, tensor<6x4x8xf32>) -> tensor<32x8xf32>
  nn.accumulate @l1.u, %du1 {direction = "backward", layer = 1 : i64} : tensor<32x8xf32>
  %dx1 = nn.rms_input_grad %x1, %r1, %g1, %dn1 {direction = "backward", layer = 1 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>)
      -> tensor<6x4x8xf32>
  %dg1 = nn.rms_weight_grad %x1, %r1, %dn1 {weight_gradient, direction = "backward", layer = 1 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
  nn.accumulate @l1.g, %dg1 {direction = "backward", layer = 1 : i64} : tensor<8xf32>
  %e1 = nn.add %e2, %dx1 {anchor = "residual", direction = "backward", layer = 1 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // Layer 0, backward.
  %dh0 = nn.contract %e1, %v0 {indices = "tbc,cf->tbf", direction = "backward", layer = 0 : i64}
      : (tensor<6x4x8xf32>, tensor<8x32xf32>) -> tensor<6x4x32xf32>
  %dv0 = nn.contract %e1, %h0
      {indices = "tbc,tbf->cf", weight_gradient, direction = "backward", layer = 0 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4x32xf32>) -> tensor<8x32xf32>
  nn.accumulate @l0.v, %dv0 {direction = "backward", layer = 0 : i64} : tensor<8x32xf32>
  %da0 = nn.gelu_input_grad %a0, %dh0 {direction = "backward", layer = 0 : i64}
      : (tensor<6x4x32xf32>, tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  %dn0 = nn.contract %da0, %u0 {indices = "tbf,fc->tbc", direction = "backward", layer = 0 : i64}
      : (tensor<6x4x32xf32>, tensor<32x8xf32>) -> tensor<6x4x8xf32>
  %du0 = nn.contract %da0, %n0
      {indices = "tbf,tbc->fc", weight_gradient, direction = "backward", layer = 0 : i64}
      : (tensor<6x4x32xf32>, tensor<6x4x8xf32>) -> tensor<32x8xf32>
  nn.accumulate @l0.u, %du0 {direction = "backward", layer = 0 : i64} : tensor<32x8xf32>
  %dg0 = nn.rms_weight_grad %x0, %r0, %dn0 {weight_gradient, direction = "backward", layer = 0 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
  nn.accumulate @l0.g, %dg0 {direction = "backward", layer = 0 : i64} : tensor<8xf32>
  nn.yield %loss : f32
}

nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"},
                %clip: f32 {nn.role = "clip"},
                %inv_scale: f32 {nn.role = "inv_scale"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %clip, %inv_scale
      : (f32, f32, f32) -> (f32, i1)
  nn.adamw @l0.g, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
      eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.adamw @l0.u, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
      eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
  nn.adamw @l0.v, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
      eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
  nn.adamw @l1.g, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
      eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.adamw @l1.u, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
      eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
  nn.adamw @l1.v, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64,
      eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
  nn.yield
}

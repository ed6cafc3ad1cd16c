// The forward pass of example.mlir, as the front end would build it.

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

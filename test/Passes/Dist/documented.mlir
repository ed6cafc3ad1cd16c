// The module that docs/levels-dist.md shows is what the passes make of this one.
// RUN: llmc-opt %s --pass-pipeline='builtin.module(nn-verify-model,nn-generate-backward,nn-verify-step,dist-import-plan,pipe-split-stages{microbatches=2},pipe-build-schedule,pipe-verify-schedule,dist-convert-global-to-local,dist-form-buckets,dist-verify-local)' > %t.made
// RUN: sed -n "/^...mlir$/,/^...$/p" %root/docs/levels-dist.md | grep -v -e "^...$" -e "^...mlir$" > %t.shown
// RUN: llmc-opt %t.shown --pipe-verify-schedule --dist-verify-local > %t.expected
// RUN: diff %t.expected %t.made

nn.parameter @l0.g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @l0.w : tensor<8x8xf32> {layer = 0 : i64, decay}
nn.microbatch @train(%x: tensor<6x4x8xf32> {nn.role = "data"}, %y: tensor<6x4x8xf32> {nn.role = "data"}, %keep: tensor<6x4xi1> {nn.role = "data"}, %seed: f32 {nn.role = "seed"}) -> f32 {
  %g = nn.get @l0.g {layer = 0 : i64} : tensor<8xf32>
  %w = nn.get @l0.w {layer = 0 : i64} : tensor<8x8xf32>
  %r = nn.rms_stat %x {eps = 1.0e-5 : f64, layer = 0 : i64} : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
  %n = nn.rms_apply %x, %r, %g {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %d = nn.contract %n, %w {indices = "tbc,dc->tbd", layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8x8xf32>) -> tensor<6x4x8xf32>
  %x1 = nn.add %x, %d {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %e = nn.squared_error %x1, %y, %keep, %seed : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4x8xf32>)
  nn.yield %loss : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}, %clip: f32 {nn.role = "clip"}, %inv_scale: f32 {nn.role = "inv_scale"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %clip, %inv_scale : (f32, f32, f32) -> (f32, i1)
  nn.adamw @l0.g, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.adamw @l0.w, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
  nn.yield
}

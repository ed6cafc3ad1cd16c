// A step on given inputs, checked by hand: only row 0 counts, its difference
// is (2, 5); the gradient of seed * loss is 2 * 0.25 * (2, 5).
// RUN: llmc-interpret %s --inputs %S/Inputs/two-rows.json | FileCheck %s

// CHECK: gradients w [2]: 1 2.5
// CHECK: norm gradients []: 2.69258240357
// CHECK: parameters w [2]: 0.5 1.75
// CHECK: results 0.0 []: 29

nn.parameter @w : tensor<2xf32> {group = "test"}
nn.microbatch @train(%x: tensor<2x1x2xf32> {nn.role = "data"},
                     %y: tensor<2x1x2xf32> {nn.role = "data"},
                     %keep: tensor<2x1xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<2xf32>
  %s = nn.add_bias %x, %w : (tensor<2x1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
  %loss, %dx = nn.squared_error %s, %y, %keep, %seed
      : (tensor<2x1x2xf32>, tensor<2x1x2xf32>, tensor<2x1xi1>, f32)
      -> (f32, tensor<2x1x2xf32>)
  %dw = nn.sum_leading %dx {weight_gradient} : (tensor<2x1x2xf32>) -> tensor<2xf32>
  nn.accumulate @w, %dw : tensor<2xf32>
  nn.yield %loss : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}, %clip: f32 {nn.role = "clip"},
                %inv_scale: f32 {nn.role = "inv_scale"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %clip, %inv_scale : (f32, f32, f32) -> (f32, i1)
  nn.sgd @w, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64}
      : f32, i1, f32
  nn.yield
}

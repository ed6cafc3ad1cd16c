// Gradients that are wrong are found.
// RUN: not llmc-interpret --split-input-file --finite-differences %s | FileCheck %s

// A product with the wrong operand.
// CHECK: @a: agrees
// CHECK: @b: differs
nn.parameter @a : tensor<2x1x3xf32> {group = "test"}
nn.parameter @b : tensor<2x1x3xf32> {group = "test"}
nn.microbatch @train(%y: tensor<2x1x3xf32> {nn.role = "data"},
                     %keep: tensor<2x1xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %a = nn.get @a : tensor<2x1x3xf32>
  %b = nn.get @b : tensor<2x1x3xf32>
  %p = nn.multiply %a, %b : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  %loss, %dp = nn.squared_error %p, %y, %keep, %seed
      : (tensor<2x1x3xf32>, tensor<2x1x3xf32>, tensor<2x1xi1>, f32)
      -> (f32, tensor<2x1x3xf32>)
  %da = nn.multiply %dp, %b : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  nn.accumulate @a, %da : tensor<2x1x3xf32>
  nn.accumulate @b, %da : tensor<2x1x3xf32>
  nn.yield %loss : f32
}

// -----

// A contribution that was dropped.
// CHECK: @w: differs
nn.parameter @w : tensor<2x1x3xf32> {group = "test"}
nn.microbatch @train(%y: tensor<2x1x3xf32> {nn.role = "data"},
                     %keep: tensor<2x1xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<2x1x3xf32>
  %s = nn.add %w, %w : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  %loss, %ds = nn.squared_error %s, %y, %keep, %seed
      : (tensor<2x1x3xf32>, tensor<2x1x3xf32>, tensor<2x1xi1>, f32)
      -> (f32, tensor<2x1x3xf32>)
  nn.accumulate @w, %ds : tensor<2x1x3xf32>
  nn.yield %loss : f32
}

// -----

// Nothing to check is no success.
// CHECK: the loss depends on no parameter
nn.microbatch @train(%x: tensor<2x1x3xf32> {nn.role = "data"},
                     %y: tensor<2x1x3xf32> {nn.role = "data"},
                     %keep: tensor<2x1xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %loss, %dx = nn.squared_error %x, %y, %keep, %seed
      : (tensor<2x1x3xf32>, tensor<2x1x3xf32>, tensor<2x1xi1>, f32)
      -> (f32, tensor<2x1x3xf32>)
  nn.yield %loss : f32
}

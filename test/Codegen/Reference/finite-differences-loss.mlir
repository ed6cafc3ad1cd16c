// Gradients of the losses.
// RUN: llmc-interpret --split-input-file --finite-differences %s | FileCheck %s

// CHECK: @w: agrees
// CHECK: @x: agrees
// Some labels do not count.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.parameter @w : tensor<7x6xf32> {group = "test"}
nn.microbatch @train(%labels: tensor<5x3xi32> {nn.role = "labels"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %w = nn.get @w : tensor<7x6xf32>
  %v2_0, %v2_1, %v2_2 = nn.cross_entropy %x, %w, %labels, %seed : (tensor<5x3x6xf32>, tensor<7x6xf32>, tensor<5x3xi32>, f32) -> (f32, tensor<5x3x6xf32>, tensor<7x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @w: agrees
// CHECK: @x: agrees
// One row.
nn.parameter @x : tensor<1x1x6xf32> {group = "test"}
nn.parameter @w : tensor<5x6xf32> {group = "test"}
nn.microbatch @train(%labels: tensor<1x1xi32> {nn.role = "labels"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<1x1x6xf32>
  %w = nn.get @w : tensor<5x6xf32>
  %v2_0, %v2_1, %v2_2 = nn.cross_entropy %x, %w, %labels, %seed : (tensor<1x1x6xf32>, tensor<5x6xf32>, tensor<1x1xi32>, f32) -> (f32, tensor<1x1x6xf32>, tensor<5x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @w: agrees
// CHECK: @x: agrees
// Worked through in chunks.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.parameter @w : tensor<7x6xf32> {group = "test"}
nn.microbatch @train(%labels: tensor<5x3xi32> {nn.role = "labels"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %w = nn.get @w : tensor<7x6xf32>
  %v2_0, %v2_1, %v2_2 = nn.cross_entropy %x, %w, %labels, %seed {logits_limit = 64 : i64} : (tensor<5x3x6xf32>, tensor<7x6xf32>, tensor<5x3xi32>, f32) -> (f32, tensor<5x3x6xf32>, tensor<7x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @w: agrees
// A tied table contributes twice.
nn.parameter @w : tensor<7x6xf32> {group = "test"}
nn.microbatch @train(%tokens: tensor<5x3xi32> {nn.role = "tokens"},
                    %labels: tensor<5x3xi32> {nn.role = "labels"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<7x6xf32>
  %v1 = nn.embedding %tokens, %w : (tensor<5x3xi32>, tensor<7x6xf32>) -> tensor<5x3x6xf32>
  %v2_0, %v2_1, %v2_2 = nn.cross_entropy %v1, %w, %labels, %seed : (tensor<5x3x6xf32>, tensor<7x6xf32>, tensor<5x3xi32>, f32) -> (f32, tensor<5x3x6xf32>, tensor<7x6xf32>)
  nn.yield %v2_0 : f32
}

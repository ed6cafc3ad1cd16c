// Gradients of embeddings and learned positions.
// RUN: llmc-interpret --split-input-file --finite-differences %s | FileCheck %s

// CHECK: @w: agrees
// Some tokens occur more than once, some never.
nn.parameter @w : tensor<7x6xf32> {group = "test"}
nn.microbatch @train(%tokens: tensor<5x3xi32> {nn.role = "tokens"},
                    %y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<7x6xf32>
  %v1 = nn.embedding %tokens, %w : (tensor<5x3xi32>, tensor<7x6xf32>) -> tensor<5x3x6xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @w: agrees
// One token.
nn.parameter @w : tensor<3x6xf32> {group = "test"}
nn.microbatch @train(%tokens: tensor<1x1xi32> {nn.role = "tokens"},
                    %y: tensor<1x1x6xf32> {nn.role = "data"},
                    %keep: tensor<1x1xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<3x6xf32>
  %v1 = nn.embedding %tokens, %w : (tensor<1x1xi32>, tensor<3x6xf32>) -> tensor<1x1x6xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<1x1x6xf32>, tensor<1x1x6xf32>, tensor<1x1xi1>, f32) -> (f32, tensor<1x1x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @p: agrees
// CHECK: @x: agrees
// Learned positions; the table is longer than the sequence.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.parameter @p : tensor<8x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %p = nn.get @p : tensor<8x6xf32>
  %v2 = nn.add_positions %x, %p : (tensor<5x3x6xf32>, tensor<8x6xf32>) -> tensor<5x3x6xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @p: agrees
// CHECK: @x: agrees
// Sequence 1.
nn.parameter @x : tensor<1x3x6xf32> {group = "test"}
nn.parameter @p : tensor<1x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<1x3x6xf32> {nn.role = "data"},
                    %keep: tensor<1x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<1x3x6xf32>
  %p = nn.get @p : tensor<1x6xf32>
  %v2 = nn.add_positions %x, %p : (tensor<1x3x6xf32>, tensor<1x6xf32>) -> tensor<1x3x6xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<1x3x6xf32>, tensor<1x3x6xf32>, tensor<1x3xi1>, f32) -> (f32, tensor<1x3x6xf32>)
  nn.yield %v3_0 : f32
}

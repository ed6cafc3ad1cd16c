// Gradients of elementwise ops.
// RUN: llmc-interpret --split-input-file --finite-differences %s | FileCheck %s

// CHECK: @x: agrees
// Exact GELU.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %v1 = nn.gelu %x : (tensor<5x3x6xf32>) -> tensor<5x3x6xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @x: agrees
// GELU by tanh.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %v1 = nn.gelu %x {tanh_form} : (tensor<5x3x6xf32>) -> tensor<5x3x6xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @x: agrees
// SiLU.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %v1 = nn.silu %x : (tensor<5x3x6xf32>) -> tensor<5x3x6xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @x: agrees
// ReLU.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %v1 = nn.relu %x : (tensor<5x3x6xf32>) -> tensor<5x3x6xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @x: agrees
// A constant factor.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %v1 = nn.scale %x {factor = -1.5 : f64} : (tensor<5x3x6xf32>) -> tensor<5x3x6xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @x: agrees
// One element.
nn.parameter @x : tensor<1x1x1xf32> {group = "test"}
nn.microbatch @train(%y: tensor<1x1x1xf32> {nn.role = "data"},
                    %keep: tensor<1x1xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<1x1x1xf32>
  %v1 = nn.silu %x : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1xi1>, f32) -> (f32, tensor<1x1x1xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @x: agrees
// CHECK: @z: agrees
// Both operands of add.
nn.parameter @x : tensor<4x2x3x6xf32> {group = "test"}
nn.parameter @z : tensor<4x2x3x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x2x3x6xf32> {nn.role = "data"},
                    %keep: tensor<4x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<4x2x3x6xf32>
  %z = nn.get @z : tensor<4x2x3x6xf32>
  %v2 = nn.add %x, %z : (tensor<4x2x3x6xf32>, tensor<4x2x3x6xf32>) -> tensor<4x2x3x6xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<4x2x3x6xf32>, tensor<4x2x3x6xf32>, tensor<4x2xi1>, f32) -> (f32, tensor<4x2x3x6xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @x: agrees
// CHECK: @z: agrees
// Both operands of multiply.
nn.parameter @x : tensor<4x2x3x6xf32> {group = "test"}
nn.parameter @z : tensor<4x2x3x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x2x3x6xf32> {nn.role = "data"},
                    %keep: tensor<4x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<4x2x3x6xf32>
  %z = nn.get @z : tensor<4x2x3x6xf32>
  %v2 = nn.multiply %x, %z : (tensor<4x2x3x6xf32>, tensor<4x2x3x6xf32>) -> tensor<4x2x3x6xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<4x2x3x6xf32>, tensor<4x2x3x6xf32>, tensor<4x2xi1>, f32) -> (f32, tensor<4x2x3x6xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @x: agrees
// A value used twice.
nn.parameter @x : tensor<4x2x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x2x6xf32> {nn.role = "data"},
                    %keep: tensor<4x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<4x2x6xf32>
  %v1 = nn.silu %x : (tensor<4x2x6xf32>) -> tensor<4x2x6xf32>
  %v2 = nn.multiply %v1, %x : (tensor<4x2x6xf32>, tensor<4x2x6xf32>) -> tensor<4x2x6xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<4x2x6xf32>, tensor<4x2x6xf32>, tensor<4x2xi1>, f32) -> (f32, tensor<4x2x6xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @b: agrees
// CHECK: @x: agrees
// A bias per channel.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.parameter @b : tensor<6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %b = nn.get @b : tensor<6xf32>
  %v2 = nn.add_bias %x, %b : (tensor<5x3x6xf32>, tensor<6xf32>) -> tensor<5x3x6xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @b: agrees
// CHECK: @x: agrees
// A bias per head and channel; one row.
nn.parameter @x : tensor<1x1x2x6xf32> {group = "test"}
nn.parameter @b : tensor<2x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<1x1x2x6xf32> {nn.role = "data"},
                    %keep: tensor<1x1xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<1x1x2x6xf32>
  %b = nn.get @b : tensor<2x6xf32>
  %v2 = nn.add_bias %x, %b : (tensor<1x1x2x6xf32>, tensor<2x6xf32>) -> tensor<1x1x2x6xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<1x1x2x6xf32>, tensor<1x1x2x6xf32>, tensor<1x1xi1>, f32) -> (f32, tensor<1x1x2x6xf32>)
  nn.yield %v3_0 : f32
}

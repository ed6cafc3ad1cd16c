// Gradients of rotary positions.
// RUN: llmc-interpret --split-input-file --finite-differences %s | FileCheck %s

// CHECK: @x: agrees
// Head size 6.
nn.parameter @x : tensor<5x3x2x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x2x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x2x6xf32>
  %v1 = nn.rope %x {theta = 100.0 : f64} : (tensor<5x3x2x6xf32>) -> tensor<5x3x2x6xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<5x3x2x6xf32>, tensor<5x3x2x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x2x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @x: agrees
// Frequencies divided.
nn.parameter @x : tensor<5x3x2x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x2x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x2x6xf32>
  %v1 = nn.rope %x {theta = 100.0 : f64, scaling = #nn.rope_scaling<"linear", 4.0, 0.0, 0.0, 0>} : (tensor<5x3x2x6xf32>) -> tensor<5x3x2x6xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<5x3x2x6xf32>, tensor<5x3x2x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x2x6xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @x: agrees
// The ramp of llama3.
nn.parameter @x : tensor<5x3x1x8xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x1x8xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x1x8xf32>
  %v1 = nn.rope %x {theta = 100.0 : f64, scaling = #nn.rope_scaling<"llama3", 8.0, 1.0, 4.0, 64>} : (tensor<5x3x1x8xf32>) -> tensor<5x3x1x8xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<5x3x1x8xf32>, tensor<5x3x1x8xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x1x8xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @x: agrees
// Sequence 1.
nn.parameter @x : tensor<1x1x1x2xf32> {group = "test"}
nn.microbatch @train(%y: tensor<1x1x1x2xf32> {nn.role = "data"},
                    %keep: tensor<1x1xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<1x1x1x2xf32>
  %v1 = nn.rope %x {theta = 100.0 : f64} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1xi1>, f32) -> (f32, tensor<1x1x1x2xf32>)
  nn.yield %v2_0 : f32
}

// -----

// CHECK: @x: agrees
// Rotated back.
nn.parameter @x : tensor<3x2x2x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<3x2x2x6xf32> {nn.role = "data"},
                    %keep: tensor<3x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<3x2x2x6xf32>
  %v1 = nn.rope %x {inverse, theta = 100.0 : f64} : (tensor<3x2x2x6xf32>) -> tensor<3x2x2x6xf32>
  %v2_0, %v2_1 = nn.squared_error %v1, %y, %keep, %seed : (tensor<3x2x2x6xf32>, tensor<3x2x2x6xf32>, tensor<3x2xi1>, f32) -> (f32, tensor<3x2x2x6xf32>)
  nn.yield %v2_0 : f32
}

// Gradients of RMSNorm and LayerNorm, through their statistics.
// RUN: llmc-interpret --split-input-file --finite-differences %s | FileCheck %s

// CHECK: @g: agrees
// CHECK: @x: agrees
// RMSNorm.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.parameter @g : tensor<6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %g = nn.get @g : tensor<6xf32>
  %v2 = nn.rms_stat %x {eps = 1.0e-2 : f64} : (tensor<5x3x6xf32>) -> tensor<5x3xf32>
  %v3 = nn.rms_apply %x, %v2, %g : (tensor<5x3x6xf32>, tensor<5x3xf32>, tensor<6xf32>) -> tensor<5x3x6xf32>
  %v4_0, %v4_1 = nn.squared_error %v3, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @g: agrees
// CHECK: @x: agrees
// RMSNorm with a gain of one plus.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.parameter @g : tensor<6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %g = nn.get @g : tensor<6xf32>
  %v2 = nn.rms_stat %x {eps = 1.0e-2 : f64} : (tensor<5x3x6xf32>) -> tensor<5x3xf32>
  %v3 = nn.rms_apply %x, %v2, %g {plus_one} : (tensor<5x3x6xf32>, tensor<5x3xf32>, tensor<6xf32>) -> tensor<5x3x6xf32>
  %v4_0, %v4_1 = nn.squared_error %v3, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @g: agrees
// CHECK: @x: agrees
// One row.
nn.parameter @x : tensor<1x1x6xf32> {group = "test"}
nn.parameter @g : tensor<6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<1x1x6xf32> {nn.role = "data"},
                    %keep: tensor<1x1xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<1x1x6xf32>
  %g = nn.get @g : tensor<6xf32>
  %v2 = nn.rms_stat %x {eps = 1.0e-2 : f64} : (tensor<1x1x6xf32>) -> tensor<1x1xf32>
  %v3 = nn.rms_apply %x, %v2, %g : (tensor<1x1x6xf32>, tensor<1x1xf32>, tensor<6xf32>) -> tensor<1x1x6xf32>
  %v4_0, %v4_1 = nn.squared_error %v3, %y, %keep, %seed : (tensor<1x1x6xf32>, tensor<1x1x6xf32>, tensor<1x1xi1>, f32) -> (f32, tensor<1x1x6xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @g: agrees
// CHECK: @x: agrees
// Per head.
nn.parameter @x : tensor<4x2x3x5xf32> {group = "test"}
nn.parameter @g : tensor<5xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x2x3x5xf32> {nn.role = "data"},
                    %keep: tensor<4x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<4x2x3x5xf32>
  %g = nn.get @g : tensor<5xf32>
  %v2 = nn.rms_stat %x {eps = 1.0e-2 : f64} : (tensor<4x2x3x5xf32>) -> tensor<4x2x3xf32>
  %v3 = nn.rms_apply %x, %v2, %g : (tensor<4x2x3x5xf32>, tensor<4x2x3xf32>, tensor<5xf32>) -> tensor<4x2x3x5xf32>
  %v4_0, %v4_1 = nn.squared_error %v3, %y, %keep, %seed : (tensor<4x2x3x5xf32>, tensor<4x2x3x5xf32>, tensor<4x2xi1>, f32) -> (f32, tensor<4x2x3x5xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @g: agrees
// CHECK: @x: agrees
// One channel.
nn.parameter @x : tensor<3x2x1xf32> {group = "test"}
nn.parameter @g : tensor<1xf32> {group = "test"}
nn.microbatch @train(%y: tensor<3x2x1xf32> {nn.role = "data"},
                    %keep: tensor<3x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<3x2x1xf32>
  %g = nn.get @g : tensor<1xf32>
  %v2 = nn.rms_stat %x {eps = 1.0e-2 : f64} : (tensor<3x2x1xf32>) -> tensor<3x2xf32>
  %v3 = nn.rms_apply %x, %v2, %g : (tensor<3x2x1xf32>, tensor<3x2xf32>, tensor<1xf32>) -> tensor<3x2x1xf32>
  %v4_0, %v4_1 = nn.squared_error %v3, %y, %keep, %seed : (tensor<3x2x1xf32>, tensor<3x2x1xf32>, tensor<3x2xi1>, f32) -> (f32, tensor<3x2x1xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @b: agrees
// CHECK: @g: agrees
// CHECK: @x: agrees
// LayerNorm.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.parameter @g : tensor<6xf32> {group = "test"}
nn.parameter @b : tensor<6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %g = nn.get @g : tensor<6xf32>
  %v2_0, %v2_1 = nn.layer_norm_stat %x {eps = 1.0e-2 : f64} : (tensor<5x3x6xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>)
  %b = nn.get @b : tensor<6xf32>
  %v4 = nn.layer_norm_apply %x, %v2_0, %v2_1, %g, %b : (tensor<5x3x6xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<5x3x6xf32>
  %v5_0, %v5_1 = nn.squared_error %v4, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v5_0 : f32
}

// -----

// CHECK: @g: agrees
// CHECK: @x: agrees
// LayerNorm without a bias.
nn.parameter @x : tensor<5x3x6xf32> {group = "test"}
nn.parameter @g : tensor<6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<5x3x6xf32>
  %g = nn.get @g : tensor<6xf32>
  %v2_0, %v2_1 = nn.layer_norm_stat %x {eps = 1.0e-2 : f64} : (tensor<5x3x6xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>)
  %v3 = nn.layer_norm_apply %x, %v2_0, %v2_1, %g : (tensor<5x3x6xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<6xf32>) -> tensor<5x3x6xf32>
  %v4_0, %v4_1 = nn.squared_error %v3, %y, %keep, %seed : (tensor<5x3x6xf32>, tensor<5x3x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x6xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @b: agrees
// CHECK: @g: agrees
// CHECK: @x: agrees
// One row.
nn.parameter @x : tensor<1x1x6xf32> {group = "test"}
nn.parameter @g : tensor<6xf32> {group = "test"}
nn.parameter @b : tensor<6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<1x1x6xf32> {nn.role = "data"},
                    %keep: tensor<1x1xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<1x1x6xf32>
  %g = nn.get @g : tensor<6xf32>
  %v2_0, %v2_1 = nn.layer_norm_stat %x {eps = 1.0e-2 : f64} : (tensor<1x1x6xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>)
  %b = nn.get @b : tensor<6xf32>
  %v4 = nn.layer_norm_apply %x, %v2_0, %v2_1, %g, %b : (tensor<1x1x6xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x1x6xf32>
  %v5_0, %v5_1 = nn.squared_error %v4, %y, %keep, %seed : (tensor<1x1x6xf32>, tensor<1x1x6xf32>, tensor<1x1xi1>, f32) -> (f32, tensor<1x1x6xf32>)
  nn.yield %v5_0 : f32
}

// -----

// CHECK: @b: agrees
// CHECK: @g: agrees
// CHECK: @x: agrees
// Odd width.
nn.parameter @x : tensor<2x3x7xf32> {group = "test"}
nn.parameter @g : tensor<7xf32> {group = "test"}
nn.parameter @b : tensor<7xf32> {group = "test"}
nn.microbatch @train(%y: tensor<2x3x7xf32> {nn.role = "data"},
                    %keep: tensor<2x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %x = nn.get @x : tensor<2x3x7xf32>
  %g = nn.get @g : tensor<7xf32>
  %v2_0, %v2_1 = nn.layer_norm_stat %x {eps = 1.0e-2 : f64} : (tensor<2x3x7xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %b = nn.get @b : tensor<7xf32>
  %v4 = nn.layer_norm_apply %x, %v2_0, %v2_1, %g, %b : (tensor<2x3x7xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<2x3x7xf32>
  %v5_0, %v5_1 = nn.squared_error %v4, %y, %keep, %seed : (tensor<2x3x7xf32>, tensor<2x3x7xf32>, tensor<2x3xi1>, f32) -> (f32, tensor<2x3x7xf32>)
  nn.yield %v5_0 : f32
}

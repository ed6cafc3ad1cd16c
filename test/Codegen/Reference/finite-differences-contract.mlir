// Gradients of contractions.
// RUN: llmc-interpret --split-input-file --finite-differences %s | FileCheck %s

// CHECK: @a: agrees
// CHECK: @b: agrees
// A linear layer.
nn.parameter @a : tensor<5x3x6xf32> {group = "test"}
nn.parameter @b : tensor<7x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x7xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %a = nn.get @a : tensor<5x3x6xf32>
  %b = nn.get @b : tensor<7x6xf32>
  %v2 = nn.contract %a, %b {indices = "tbc,fc->tbf"} : (tensor<5x3x6xf32>, tensor<7x6xf32>) -> tensor<5x3x7xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<5x3x7xf32>, tensor<5x3x7xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x7xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @a: agrees
// CHECK: @b: agrees
// One row.
nn.parameter @a : tensor<1x1x6xf32> {group = "test"}
nn.parameter @b : tensor<7x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<1x1x7xf32> {nn.role = "data"},
                    %keep: tensor<1x1xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %a = nn.get @a : tensor<1x1x6xf32>
  %b = nn.get @b : tensor<7x6xf32>
  %v2 = nn.contract %a, %b {indices = "tbc,fc->tbf"} : (tensor<1x1x6xf32>, tensor<7x6xf32>) -> tensor<1x1x7xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<1x1x7xf32>, tensor<1x1x7xf32>, tensor<1x1xi1>, f32) -> (f32, tensor<1x1x7xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @a: agrees
// CHECK: @b: agrees
// To heads.
nn.parameter @a : tensor<4x2x6xf32> {group = "test"}
nn.parameter @b : tensor<3x5x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x2x3x5xf32> {nn.role = "data"},
                    %keep: tensor<4x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %a = nn.get @a : tensor<4x2x6xf32>
  %b = nn.get @b : tensor<3x5x6xf32>
  %v2 = nn.contract %a, %b {indices = "tbc,hdc->tbhd"} : (tensor<4x2x6xf32>, tensor<3x5x6xf32>) -> tensor<4x2x3x5xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<4x2x3x5xf32>, tensor<4x2x3x5xf32>, tensor<4x2xi1>, f32) -> (f32, tensor<4x2x3x5xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @a: agrees
// CHECK: @b: agrees
// From heads; one head.
nn.parameter @a : tensor<4x2x1x6xf32> {group = "test"}
nn.parameter @b : tensor<5x1x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x2x5xf32> {nn.role = "data"},
                    %keep: tensor<4x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %a = nn.get @a : tensor<4x2x1x6xf32>
  %b = nn.get @b : tensor<5x1x6xf32>
  %v2 = nn.contract %a, %b {indices = "tbhd,chd->tbc"} : (tensor<4x2x1x6xf32>, tensor<5x1x6xf32>) -> tensor<4x2x5xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<4x2x5xf32>, tensor<4x2x5xf32>, tensor<4x2xi1>, f32) -> (f32, tensor<4x2x5xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @a: agrees
// CHECK: @b: agrees
// The order of the second operand's dimensions is free.
nn.parameter @a : tensor<4x2x6xf32> {group = "test"}
nn.parameter @b : tensor<6x3xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x2x3xf32> {nn.role = "data"},
                    %keep: tensor<4x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %a = nn.get @a : tensor<4x2x6xf32>
  %b = nn.get @b : tensor<6x3xf32>
  %v2 = nn.contract %a, %b {indices = "tbc,cf->tbf"} : (tensor<4x2x6xf32>, tensor<6x3xf32>) -> tensor<4x2x3xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<4x2x3xf32>, tensor<4x2x3xf32>, tensor<4x2xi1>, f32) -> (f32, tensor<4x2x3xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @a: agrees
// CHECK: @b: agrees
// The result may be permuted.
nn.parameter @a : tensor<4x2x6xf32> {group = "test"}
nn.parameter @b : tensor<3x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x3x2xf32> {nn.role = "data"},
                    %keep: tensor<4x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %a = nn.get @a : tensor<4x2x6xf32>
  %b = nn.get @b : tensor<3x6xf32>
  %v2 = nn.contract %a, %b {indices = "tbc,fc->tfb"} : (tensor<4x2x6xf32>, tensor<3x6xf32>) -> tensor<4x3x2xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<4x3x2xf32>, tensor<4x3x2xf32>, tensor<4x3xi1>, f32) -> (f32, tensor<4x3x2xf32>)
  nn.yield %v3_0 : f32
}

// -----

// CHECK: @a: agrees
// CHECK: @b: agrees
// A letter of all three terms.
nn.parameter @a : tensor<3x2x2x5xf32> {group = "test"}
nn.parameter @b : tensor<4x2x2x5xf32> {group = "test"}
nn.microbatch @train(%y: tensor<3x2x2x4xf32> {nn.role = "data"},
                    %keep: tensor<3x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %a = nn.get @a : tensor<3x2x2x5xf32>
  %b = nn.get @b : tensor<4x2x2x5xf32>
  %v2 = nn.contract %a, %b {indices = "tbhd,sbhd->tbhs"} : (tensor<3x2x2x5xf32>, tensor<4x2x2x5xf32>) -> tensor<3x2x2x4xf32>
  %v3_0, %v3_1 = nn.squared_error %v2, %y, %keep, %seed : (tensor<3x2x2x4xf32>, tensor<3x2x2x4xf32>, tensor<3x2xi1>, f32) -> (f32, tensor<3x2x2x4xf32>)
  nn.yield %v3_0 : f32
}

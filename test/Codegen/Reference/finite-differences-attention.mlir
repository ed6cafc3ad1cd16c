// Gradients of attention under every part of the mask.
// RUN: llmc-interpret --split-input-file --finite-differences %s | FileCheck %s

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// One head of size 6.
nn.parameter @q : tensor<5x3x1x6xf32> {group = "test"}
nn.parameter @k : tensor<5x3x1x6xf32> {group = "test"}
nn.parameter @v : tensor<5x3x1x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<5x3x1x6xf32> {nn.role = "data"},
                    %keep: tensor<5x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %q = nn.get @q : tensor<5x3x1x6xf32>
  %k = nn.get @k : tensor<5x3x1x6xf32>
  %v = nn.get @v : tensor<5x3x1x6xf32>
  %v3_0, %v3_1 = nn.attention %q, %k, %v {scale = 0.7 : f64} : (tensor<5x3x1x6xf32>, tensor<5x3x1x6xf32>, tensor<5x3x1x6xf32>) -> (tensor<5x3x1x6xf32>, tensor<5x3x1xf32>)
  %v4_0, %v4_1 = nn.squared_error %v3_0, %y, %keep, %seed : (tensor<5x3x1x6xf32>, tensor<5x3x1x6xf32>, tensor<5x3xi1>, f32) -> (f32, tensor<5x3x1x6xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// Each head has its own keys.
nn.parameter @q : tensor<4x2x3x2xf32> {group = "test"}
nn.parameter @k : tensor<4x2x3x2xf32> {group = "test"}
nn.parameter @v : tensor<4x2x3x2xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x2x3x2xf32> {nn.role = "data"},
                    %keep: tensor<4x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %q = nn.get @q : tensor<4x2x3x2xf32>
  %k = nn.get @k : tensor<4x2x3x2xf32>
  %v = nn.get @v : tensor<4x2x3x2xf32>
  %v3_0, %v3_1 = nn.attention %q, %k, %v {scale = 0.7 : f64} : (tensor<4x2x3x2xf32>, tensor<4x2x3x2xf32>, tensor<4x2x3x2xf32>) -> (tensor<4x2x3x2xf32>, tensor<4x2x3xf32>)
  %v4_0, %v4_1 = nn.squared_error %v3_0, %y, %keep, %seed : (tensor<4x2x3x2xf32>, tensor<4x2x3x2xf32>, tensor<4x2xi1>, f32) -> (f32, tensor<4x2x3x2xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// Grouped queries.
nn.parameter @q : tensor<4x2x4x6xf32> {group = "test"}
nn.parameter @k : tensor<4x2x2x6xf32> {group = "test"}
nn.parameter @v : tensor<4x2x2x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x2x4x6xf32> {nn.role = "data"},
                    %keep: tensor<4x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %q = nn.get @q : tensor<4x2x4x6xf32>
  %k = nn.get @k : tensor<4x2x2x6xf32>
  %v = nn.get @v : tensor<4x2x2x6xf32>
  %v3_0, %v3_1 = nn.attention %q, %k, %v {scale = 0.7 : f64} : (tensor<4x2x4x6xf32>, tensor<4x2x2x6xf32>, tensor<4x2x2x6xf32>) -> (tensor<4x2x4x6xf32>, tensor<4x2x4xf32>)
  %v4_0, %v4_1 = nn.squared_error %v3_0, %y, %keep, %seed : (tensor<4x2x4x6xf32>, tensor<4x2x4x6xf32>, tensor<4x2xi1>, f32) -> (f32, tensor<4x2x4x6xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// One key head.
nn.parameter @q : tensor<4x1x3x4xf32> {group = "test"}
nn.parameter @k : tensor<4x1x1x4xf32> {group = "test"}
nn.parameter @v : tensor<4x1x1x4xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x1x3x4xf32> {nn.role = "data"},
                    %keep: tensor<4x1xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %q = nn.get @q : tensor<4x1x3x4xf32>
  %k = nn.get @k : tensor<4x1x1x4xf32>
  %v = nn.get @v : tensor<4x1x1x4xf32>
  %v3_0, %v3_1 = nn.attention %q, %k, %v {scale = 0.7 : f64} : (tensor<4x1x3x4xf32>, tensor<4x1x1x4xf32>, tensor<4x1x1x4xf32>) -> (tensor<4x1x3x4xf32>, tensor<4x1x3xf32>)
  %v4_0, %v4_1 = nn.squared_error %v3_0, %y, %keep, %seed : (tensor<4x1x3x4xf32>, tensor<4x1x3x4xf32>, tensor<4x1xi1>, f32) -> (f32, tensor<4x1x3x4xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// Sequence 1: only the values matter.
nn.parameter @q : tensor<1x2x2x6xf32> {group = "test"}
nn.parameter @k : tensor<1x2x1x6xf32> {group = "test"}
nn.parameter @v : tensor<1x2x1x6xf32> {group = "test"}
nn.microbatch @train(%y: tensor<1x2x2x6xf32> {nn.role = "data"},
                    %keep: tensor<1x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %q = nn.get @q : tensor<1x2x2x6xf32>
  %k = nn.get @k : tensor<1x2x1x6xf32>
  %v = nn.get @v : tensor<1x2x1x6xf32>
  %v3_0, %v3_1 = nn.attention %q, %k, %v {scale = 0.7 : f64} : (tensor<1x2x2x6xf32>, tensor<1x2x1x6xf32>, tensor<1x2x1x6xf32>) -> (tensor<1x2x2x6xf32>, tensor<1x2x2xf32>)
  %v4_0, %v4_1 = nn.squared_error %v3_0, %y, %keep, %seed : (tensor<1x2x2x6xf32>, tensor<1x2x2x6xf32>, tensor<1x2xi1>, f32) -> (f32, tensor<1x2x2x6xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// A window.
nn.parameter @q : tensor<7x2x2x3xf32> {group = "test"}
nn.parameter @k : tensor<7x2x1x3xf32> {group = "test"}
nn.parameter @v : tensor<7x2x1x3xf32> {group = "test"}
nn.microbatch @train(%y: tensor<7x2x2x3xf32> {nn.role = "data"},
                    %keep: tensor<7x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %q = nn.get @q : tensor<7x2x2x3xf32>
  %k = nn.get @k : tensor<7x2x1x3xf32>
  %v = nn.get @v : tensor<7x2x1x3xf32>
  %v3_0, %v3_1 = nn.attention %q, %k, %v {scale = 0.7 : f64, window = 3 : i64} : (tensor<7x2x2x3xf32>, tensor<7x2x1x3xf32>, tensor<7x2x1x3xf32>) -> (tensor<7x2x2x3xf32>, tensor<7x2x2xf32>)
  %v4_0, %v4_1 = nn.squared_error %v3_0, %y, %keep, %seed : (tensor<7x2x2x3xf32>, tensor<7x2x2x3xf32>, tensor<7x2xi1>, f32) -> (f32, tensor<7x2x2x3xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// A window of one key.
nn.parameter @q : tensor<4x2x2x3xf32> {group = "test"}
nn.parameter @k : tensor<4x2x1x3xf32> {group = "test"}
nn.parameter @v : tensor<4x2x1x3xf32> {group = "test"}
nn.microbatch @train(%y: tensor<4x2x2x3xf32> {nn.role = "data"},
                    %keep: tensor<4x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %q = nn.get @q : tensor<4x2x2x3xf32>
  %k = nn.get @k : tensor<4x2x1x3xf32>
  %v = nn.get @v : tensor<4x2x1x3xf32>
  %v3_0, %v3_1 = nn.attention %q, %k, %v {scale = 0.7 : f64, window = 1 : i64} : (tensor<4x2x2x3xf32>, tensor<4x2x1x3xf32>, tensor<4x2x1x3xf32>) -> (tensor<4x2x2x3xf32>, tensor<4x2x2xf32>)
  %v4_0, %v4_1 = nn.squared_error %v3_0, %y, %keep, %seed : (tensor<4x2x2x3xf32>, tensor<4x2x2x3xf32>, tensor<4x2xi1>, f32) -> (f32, tensor<4x2x2x3xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// A window and global tokens.
nn.parameter @q : tensor<7x2x2x3xf32> {group = "test"}
nn.parameter @k : tensor<7x2x1x3xf32> {group = "test"}
nn.parameter @v : tensor<7x2x1x3xf32> {group = "test"}
nn.microbatch @train(%y: tensor<7x2x2x3xf32> {nn.role = "data"},
                    %keep: tensor<7x2xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %q = nn.get @q : tensor<7x2x2x3xf32>
  %k = nn.get @k : tensor<7x2x1x3xf32>
  %v = nn.get @v : tensor<7x2x1x3xf32>
  %v3_0, %v3_1 = nn.attention %q, %k, %v {scale = 0.7 : f64, window = 2 : i64, global_tokens = 2 : i64} : (tensor<7x2x2x3xf32>, tensor<7x2x1x3xf32>, tensor<7x2x1x3xf32>) -> (tensor<7x2x2x3xf32>, tensor<7x2x2xf32>)
  %v4_0, %v4_1 = nn.squared_error %v3_0, %y, %keep, %seed : (tensor<7x2x2x3xf32>, tensor<7x2x2x3xf32>, tensor<7x2xi1>, f32) -> (f32, tensor<7x2x2x3xf32>)
  nn.yield %v4_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// Documents that end.
nn.parameter @q : tensor<9x3x2x3xf32> {group = "test"}
nn.parameter @k : tensor<9x3x1x3xf32> {group = "test"}
nn.parameter @v : tensor<9x3x1x3xf32> {group = "test"}
nn.microbatch @train(%tokens: tensor<9x3xi32> {nn.role = "tokens"},
                    %y: tensor<9x3x2x3xf32> {nn.role = "data"},
                    %keep: tensor<9x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %v0 = nn.document_start %tokens {end = 3 : i64} : (tensor<9x3xi32>) -> tensor<9x3xi32>
  %q = nn.get @q : tensor<9x3x2x3xf32>
  %k = nn.get @k : tensor<9x3x1x3xf32>
  %v = nn.get @v : tensor<9x3x1x3xf32>
  %v4_0, %v4_1 = nn.attention %q, %k, %v, %v0 {scale = 0.7 : f64} : (tensor<9x3x2x3xf32>, tensor<9x3x1x3xf32>, tensor<9x3x1x3xf32>, tensor<9x3xi32>) -> (tensor<9x3x2x3xf32>, tensor<9x3x2xf32>)
  %v5_0, %v5_1 = nn.squared_error %v4_0, %y, %keep, %seed : (tensor<9x3x2x3xf32>, tensor<9x3x2x3xf32>, tensor<9x3xi1>, f32) -> (f32, tensor<9x3x2x3xf32>)
  nn.yield %v5_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// Documents that start.
nn.parameter @q : tensor<9x3x2x3xf32> {group = "test"}
nn.parameter @k : tensor<9x3x1x3xf32> {group = "test"}
nn.parameter @v : tensor<9x3x1x3xf32> {group = "test"}
nn.microbatch @train(%tokens: tensor<9x3xi32> {nn.role = "tokens"},
                    %y: tensor<9x3x2x3xf32> {nn.role = "data"},
                    %keep: tensor<9x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %v0 = nn.document_start %tokens {start = 3 : i64} : (tensor<9x3xi32>) -> tensor<9x3xi32>
  %q = nn.get @q : tensor<9x3x2x3xf32>
  %k = nn.get @k : tensor<9x3x1x3xf32>
  %v = nn.get @v : tensor<9x3x1x3xf32>
  %v4_0, %v4_1 = nn.attention %q, %k, %v, %v0 {scale = 0.7 : f64} : (tensor<9x3x2x3xf32>, tensor<9x3x1x3xf32>, tensor<9x3x1x3xf32>, tensor<9x3xi32>) -> (tensor<9x3x2x3xf32>, tensor<9x3x2xf32>)
  %v5_0, %v5_1 = nn.squared_error %v4_0, %y, %keep, %seed : (tensor<9x3x2x3xf32>, tensor<9x3x2x3xf32>, tensor<9x3xi1>, f32) -> (f32, tensor<9x3x2x3xf32>)
  nn.yield %v5_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// Global tokens are subject to the document mask.
nn.parameter @q : tensor<9x3x2x3xf32> {group = "test"}
nn.parameter @k : tensor<9x3x1x3xf32> {group = "test"}
nn.parameter @v : tensor<9x3x1x3xf32> {group = "test"}
nn.microbatch @train(%tokens: tensor<9x3xi32> {nn.role = "tokens"},
                    %y: tensor<9x3x2x3xf32> {nn.role = "data"},
                    %keep: tensor<9x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %v0 = nn.document_start %tokens {end = 3 : i64} : (tensor<9x3xi32>) -> tensor<9x3xi32>
  %q = nn.get @q : tensor<9x3x2x3xf32>
  %k = nn.get @k : tensor<9x3x1x3xf32>
  %v = nn.get @v : tensor<9x3x1x3xf32>
  %v4_0, %v4_1 = nn.attention %q, %k, %v, %v0 {scale = 0.7 : f64, window = 2 : i64, global_tokens = 3 : i64} : (tensor<9x3x2x3xf32>, tensor<9x3x1x3xf32>, tensor<9x3x1x3xf32>, tensor<9x3xi32>) -> (tensor<9x3x2x3xf32>, tensor<9x3x2xf32>)
  %v5_0, %v5_1 = nn.squared_error %v4_0, %y, %keep, %seed : (tensor<9x3x2x3xf32>, tensor<9x3x2x3xf32>, tensor<9x3xi1>, f32) -> (f32, tensor<9x3x2x3xf32>)
  nn.yield %v5_0 : f32
}

// -----

// CHECK: @k: agrees
// CHECK: @q: agrees
// CHECK: @v: agrees
// Rows that see nothing.
nn.parameter @q : tensor<8x3x2x3xf32> {group = "test"}
nn.parameter @k : tensor<8x3x1x3xf32> {group = "test"}
nn.parameter @v : tensor<8x3x1x3xf32> {group = "test"}
nn.microbatch @train(%starts: tensor<8x3xi32> {nn.role = "data"},
                    %y: tensor<8x3x2x3xf32> {nn.role = "data"},
                    %keep: tensor<8x3xi1> {nn.role = "data"},
                    %seed: f32 {nn.role = "seed"}) -> f32 {
  %q = nn.get @q : tensor<8x3x2x3xf32>
  %k = nn.get @k : tensor<8x3x1x3xf32>
  %v = nn.get @v : tensor<8x3x1x3xf32>
  %v3_0, %v3_1 = nn.attention %q, %k, %v, %starts {scale = 0.7 : f64} : (tensor<8x3x2x3xf32>, tensor<8x3x1x3xf32>, tensor<8x3x1x3xf32>, tensor<8x3xi32>) -> (tensor<8x3x2x3xf32>, tensor<8x3x2xf32>)
  %v4_0, %v4_1 = nn.squared_error %v3_0, %y, %keep, %seed : (tensor<8x3x2x3xf32>, tensor<8x3x2x3xf32>, tensor<8x3xi1>, f32) -> (f32, tensor<8x3x2x3xf32>)
  nn.yield %v4_0 : f32
}

// What cannot be differentiated.
// RUN: llmc-opt %s --nn-generate-backward --split-input-file --verify-diagnostics

// Rejected: a micro-batch without loss.
// expected-error @below {{'nn.microbatch' op found no loss in '@train', expected exactly one}}
nn.microbatch @train(%seed: f32 {nn.role = "seed"}) -> f32 {
  nn.yield %seed : f32
}

// -----

// Rejected: two losses.
nn.microbatch @train(%x: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %0, %d0 = nn.squared_error %x, %x, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  // expected-error @below {{'nn.squared_error' op found a second loss in '@train', expected exactly one}}
  %1, %d1 = nn.squared_error %x, %x, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  nn.yield %0 : f32
}

// -----

// Rejected: the backward pass of what has one.
nn.parameter @w : tensor<6x8xf32> {group = "a"}
nn.microbatch @train(%x: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %0, %d = nn.squared_error %w, %x, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  // expected-error @below {{'nn.accumulate' op found in '@train' before its backward pass is generated, expected a forward graph}}
  nn.accumulate @w, %d : tensor<6x8xf32>
  nn.yield %0 : f32
}

// -----

// Rejected: an op without a reverse rule on the way to the loss.
nn.parameter @w : tensor<6x4x8xf32> {group = "a"}
nn.microbatch @train(%y: tensor<6x4xf32> {nn.role = "data"},
                     %keep: tensor<6x4xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x4x8xf32>
  // expected-error @below {{'nn.rms_stat' op found on the way from a parameter to the loss, expected an op with a reverse rule}}
  %r = nn.rms_stat %w {eps = 1.0e-5 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
  %0, %d = nn.squared_error %r, %y, %keep, %seed : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4xf32>)
  nn.yield %0 : f32
}

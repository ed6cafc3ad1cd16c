// Programs that dist-form-buckets refuses.
// RUN: llmc-opt %s --dist-form-buckets --split-input-file --verify-diagnostics

// Rejected: a module that has buckets.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @u : tensor<4x8xf32> {layer = 0 : i64, decay}
// expected-error @below {{'dist.bucket' op found before buckets are formed, expected none}}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}

// -----

// Rejected: a bucket of more elements than a number holds.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
// expected-error @below {{found bucket 'l0' with more than 2^63 elements, expected a smaller one}}
nn.parameter @g : tensor<4294967296x4294967296xf32> {layer = 0 : i64}

// -----

// Rejected: a parameter without an update.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @u : tensor<4x8xf32> {layer = 0 : i64, decay}
// expected-error @below {{'dist.func' op found no update of @g, expected one}}
dist.func update @U0 stage 0(%lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %t: i64 {pipe.source = #pipe.source<scalar "t">}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @u, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  dist.return
}

// -----

// Rejected: a bucket without an update.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @u : tensor<4x8xf32> {layer = 0 : i64, decay}
// expected-error @below {{'dist.func' op found no update of @u, expected one}}
dist.func update @U0 stage 0(%lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %t: i64 {pipe.source = #pipe.source<scalar "t">}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  dist.return
}

// -----

// Rejected: two kinds of update in a bucket.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @u : tensor<4x8xf32> {layer = 0 : i64, decay}
dist.func update @U0 stage 0(%lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %t: i64 {pipe.source = #pipe.source<scalar "t">}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.adamw @u, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  // expected-error @below {{'nn.sgd' op found another update than that of the first parameter of bucket '@l0', expected the same}}
  nn.sgd @g, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  dist.return
}

// -----

// Rejected: two momenta in a bucket.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @u : tensor<4x8xf32> {layer = 0 : i64, decay}
dist.func update @U0 stage 0(%lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %t: i64 {pipe.source = #pipe.source<scalar "t">}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @u, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  // expected-error @below {{'nn.sgd' op found another update than that of the first parameter of bucket '@l0', expected the same}}
  nn.sgd @g, %k, %ok, %lr {momentum = 0.5 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  dist.return
}

// -----

// Rejected: two learning rates in a bucket.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @u : tensor<4x8xf32> {layer = 0 : i64, decay}
dist.func update @U0 stage 0(%lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %t: i64 {pipe.source = #pipe.source<scalar "t">}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @u, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  // expected-error @below {{'nn.sgd' op found another update than that of the first parameter of bucket '@l0', expected the same}}
  nn.sgd @g, %k, %ok, %k {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  dist.return
}

// -----

// Rejected: two betas in a bucket.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @u : tensor<4x8xf32> {layer = 0 : i64, decay}
dist.func update @U0 stage 0(%lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %t: i64 {pipe.source = #pipe.source<scalar "t">}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.adamw @u, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  // expected-error @below {{'nn.adamw' op found another update than that of the first parameter of bucket '@l0', expected the same}}
  nn.adamw @g, %k, %ok, %lr, %t {beta1 = 0.25 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  dist.return
}

// -----

// Rejected: two weight decays in the decay class of a bucket.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @v : tensor<8xf32> {layer = 0 : i64, decay}
nn.parameter @u : tensor<4x8xf32> {layer = 0 : i64, decay}
dist.func update @U0 stage 0(%lr: f32 {pipe.source = #pipe.source<scalar "lr">}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @v, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.5 : f64} : f32, i1, f32
  // expected-error @below {{'nn.sgd' op found weight decay 2.500000e-01 : f64 in bucket '@l0', expected 5.000000e-01 : f64 as before}}
  nn.sgd @u, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.25 : f64} : f32, i1, f32
  dist.return
}

// -----

// Rejected: a gradient in an evaluation.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @u : tensor<4x8xf32> {layer = 0 : i64, decay}
dist.func evaluate @E0 stage 0(%x: tensor<8xf32> {pipe.source = #pipe.source<input "data" 0>}) {
  // expected-error @below {{'nn.accumulate' op found in a function of kind 'evaluate', expected it in a forward or backward one}}
  nn.accumulate @g, %x : tensor<8xf32>
  dist.return
}

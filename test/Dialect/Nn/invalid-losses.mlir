// What the nn dialect rejects: losses and updates.
// RUN: llmc-opt %s --split-input-file --verify-diagnostics

// Rejected: AdamW of an unknown parameter.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  // expected-error @below {{'nn.adamw' op found @q, expected the name of an 'nn.parameter'}}
  nn.adamw @q, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.yield
}

// -----

// Rejected: decay outside the decay class.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  // expected-error @below {{'nn.adamw' op found weight decay 5.000000e-01 for @p outside the decay class, expected 0}}
  nn.adamw @p, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.5 : f64} : f32, i1, f32, i64
  nn.yield
}

// -----

// Rejected: beta1 of one.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  // expected-error @below {{'nn.adamw' op found 'beta1' = 1.000000e+00, expected a number in [0.000000e+00, 1.000000e+00)}}
  nn.adamw @p, %k, %ok, %lr, %t {beta1 = 1.0 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.yield
}

// -----

// Rejected: beta2 below zero.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  // expected-error @below {{'nn.adamw' op found 'beta2' = -5.000000e-01, expected a number in [0.000000e+00, 1.000000e+00)}}
  nn.adamw @p, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = -0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.yield
}

// -----

// Rejected: eps of zero.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  // expected-error @below {{'nn.adamw' op found 'eps' = 0.000000e+00, expected a positive number}}
  nn.adamw @p, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.yield
}

// -----

// Rejected: negative weight decay.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  // expected-error @below {{'nn.adamw' op found 'weight_decay' = -5.000000e-01, expected a number in [0.000000e+00, INF)}}
  nn.adamw @p, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = -0.5 : f64} : f32, i1, f32, i64
  nn.yield
}

// -----

// Rejected: SGD of an unknown parameter.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  // expected-error @below {{'nn.sgd' op found @q, expected the name of an 'nn.parameter'}}
  nn.sgd @q, %k, %ok, %lr {momentum = 0.5 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.yield
}

// -----

// Rejected: decay outside the decay class, SGD.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  // expected-error @below {{'nn.sgd' op found weight decay 5.000000e-01 for @p outside the decay class, expected 0}}
  nn.sgd @p, %k, %ok, %lr {momentum = 0.5 : f64, weight_decay = 0.5 : f64} : f32, i1, f32
  nn.yield
}

// -----

// Rejected: momentum of one.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  // expected-error @below {{'nn.sgd' op found 'momentum' = 1.000000e+00, expected a number in [0.000000e+00, 1.000000e+00)}}
  nn.sgd @p, %k, %ok, %lr {momentum = 1.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.yield
}

// -----

// Rejected: infinite weight decay.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  // expected-error @below {{'nn.sgd' op found 'weight_decay' = INF, expected a number in [0.000000e+00, INF)}}
  nn.sgd @p, %k, %ok, %lr {momentum = 0.5 : f64, weight_decay = 0x7FF0000000000000 : f64} : f32, i1, f32
  nn.yield
}

// -----

// Rejected: a squared error of a vector.
nn.microbatch @f(%a: tensor<8xf32> {nn.role = "data"}, %b: tensor<8xf32> {nn.role = "data"}, %c: tensor<8xi1> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.squared_error' op found 'input' of rank 1, expected at least 2}}
  %r0, %r1 = nn.squared_error %a, %b, %c, %d : (tensor<8xf32>, tensor<8xf32>, tensor<8xi1>, f32) -> (f32, tensor<8xf32>)
  nn.yield
}

// -----

// Rejected: a target of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4x9xf32> {nn.role = "data"}, %c: tensor<6x4xi1> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.squared_error' op found 'target' of type 'tensor<6x4x9xf32>', expected 'tensor<6x4x8xf32>'}}
  %r0, %r1 = nn.squared_error %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4x9xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4x8xf32>)
  nn.yield
}

// -----

// Rejected: kept rows of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4x8xf32> {nn.role = "data"}, %c: tensor<4x6xi1> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.squared_error' op found 'keep' of shape [4, 6], expected [6, 4]}}
  %r0, %r1 = nn.squared_error %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<4x6xi1>, f32) -> (f32, tensor<6x4x8xf32>)
  nn.yield
}

// -----

// Rejected: a gradient of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4x8xf32> {nn.role = "data"}, %c: tensor<6x4xi1> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.squared_error' op found 'input_grad' of type 'tensor<6x4xf32>', expected 'tensor<6x4x8xf32>'}}
  %r0, %r1 = nn.squared_error %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4xf32>)
  nn.yield
}

// -----

// Rejected: cross-entropy of a matrix.
nn.microbatch @f(%a: tensor<6x8xf32> {nn.role = "data"}, %b: tensor<97x8xf32> {nn.role = "data"}, %c: tensor<6x4xi32> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.cross_entropy' op found 'input' of rank 2, expected 3}}
  %r0, %r1, %r2 = nn.cross_entropy %a, %b, %c, %d : (tensor<6x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x8xf32>, tensor<97x8xf32>)
  nn.yield
}

// -----

// Rejected: output weights of rank 1.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<8xf32> {nn.role = "data"}, %c: tensor<6x4xi32> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.cross_entropy' op found 'weight' of rank 1, expected 2}}
  %r0, %r1, %r2 = nn.cross_entropy %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<8xf32>)
  nn.yield
}

// -----

// Rejected: output weights of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<97x9xf32> {nn.role = "data"}, %c: tensor<6x4xi32> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.cross_entropy' op found 'weight' of shape [97, 9], expected [97, 8]}}
  %r0, %r1, %r2 = nn.cross_entropy %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<97x9xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x9xf32>)
  nn.yield
}

// -----

// Rejected: labels of other rows.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<97x8xf32> {nn.role = "data"}, %c: tensor<4x6xi32> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.cross_entropy' op found 'labels' of shape [4, 6], expected [6, 4]}}
  %r0, %r1, %r2 = nn.cross_entropy %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<4x6xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield
}

// -----

// Rejected: an input gradient of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<97x8xf32> {nn.role = "data"}, %c: tensor<6x4xi32> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.cross_entropy' op found 'input_grad' of type 'tensor<97x8xf32>', expected 'tensor<6x4x8xf32>'}}
  %r0, %r1, %r2 = nn.cross_entropy %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<97x8xf32>, tensor<97x8xf32>)
  nn.yield
}

// -----

// Rejected: a weight gradient of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<97x8xf32> {nn.role = "data"}, %c: tensor<6x4xi32> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.cross_entropy' op found 'weight_grad' of type 'tensor<6x4x8xf32>', expected 'tensor<97x8xf32>'}}
  %r0, %r1, %r2 = nn.cross_entropy %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<6x4x8xf32>)
  nn.yield
}

// -----

// Rejected: a limit of zero bytes.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<97x8xf32> {nn.role = "data"}, %c: tensor<6x4xi32> {nn.role = "data"}, %d: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.cross_entropy' op found 'logits_limit' = 0, expected at least 1}}
  %r0, %r1, %r2 = nn.cross_entropy %a, %b, %c, %d {logits_limit = 0 : i64} : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield
}

// -----

// Rejected: logits of a matrix.
nn.microbatch @f(%a: tensor<6x97xf32> {nn.role = "data"}, %b: tensor<6x4xi32> {nn.role = "data"}, %c: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.softmax_cross_entropy' op found 'logits' of rank 2, expected 3}}
  %r0, %r1 = nn.softmax_cross_entropy %a, %b, %c : (tensor<6x97xf32>, tensor<6x4xi32>, f32) -> (tensor<6x4xf32>, tensor<6x97xf32>)
  nn.yield
}

// -----

// Rejected: labels of other logits.
nn.microbatch @f(%a: tensor<6x4x97xf32> {nn.role = "data"}, %b: tensor<4x6xi32> {nn.role = "data"}, %c: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.softmax_cross_entropy' op found 'labels' of shape [4, 6], expected [6, 4]}}
  %r0, %r1 = nn.softmax_cross_entropy %a, %b, %c : (tensor<6x4x97xf32>, tensor<4x6xi32>, f32) -> (tensor<6x4xf32>, tensor<6x4x97xf32>)
  nn.yield
}

// -----

// Rejected: losses of another shape.
nn.microbatch @f(%a: tensor<6x4x97xf32> {nn.role = "data"}, %b: tensor<6x4xi32> {nn.role = "data"}, %c: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.softmax_cross_entropy' op found 'losses' of shape [6], expected [6, 4]}}
  %r0, %r1 = nn.softmax_cross_entropy %a, %b, %c : (tensor<6x4x97xf32>, tensor<6x4xi32>, f32) -> (tensor<6xf32>, tensor<6x4x97xf32>)
  nn.yield
}

// -----

// Rejected: a gradient of other logits.
nn.microbatch @f(%a: tensor<6x4x97xf32> {nn.role = "data"}, %b: tensor<6x4xi32> {nn.role = "data"}, %c: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.softmax_cross_entropy' op found 'gradient' of shape [6, 4, 8], expected [6, 4, 97]}}
  %r0, %r1 = nn.softmax_cross_entropy %a, %b, %c : (tensor<6x4x97xf32>, tensor<6x4xi32>, f32) -> (tensor<6x4xf32>, tensor<6x4x8xf32>)
  nn.yield
}

// -----

// Rejected: partial sums of a matrix.
nn.microbatch @f(%a: tensor<6x4xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.norm_partials' op found 'input' of rank 2, expected 1}}
  %r0 = nn.norm_partials %a : (tensor<6x4xf32>) -> tensor<64xf32>
  nn.yield
}

// -----

// Rejected: a matrix of partial sums.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.norm_partials' op found 'partials' of rank 2, expected 1}}
  %r0 = nn.norm_partials %a : (tensor<288xf32>) -> tensor<8x8xf32>
  nn.yield
}

// -----

// Rejected: adamw_apply: beta1 of one.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: tensor<288xf32> {nn.role = "data"}, %d: tensor<288xf32> {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: i1 {nn.role = "data"}, %g: f32 {nn.role = "data"}, %h: i64 {nn.role = "data"}) {
  // expected-error @below {{'nn.adamw_apply' op found 'beta1' = 1.000000e+00, expected a number in [0.000000e+00, 1.000000e+00)}}
  %r0, %r1, %r2 = nn.adamw_apply %a, %b, %c, %d, %e, %f, %g, %h {beta1 = 1.0 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, f32, i1, f32, i64) -> (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: adamw_apply: a negative decay border.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: tensor<288xf32> {nn.role = "data"}, %d: tensor<288xf32> {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: i1 {nn.role = "data"}, %g: f32 {nn.role = "data"}, %h: i64 {nn.role = "data"}) {
  // expected-error @below {{'nn.adamw_apply' op found 'decay_below' = -1, expected at least 0}}
  %r0, %r1, %r2 = nn.adamw_apply %a, %b, %c, %d, %e, %f, %g, %h {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, decay_below = -1 : i64} : (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, f32, i1, f32, i64) -> (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: adamw_apply: a matrix.
nn.microbatch @f(%a: tensor<6x4xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<6x4xf32> {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: i1 {nn.role = "data"}, %g: f32 {nn.role = "data"}, %h: i64 {nn.role = "data"}) {
  // expected-error @below {{'nn.adamw_apply' op found 'parameter' of rank 2, expected 1}}
  %r0, %r1, %r2 = nn.adamw_apply %a, %b, %c, %d, %e, %f, %g, %h {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, f32, i1, f32, i64) -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>)
  nn.yield
}

// -----

// Rejected: adamw_apply: a gradient of another size.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<8xf32> {nn.role = "data"}, %c: tensor<288xf32> {nn.role = "data"}, %d: tensor<288xf32> {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: i1 {nn.role = "data"}, %g: f32 {nn.role = "data"}, %h: i64 {nn.role = "data"}) {
  // expected-error @below {{'nn.adamw_apply' op found 'gradient' of shape [8], expected [288]}}
  %r0, %r1, %r2 = nn.adamw_apply %a, %b, %c, %d, %e, %f, %g, %h {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<8xf32>, tensor<288xf32>, tensor<288xf32>, f32, i1, f32, i64) -> (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: adamw_apply: a first moment of another size.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: tensor<8xf32> {nn.role = "data"}, %d: tensor<288xf32> {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: i1 {nn.role = "data"}, %g: f32 {nn.role = "data"}, %h: i64 {nn.role = "data"}) {
  // expected-error @below {{'nn.adamw_apply' op found 'moment1' of shape [8], expected [288]}}
  %r0, %r1, %r2 = nn.adamw_apply %a, %b, %c, %d, %e, %f, %g, %h {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, tensor<8xf32>, tensor<288xf32>, f32, i1, f32, i64) -> (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: adamw_apply: a second moment of another size.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: tensor<288xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: i1 {nn.role = "data"}, %g: f32 {nn.role = "data"}, %h: i64 {nn.role = "data"}) {
  // expected-error @below {{'nn.adamw_apply' op found 'moment2' of shape [8], expected [288]}}
  %r0, %r1, %r2 = nn.adamw_apply %a, %b, %c, %d, %e, %f, %g, %h {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, tensor<8xf32>, f32, i1, f32, i64) -> (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: adamw_apply: a new parameter of another type.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: tensor<288xf32> {nn.role = "data"}, %d: tensor<288xf32> {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: i1 {nn.role = "data"}, %g: f32 {nn.role = "data"}, %h: i64 {nn.role = "data"}) {
  // expected-error @below {{'nn.adamw_apply' op found 'new_parameter' of type 'tensor<8xf32>', expected 'tensor<288xf32>'}}
  %r0, %r1, %r2 = nn.adamw_apply %a, %b, %c, %d, %e, %f, %g, %h {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, f32, i1, f32, i64) -> (tensor<8xf32>, tensor<288xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: adamw_apply: a new first moment of another type.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: tensor<288xf32> {nn.role = "data"}, %d: tensor<288xf32> {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: i1 {nn.role = "data"}, %g: f32 {nn.role = "data"}, %h: i64 {nn.role = "data"}) {
  // expected-error @below {{'nn.adamw_apply' op found 'new_moment1' of type 'tensor<8xf32>', expected 'tensor<288xf32>'}}
  %r0, %r1, %r2 = nn.adamw_apply %a, %b, %c, %d, %e, %f, %g, %h {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, f32, i1, f32, i64) -> (tensor<288xf32>, tensor<8xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: adamw_apply: a new second moment of another type.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: tensor<288xf32> {nn.role = "data"}, %d: tensor<288xf32> {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: i1 {nn.role = "data"}, %g: f32 {nn.role = "data"}, %h: i64 {nn.role = "data"}) {
  // expected-error @below {{'nn.adamw_apply' op found 'new_moment2' of type 'tensor<8xf32>', expected 'tensor<288xf32>'}}
  %r0, %r1, %r2 = nn.adamw_apply %a, %b, %c, %d, %e, %f, %g, %h {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, f32, i1, f32, i64) -> (tensor<288xf32>, tensor<288xf32>, tensor<8xf32>)
  nn.yield
}

// -----

// Rejected: sgd_apply: momentum of one.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: f32 {nn.role = "data"}, %d: i1 {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: tensor<288xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sgd_apply' op found 'momentum' = 1.000000e+00, expected a number in [0.000000e+00, 1.000000e+00)}}
  %r0, %r1 = nn.sgd_apply %a, %b, %c, %d, %e, %f {momentum = 1.0 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32, tensor<288xf32>) -> (tensor<288xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: sgd_apply: a negative decay border.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: f32 {nn.role = "data"}, %d: i1 {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: tensor<288xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sgd_apply' op found 'decay_below' = -1, expected at least 0}}
  %r0, %r1 = nn.sgd_apply %a, %b, %c, %d, %e, %f {momentum = 0.5 : f64, weight_decay = 0.0 : f64, decay_below = -1 : i64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32, tensor<288xf32>) -> (tensor<288xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: sgd_apply: a matrix.
nn.microbatch @f(%a: tensor<6x4xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: f32 {nn.role = "data"}, %d: i1 {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: tensor<6x4xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sgd_apply' op found 'parameter' of rank 2, expected 1}}
  %r0, %r1 = nn.sgd_apply %a, %b, %c, %d, %e, %f {momentum = 0.5 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<6x4xf32>, tensor<6x4xf32>, f32, i1, f32, tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>)
  nn.yield
}

// -----

// Rejected: sgd_apply: a gradient of another size.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<8xf32> {nn.role = "data"}, %c: f32 {nn.role = "data"}, %d: i1 {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: tensor<288xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sgd_apply' op found 'gradient' of shape [8], expected [288]}}
  %r0, %r1 = nn.sgd_apply %a, %b, %c, %d, %e, %f {momentum = 0.5 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<8xf32>, f32, i1, f32, tensor<288xf32>) -> (tensor<288xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: sgd_apply: a new parameter of another type.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: f32 {nn.role = "data"}, %d: i1 {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: tensor<288xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sgd_apply' op found 'new_parameter' of type 'tensor<8xf32>', expected 'tensor<288xf32>'}}
  %r0, %r1 = nn.sgd_apply %a, %b, %c, %d, %e, %f {momentum = 0.5 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32, tensor<288xf32>) -> (tensor<8xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: sgd_apply: momentum without state.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: f32 {nn.role = "data"}, %d: i1 {nn.role = "data"}, %e: f32 {nn.role = "data"}) {
  // expected-error @below {{'nn.sgd_apply' op found momentum 5.000000e-01 with no state operand and no state result, expected both}}
  %r0 = nn.sgd_apply %a, %b, %c, %d, %e {momentum = 0.5 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32) -> tensor<288xf32>
  nn.yield
}

// -----

// Rejected: sgd_apply: state without momentum.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: f32 {nn.role = "data"}, %d: i1 {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: tensor<288xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sgd_apply' op found momentum 0.000000e+00 with a state operand and a state result, expected neither}}
  %r0, %r1 = nn.sgd_apply %a, %b, %c, %d, %e, %f {momentum = 0.0 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32, tensor<288xf32>) -> (tensor<288xf32>, tensor<288xf32>)
  nn.yield
}

// -----

// Rejected: sgd_apply: a state of another size.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: f32 {nn.role = "data"}, %d: i1 {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sgd_apply' op found 'momentum_state' of shape [8], expected [288]}}
  %r0, %r1 = nn.sgd_apply %a, %b, %c, %d, %e, %f {momentum = 0.5 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32, tensor<8xf32>) -> (tensor<288xf32>, tensor<8xf32>)
  nn.yield
}

// -----

// Rejected: sgd_apply: a new state of another type.
nn.microbatch @f(%a: tensor<288xf32> {nn.role = "data"}, %b: tensor<288xf32> {nn.role = "data"}, %c: f32 {nn.role = "data"}, %d: i1 {nn.role = "data"}, %e: f32 {nn.role = "data"}, %f: tensor<288xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sgd_apply' op found 'new_momentum_state' of type 'tensor<8xf32>', expected 'tensor<288xf32>'}}
  %r0, %r1 = nn.sgd_apply %a, %b, %c, %d, %e, %f {momentum = 0.5 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32, tensor<288xf32>) -> (tensor<288xf32>, tensor<8xf32>)
  nn.yield
}

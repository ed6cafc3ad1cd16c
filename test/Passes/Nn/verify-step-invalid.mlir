// Steps that break the contract between model and plan.
// RUN: llmc-opt %s --nn-verify-step --split-input-file --verify-diagnostics

// Rejected: no micro-batch @train.
// expected-error @below {{found no micro-batch '@train', expected one}}
module {
nn.parameter @w : tensor<6x8xf32> {group = "a"}
nn.update @step(%lr: f32 {nn.role = "lr"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @w, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.yield
}
}

// -----

// Rejected: no update @step.
// expected-error @below {{found no update '@step', expected one}}
module {
nn.parameter @w : tensor<6x8xf32> {group = "a"}
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %loss, %d = nn.squared_error %w, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  nn.accumulate @w, %d {direction = "backward"} : tensor<6x8xf32>
  nn.yield %loss : f32
}
}

// -----

// Rejected: no loss in @train.
nn.parameter @w : tensor<6x8xf32> {group = "a"}
// expected-error @below {{'nn.microbatch' op found no loss in '@train', expected one}}
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  nn.yield %seed : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @w, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.yield
}

// -----

// Rejected: a backward op without mark.
nn.parameter @w : tensor<6x8xf32> {group = "a"}
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %loss, %d = nn.squared_error %w, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  // expected-error @below {{'nn.accumulate' op found no backward mark after the loss, expected direction = "backward"}}
  nn.accumulate @w, %d : tensor<6x8xf32>
  nn.yield %loss : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @w, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.yield
}

// -----

// Rejected: a backward mark before the loss.
nn.parameter @w : tensor<6x8xf32> {group = "a"}
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  // expected-error @below {{'nn.get' op found a backward mark before the loss, expected none}}
  %w = nn.get @w {direction = "backward"} : tensor<6x8xf32>
  %loss, %d = nn.squared_error %w, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  nn.accumulate @w, %d {direction = "backward"} : tensor<6x8xf32>
  nn.yield %loss : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @w, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.yield
}

// -----

// Rejected: a contribution in @evaluate.
nn.parameter @w : tensor<6x8xf32> {group = "a"}
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %loss, %d = nn.squared_error %w, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  nn.accumulate @w, %d {direction = "backward"} : tensor<6x8xf32>
  nn.yield %loss : f32
}
nn.microbatch @evaluate(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %loss, %d = nn.squared_error %w, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  // expected-error @below {{'nn.accumulate' op found in '@evaluate', expected it in '@train' only}}
  nn.accumulate @w, %d : tensor<6x8xf32>
  nn.yield %loss : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @w, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.yield
}

// -----

// Rejected: a parameter without contribution.
// expected-error @below {{found parameter 'w' accumulated 0 times in '@train', expected at least once}}
nn.parameter @w : tensor<6x8xf32> {group = "a"}
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %loss, %d = nn.squared_error %w, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  nn.yield %loss : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @w, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.yield
}

// -----

// Rejected: a parameter without update.
// expected-error @below {{found parameter 'w' updated 0 times in '@step', expected exactly once}}
nn.parameter @w : tensor<6x8xf32> {group = "a"}
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %loss, %d = nn.squared_error %w, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  nn.accumulate @w, %d {direction = "backward"} : tensor<6x8xf32>
  nn.yield %loss : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.yield
}

// -----

// Rejected: a parameter updated twice.
// expected-error @below {{found parameter 'w' updated 2 times in '@step', expected exactly once}}
nn.parameter @w : tensor<6x8xf32> {group = "a"}
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %loss, %d = nn.squared_error %w, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  nn.accumulate @w, %d {direction = "backward"} : tensor<6x8xf32>
  nn.yield %loss : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"},
                %t: i64 {nn.role = "t"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  nn.sgd @w, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.adamw @w, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.yield
}

// Whole steps that keep the contract between model and plan.
// RUN: llmc-opt %s --nn-verify-step --split-input-file --verify-diagnostics

// Accepted: one contribution, one update.
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
  nn.sgd @w, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.yield
}

// -----

// Accepted: a tied parameter has two contributions; evaluation has none.
nn.parameter @w : tensor<6x8xf32> {group = "a"}
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %loss, %d = nn.squared_error %w, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  nn.accumulate @w, %d {direction = "backward"} : tensor<6x8xf32>
  nn.accumulate @w, %d {direction = "backward"} : tensor<6x8xf32>
  nn.yield %loss : f32
}
nn.microbatch @evaluate(%y: tensor<6x8xf32> {nn.role = "data"},
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

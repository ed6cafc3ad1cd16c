// Models that break what later passes assume.
// RUN: llmc-opt %s --nn-verify-model --split-input-file --verify-diagnostics

// Rejected: a module without @train.
// expected-error @below {{found no micro-batch '@train', expected one}}
module {
}

// -----

// Rejected: @train without a loss as result.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
// expected-error @below {{'nn.microbatch' op found results () of '@train', expected the loss, (f32)}}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield
}

// -----

// Rejected: an unknown micro-batch.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}
// expected-error @below {{'nn.microbatch' op found micro-batch '@validate', expected '@train', '@evaluate' or '@logits'}}
nn.microbatch @validate(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: @logits that yields a loss.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}
// expected-error @below {{'nn.microbatch' op found results ('f32') of '@logits', expected one tensor of rank 3}}
nn.microbatch @logits(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: @logits with a loss inside.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}
// expected-error @below {{'nn.microbatch' op found 1 losses in '@logits', expected 0}}
nn.microbatch @logits(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> tensor<6x4x8xf32> {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %r : tensor<6x4x8xf32>
}

// -----

// Rejected: tokens and labels of two shapes.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
// expected-error @below {{'nn.microbatch' op found tokens and labels of types 'tensor<7x4xi32>' and 'tensor<6x4xi32>', expected one type}}
nn.microbatch @train(%tokens: tensor<7x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: @train without a loss.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
// expected-error @below {{'nn.microbatch' op found 0 losses in '@train', expected 1}}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield %seed : f32
}

// -----

// Rejected: a yielded value that is not the loss.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  // expected-error @below {{'nn.yield' op found another value yielded by '@train', expected its loss}}
  nn.yield %seed : f32
}

// -----

// Rejected: a loss without the seed.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %other: f32 {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // expected-error @below {{'nn.cross_entropy' op found a loss without the argument of role 'seed', expected it as an operand}}
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %other : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: no argument for the seed.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "data"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // expected-error @below {{'nn.cross_entropy' op found a loss without the argument of role 'seed', expected it as an operand}}
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: a contribution in the forward graph.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  // expected-error @below {{'nn.accumulate' op found a backward op in '@train', expected a forward graph}}
  nn.accumulate @h, %dh : tensor<97x8xf32>
  nn.yield %loss : f32
}

// -----

// Rejected: a backward mark in the forward graph.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  // expected-error @below {{'nn.get' op found a backward op in '@train', expected a forward graph}}
  %w = nn.get @w {direction = "backward"} : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: a use of a layer's parameter outside of layers.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  // expected-error @below {{'nn.add_bias' op found no layer on a use of 'w', expected layer 0}}
  %b = nn.add_bias %x, %w : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: a use of a layer's parameter in another layer.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  // expected-error @below {{'nn.add_bias' op found layer 1 on a use of 'w', expected layer 0}}
  %b = nn.add_bias %x, %w {layer = 1 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: a parameter that nothing reads.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
// expected-error @below {{found parameter 'unused' read 0 times in '@train', expected at least once}}
nn.parameter @unused : tensor<8xf32> {layer = 0 : i64}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: a parameter with neither layer nor group.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{found parameter 'h' with neither layer nor group, expected one of them}}
nn.parameter @h : tensor<97x8xf32>
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: layers that do not start at 0.
// expected-error @below {{found layer 2 after 0 layers, expected layer 0}}
nn.parameter @w : tensor<8xf32> {layer = 2 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 2 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: a layer without end.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
// expected-error @below {{'nn.microbatch' op found 0 ends of layers, expected 1}}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// -----

// Rejected: ends of layers out of order.
nn.parameter @w : tensor<8xf32> {layer = 0 : i64}
nn.parameter @h : tensor<97x8xf32> {group = "head"}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  // expected-error @below {{'nn.add' op found the end of layer 1, expected the end of layer 0}}
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 1 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dr, %dh = nn.cross_entropy %r, %h, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

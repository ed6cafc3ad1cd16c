// Models that keep what later passes assume.
// RUN: llmc-opt %s --nn-verify-model --split-input-file --verify-diagnostics

// Accepted: training, evaluation and logits of one model.
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
nn.microbatch @evaluate(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
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
nn.microbatch @logits(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"},
    %x: tensor<6x4x8xf32> {nn.role = "data"},
    %seed: f32 {nn.role = "seed"}) -> tensor<6x4x97xf32> {
  %w = nn.get @w : tensor<8xf32>
  %h = nn.get @h : tensor<97x8xf32>
  %b = nn.add_bias %x, %w {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %r = nn.add %x, %b {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %z = nn.contract %r, %h {indices = "tbc,vc->tbv"} : (tensor<6x4x8xf32>, tensor<97x8xf32>) -> tensor<6x4x97xf32>
  nn.yield %z : tensor<6x4x97xf32>
}

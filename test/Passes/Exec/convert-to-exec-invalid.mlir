// RUN: llmc-opt %s --exec-form-dispatches --convert-to-exec --split-input-file --verify-diagnostics

!x = tensor<6x4x8xf32>

// expected-error @+1 {{internal: argument 0 has no pipe.source}}
dist.func forward @F0 stage 0(%x: !x) {
  dist.return
}

// -----

!x = tensor<6x4x8xf32>

// expected-error @+1 {{internal: on one rank argument 0 must be an input}}
dist.func forward @F1 stage 1(%x: !x {pipe.source = #pipe.source<transfer @X0>}) {
  dist.return
}

// -----

!x = tensor<6x4x8xf32>

dist.func forward @F0 stage 0(
    %x: !x {pipe.source = #pipe.source<input "data" 0>},
    %keep: tensor<6x4xi1> {pipe.source = #pipe.source<input "keep" 1>},
    %seed: f32 {pipe.source = #pipe.source<input "seed" 2>})
    -> (f32 {pipe.result = #pipe.result<loss>}) {
  // expected-error @+1 {{internal: no conversion to exec for this op}}
  %loss, %dx = nn.squared_error %x, %x, %keep, %seed : (!x, !x, tensor<6x4xi1>, f32) -> (f32, !x)
  dist.return %loss : f32
}

// -----

!q = tensor<6x4x2x8xf32>

// A batch letter is in all three terms.
dist.func forward @F0 stage 0(%q: !q {pipe.source = #pipe.source<input "data" 0>})
    -> (tensor<4x2x6x6xf32> {pipe.result = #pipe.result<saved>}) {
  // expected-error @+1 {{internal: contraction 'tbhd,sbhd->bhts' is no single matrix product}}
  %s = nn.contract %q, %q {indices = "tbhd,sbhd->bhts"} : (!q, !q) -> tensor<4x2x6x6xf32>
  dist.return %s : tensor<4x2x6x6xf32>
}

// -----

!x = tensor<6x4x8xf32>
!w = tensor<97x8xf32>

dist.func forward @F0 stage 0(
    %x: !x {pipe.source = #pipe.source<input "data" 0>},
    %w: !w {pipe.source = #pipe.source<input "weight" 1>},
    %labels: tensor<6x4xi32> {pipe.source = #pipe.source<input "labels" 2>},
    %seed: f32 {pipe.source = #pipe.source<input "seed" 3>})
    -> (!w {pipe.result = #pipe.result<saved>}) {
  // expected-error @+1 {{internal: the weight gradient of the loss must be accumulated, and nothing else}}
  %loss, %dx, %dw = nn.cross_entropy %x, %w, %labels, %seed : (!x, !w, tensor<6x4xi32>, f32) -> (f32, !x, !w)
  dist.return %dw : !w
}

// -----

dist.mesh @m [pp = 1, dp = 1, tp = 1]
pipe.program @train mesh @m microbatches 1 {
  // expected-error @+1 {{internal: action 0: found '0X0', expected}}
  pipe.schedule {kind = "1f1b", live = array<i64: 1>, ranks = ["0X0"]}
}

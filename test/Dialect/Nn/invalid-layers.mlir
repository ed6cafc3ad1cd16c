// What the nn dialect rejects: forward layers.
// RUN: llmc-opt %s --split-input-file --verify-diagnostics

// Rejected: indices without an arrow.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<32x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found indices 'tbc,fc', expected the form 'ab,bc->ac'}}
  %c = nn.contract %a, %b {indices = "tbc,fc"} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  nn.yield
}

// -----

// Rejected: indices of three operands.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<32x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found indices 'tb,c,fc->tbf', expected the form 'ab,bc->ac'}}
  %c = nn.contract %a, %b {indices = "tb,c,fc->tbf"} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  nn.yield
}

// -----

// Rejected: a comma after the arrow.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<32x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found indices 'tbc->fc,tbf', expected the form 'ab,bc->ac'}}
  %c = nn.contract %a, %b {indices = "tbc->fc,tbf"} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  nn.yield
}

// -----

// Rejected: a term of another rank.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<32x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found term 'tf' for 'tensor<6x4x32xf32>', expected 3 letters}}
  %c = nn.contract %a, %b {indices = "tbc,fc->tf"} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  nn.yield
}

// -----

// Rejected: an index that is no letter.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<32x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found '1' in term 'tb1', expected letters}}
  %c = nn.contract %a, %b {indices = "tb1,f1->tbf"} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  nn.yield
}

// -----

// Rejected: a letter twice in a term.
nn.microbatch @f(%a: tensor<6x8x8xf32> {nn.role = "data"}, %b: tensor<32x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found letter 'b' more than once in term 'tbb', expected it at most once}}
  %c = nn.contract %a, %b {indices = "tbb,fb->tbf"} : (tensor<6x8x8xf32>, tensor<32x8xf32>) -> tensor<6x8x32xf32>
  nn.yield
}

// -----

// Rejected: two sizes of a letter.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<32x9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found sizes 8 and 9 for letter 'c', expected one}}
  %c = nn.contract %a, %b {indices = "tbc,fc->tbf"} : (tensor<6x4x8xf32>, tensor<32x9xf32>) -> tensor<6x4x32xf32>
  nn.yield
}

// -----

// Rejected: a letter in one term only.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<32x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found letter 'c' in one term of 'tbc,fd->tbf', expected it in at least two}}
  %c = nn.contract %a, %b {indices = "tbc,fd->tbf"} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  nn.yield
}

// -----

// Rejected: operands of two element types.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<32x8xbf16> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found operands of 'f32' and 'bf16', expected one element type}}
  %c = nn.contract %a, %b {indices = "tbc,fc->tbf"} : (tensor<6x4x8xf32>, tensor<32x8xbf16>) -> tensor<6x4x32xf32>
  nn.yield
}

// -----

// Rejected: sums narrower than the operands.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<32x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found acc 'bf16', expected a float type at least as wide as 'f32'}}
  %c = nn.contract %a, %b {indices = "tbc,fc->tbf", acc = bf16} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  nn.yield
}

// -----

// Rejected: sums that are not floats.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<32x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.contract' op found acc 'i32', expected a float type at least as wide as 'f32'}}
  %c = nn.contract %a, %b {indices = "tbc,fc->tbf", acc = i32} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  nn.yield
}

// -----

// Rejected: addends of two types.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4x9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add' op requires the same type for all operands and results}}
  %r0 = nn.add %a, %b : (tensor<6x4x8xf32>, tensor<6x4x9xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: an unknown anchor.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add' op found anchor 'stream', expected 'residual'}}
  %r0 = nn.add %a, %b {anchor = "stream"} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: the end of a layer without anchor.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add' op found 'end_of_layer' without 'anchor', expected anchor = "residual"}}
  %r0 = nn.add %a, %b {end_of_layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: the end of a negative layer.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add' op found 'end_of_layer' = -1, expected at least 0}}
  %r0 = nn.add %a, %b {anchor = "residual", end_of_layer = -1 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: an infinite factor.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.scale' op found factor INF, expected a finite number}}
  %r0 = nn.scale %a {factor = 0x7FF0000000000000 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: a bias without dimensions.
nn.microbatch @f(%x: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<f32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add_bias' op found 'bias' of rank 0, expected at least 1}}
  %y = nn.add_bias %x, %b : (tensor<6x4x8xf32>, tensor<f32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: a bias of the whole rank.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add_bias' op found 'input' of rank 3, expected at least 4}}
  %r0 = nn.add_bias %a, %b : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: a bias of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add_bias' op found 'bias' of shape [9], expected [8]}}
  %r0 = nn.add_bias %a, %b : (tensor<6x4x8xf32>, tensor<9xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: a biased result of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add_bias' op found 'result' of type 'tensor<6x4x8xf64>', expected 'tensor<6x4x8xf32>'}}
  %r0 = nn.add_bias %a, %b : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf64>
  nn.yield
}

// -----

// Rejected: rms: a statistic of a vector.
nn.microbatch @f(%a: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_stat' op found 'input' of rank 1, expected at least 2}}
  %r0 = nn.rms_stat %a {eps = 1.0e-5 : f64} : (tensor<8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: rms: a statistic of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_stat' op found 'rstd' of shape [6], expected [6, 4]}}
  %r0 = nn.rms_stat %a {eps = 1.0e-5 : f64} : (tensor<6x4x8xf32>) -> tensor<6xf32>
  nn.yield
}

// -----

// Rejected: rms: eps of zero.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_stat' op found 'eps' = 0.000000e+00, expected a positive number}}
  %r0 = nn.rms_stat %a {eps = 0.0 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
  nn.yield
}

// -----

// Rejected: rms: a vector as input.
nn.microbatch @f(%a: tensor<8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_apply' op found 'input' of rank 1, expected at least 2}}
  %r0 = nn.rms_apply %a, %b, %c : (tensor<8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: rms: a statistic of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<4x6xf32> {nn.role = "data"}, %c: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_apply' op found 'rstd' of shape [4, 6], expected [6, 4]}}
  %r0 = nn.rms_apply %a, %b, %c : (tensor<6x4x8xf32>, tensor<4x6xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: rms: a gain of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_apply' op found 'gain' of shape [9], expected [8]}}
  %r0 = nn.rms_apply %a, %b, %c : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<9xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: rms: a result of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_apply' op found 'result' of type 'tensor<6x4x8xf64>', expected 'tensor<6x4x8xf32>'}}
  %r0 = nn.rms_apply %a, %b, %c : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf64>
  nn.yield
}

// -----

// Rejected: layer_norm: a statistic of a vector.
nn.microbatch @f(%a: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_stat' op found 'input' of rank 1, expected at least 2}}
  %r0, %r1 = nn.layer_norm_stat %a {eps = 1.0e-5 : f64} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  nn.yield
}

// -----

// Rejected: layer_norm: a mean of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_stat' op found 'mean' of shape [6], expected [6, 4]}}
  %r0, %r1 = nn.layer_norm_stat %a {eps = 1.0e-5 : f64} : (tensor<6x4x8xf32>) -> (tensor<6xf32>, tensor<6x4xf32>)
  nn.yield
}

// -----

// Rejected: layer_norm: a deviation of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_stat' op found 'rstd' of shape [6], expected [6, 4]}}
  %r0, %r1 = nn.layer_norm_stat %a {eps = 1.0e-5 : f64} : (tensor<6x4x8xf32>) -> (tensor<6x4xf32>, tensor<6xf32>)
  nn.yield
}

// -----

// Rejected: layer_norm: eps of zero.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_stat' op found 'eps' = 0.000000e+00, expected a positive number}}
  %r0, %r1 = nn.layer_norm_stat %a {eps = 0.0 : f64} : (tensor<6x4x8xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>)
  nn.yield
}

// -----

// Rejected: layer_norm: a vector as input.
nn.microbatch @f(%a: tensor<8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_apply' op found 'input' of rank 1, expected at least 2}}
  %r0 = nn.layer_norm_apply %a, %b, %c, %d : (tensor<8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm: a mean of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_apply' op found 'mean' of shape [6], expected [6, 4]}}
  %r0 = nn.layer_norm_apply %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm: a statistic of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<4x6xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_apply' op found 'rstd' of shape [4, 6], expected [6, 4]}}
  %r0 = nn.layer_norm_apply %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<4x6xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm: a gain of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_apply' op found 'gain' of shape [9], expected [8]}}
  %r0 = nn.layer_norm_apply %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<9xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm: a bias of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}, %e: tensor<9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_apply' op found 'bias' of shape [9], expected [8]}}
  %r0 = nn.layer_norm_apply %a, %b, %c, %d, %e : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<9xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm: a result of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_apply' op found 'result' of type 'tensor<6x4x8xf64>', expected 'tensor<6x4x8xf32>'}}
  %r0 = nn.layer_norm_apply %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf64>
  nn.yield
}

// -----

// Rejected: tokens of rank 1.
nn.microbatch @f(%a: tensor<6xi32> {nn.role = "data"}, %b: tensor<97x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.embedding' op found 'tokens' of rank 1, expected 2}}
  %r0 = nn.embedding %a, %b : (tensor<6xi32>, tensor<97x8xf32>) -> tensor<6x8xf32>
  nn.yield
}

// -----

// Rejected: a table of rank 1.
nn.microbatch @f(%a: tensor<6x4xi32> {nn.role = "data"}, %b: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.embedding' op found 'table' of rank 1, expected 2}}
  %r0 = nn.embedding %a, %b : (tensor<6x4xi32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: embeddings of another size.
nn.microbatch @f(%a: tensor<6x4xi32> {nn.role = "data"}, %b: tensor<97x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.embedding' op found 'result' of shape [6, 4, 9], expected [6, 4, 8]}}
  %r0 = nn.embedding %a, %b : (tensor<6x4xi32>, tensor<97x8xf32>) -> tensor<6x4x9xf32>
  nn.yield
}

// -----

// Rejected: positions of a matrix.
nn.microbatch @f(%a: tensor<6x8xf32> {nn.role = "data"}, %b: tensor<16x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add_positions' op found 'input' of rank 2, expected 3}}
  %r0 = nn.add_positions %a, %b : (tensor<6x8xf32>, tensor<16x8xf32>) -> tensor<6x8xf32>
  nn.yield
}

// -----

// Rejected: a table of positions of rank 1.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add_positions' op found 'table' of rank 1, expected 2}}
  %r0 = nn.add_positions %a, %b : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: too few positions.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<5x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add_positions' op found a table of 5 positions, expected at least 6}}
  %r0 = nn.add_positions %a, %b : (tensor<6x4x8xf32>, tensor<5x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: positions of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<16x9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add_positions' op found 'table' of shape [16, 9], expected [16, 8]}}
  %r0 = nn.add_positions %a, %b : (tensor<6x4x8xf32>, tensor<16x9xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: a result with positions of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<16x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.add_positions' op found 'result' of type 'tensor<6x4x9xf32>', expected 'tensor<6x4x8xf32>'}}
  %r0 = nn.add_positions %a, %b : (tensor<6x4x8xf32>, tensor<16x8xf32>) -> tensor<6x4x9xf32>
  nn.yield
}

// -----

// Rejected: rotation of all heads at once.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rope' op found 'input' of rank 3, expected 4}}
  %r0 = nn.rope %a {theta = 1.0 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: an odd head size.
nn.microbatch @f(%a: tensor<6x4x2x7xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rope' op found heads of size 7, expected an even size}}
  %r0 = nn.rope %a {theta = 1.0 : f64} : (tensor<6x4x2x7xf32>) -> tensor<6x4x2x7xf32>
  nn.yield
}

// -----

// Rejected: theta of zero.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rope' op found 'theta' = 0.000000e+00, expected a positive number}}
  %r0 = nn.rope %a {theta = 0.0 : f64} : (tensor<6x4x2x8xf32>) -> tensor<6x4x2x8xf32>
  nn.yield
}

// -----

// Rejected: document starts of rank 1.
nn.microbatch @f(%a: tensor<6xi32> {nn.role = "data"}) {
  // expected-error @below {{'nn.document_start' op found 'tokens' of rank 1, expected 2}}
  %r0 = nn.document_start %a {end = 0 : i64} : (tensor<6xi32>) -> tensor<6xi32>
  nn.yield
}

// -----

// Rejected: document starts of another shape.
nn.microbatch @f(%a: tensor<6x4xi32> {nn.role = "data"}) {
  // expected-error @below {{'nn.document_start' op found 'starts' of shape [4, 6], expected [6, 4]}}
  %r0 = nn.document_start %a {end = 0 : i64} : (tensor<6x4xi32>) -> tensor<4x6xi32>
  nn.yield
}

// -----

// Rejected: two document marks.
nn.microbatch @f(%a: tensor<6x4xi32> {nn.role = "data"}) {
  // expected-error @below {{'nn.document_start' op found both of 'end' and 'start', expected exactly one}}
  %r0 = nn.document_start %a {end = 0 : i64, start = 1 : i64} : (tensor<6x4xi32>) -> tensor<6x4xi32>
  nn.yield
}

// -----

// Rejected: no document mark.
nn.microbatch @f(%a: tensor<6x4xi32> {nn.role = "data"}) {
  // expected-error @below {{'nn.document_start' op found neither of 'end' and 'start', expected exactly one}}
  %r0 = nn.document_start %a : (tensor<6x4xi32>) -> tensor<6x4xi32>
  nn.yield
}

// -----

// Rejected: queries without heads.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 'q' of rank 3, expected 4}}
  %r0, %r1 = nn.attention %a, %b, %c {scale = 0.5 : f64} : (tensor<6x4x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>) -> (tensor<6x4x8xf32>, tensor<6x4x2xf32>)
  nn.yield
}

// -----

// Rejected: keys without heads.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x8xf32> {nn.role = "data"}, %c: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 'k' of rank 3, expected 4}}
  %r0, %r1 = nn.attention %a, %b, %c {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  nn.yield
}

// -----

// Rejected: query heads that do not divide.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x3x8xf32> {nn.role = "data"}, %c: tensor<6x4x3x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 2 query heads and 3 key heads, expected a multiple of the key heads}}
  %r0, %r1 = nn.attention %a, %b, %c {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x3x8xf32>, tensor<6x4x3x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  nn.yield
}

// -----

// Rejected: keys of another length.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<5x4x1x8xf32> {nn.role = "data"}, %c: tensor<5x4x1x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 'k' of shape [5, 4, 1, 8], expected [6, 4, 1, 8]}}
  %r0, %r1 = nn.attention %a, %b, %c {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<5x4x1x8xf32>, tensor<5x4x1x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  nn.yield
}

// -----

// Rejected: values of another type.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x2x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 'v' of type 'tensor<6x4x2x8xf32>', expected 'tensor<6x4x1x8xf32>'}}
  %r0, %r1 = nn.attention %a, %b, %c {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x2x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  nn.yield
}

// -----

// Rejected: a log-sum-exp of another shape.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 'lse' of shape [6, 4], expected [6, 4, 2]}}
  %r0, %r1 = nn.attention %a, %b, %c {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4xf32>)
  nn.yield
}

// -----

// Rejected: document starts of another shape.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}, %d: tensor<4x6xi32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 'document_starts' of shape [4, 6], expected [6, 4]}}
  %r0, %r1 = nn.attention %a, %b, %c, %d {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<4x6xi32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  nn.yield
}

// -----

// Rejected: a scale of zero.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 'scale' = 0.000000e+00, expected a positive number}}
  %r0, %r1 = nn.attention %a, %b, %c {scale = 0.0 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  nn.yield
}

// -----

// Rejected: an empty window.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 'window' = 0, expected at least 1}}
  %r0, %r1 = nn.attention %a, %b, %c {scale = 0.5 : f64, window = 0 : i64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  nn.yield
}

// -----

// Rejected: negative global tokens.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 'global_tokens' = -1, expected at least 0}}
  %r0, %r1 = nn.attention %a, %b, %c {scale = 0.5 : f64, global_tokens = -1 : i64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  nn.yield
}

// -----

// Rejected: an output of another type.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention' op found 'result' of type 'tensor<6x4x1x8xf32>', expected 'tensor<6x4x2x8xf32>'}}
  %r0, %r1 = nn.attention %a, %b, %c {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>) -> (tensor<6x4x1x8xf32>, tensor<6x4x2xf32>)
  nn.yield
}

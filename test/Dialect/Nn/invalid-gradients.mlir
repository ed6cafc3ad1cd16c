// What the nn dialect rejects: ops that reverse rules emit.
// RUN: llmc-opt %s --split-input-file --verify-diagnostics

// Rejected: rms in its input: a vector as input.
nn.microbatch @f(%a: tensor<8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<8xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_input_grad' op found 'input' of rank 1, expected at least 2}}
  %r0 = nn.rms_input_grad %a, %b, %c, %d : (tensor<8xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: rms in its input: a statistic of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<4x6xf32> {nn.role = "data"}, %c: tensor<8xf32> {nn.role = "data"}, %d: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_input_grad' op found 'rstd' of shape [4, 6], expected [6, 4]}}
  %r0 = nn.rms_input_grad %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<4x6xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: rms in its input: a gain of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<9xf32> {nn.role = "data"}, %d: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_input_grad' op found 'gain' of shape [9], expected [8]}}
  %r0 = nn.rms_input_grad %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<9xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: rms in its input: a cotangent of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<8xf32> {nn.role = "data"}, %d: tensor<6x4x9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_input_grad' op found 'cotangent' of type 'tensor<6x4x9xf32>', expected 'tensor<6x4x8xf32>'}}
  %r0 = nn.rms_input_grad %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x9xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: rms in its input: a result of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<8xf32> {nn.role = "data"}, %d: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_input_grad' op found 'result' of type 'tensor<6x4x9xf32>', expected 'tensor<6x4x8xf32>'}}
  %r0 = nn.rms_input_grad %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x9xf32>
  nn.yield
}

// -----

// Rejected: rms in its gain: a vector as input.
nn.microbatch @f(%a: tensor<8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_weight_grad' op found 'input' of rank 1, expected at least 2}}
  %r0 = nn.rms_weight_grad %a, %b, %c : (tensor<8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: rms in its gain: a statistic of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<4x6xf32> {nn.role = "data"}, %c: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_weight_grad' op found 'rstd' of shape [4, 6], expected [6, 4]}}
  %r0 = nn.rms_weight_grad %a, %b, %c : (tensor<6x4x8xf32>, tensor<4x6xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: rms in its gain: a cotangent of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4x9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_weight_grad' op found 'cotangent' of type 'tensor<6x4x9xf32>', expected 'tensor<6x4x8xf32>'}}
  %r0 = nn.rms_weight_grad %a, %b, %c : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x9xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: rms in its gain: a result of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.rms_weight_grad' op found 'result' of shape [9], expected [8]}}
  %r0 = nn.rms_weight_grad %a, %b, %c : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<9xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its input: a vector as input.
nn.microbatch @f(%a: tensor<8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}, %e: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_input_grad' op found 'input' of rank 1, expected at least 2}}
  %r0 = nn.layer_norm_input_grad %a, %b, %c, %d, %e : (tensor<8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its input: a mean of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}, %e: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_input_grad' op found 'mean' of shape [6], expected [6, 4]}}
  %r0 = nn.layer_norm_input_grad %a, %b, %c, %d, %e : (tensor<6x4x8xf32>, tensor<6xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its input: a statistic of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<4x6xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}, %e: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_input_grad' op found 'rstd' of shape [4, 6], expected [6, 4]}}
  %r0 = nn.layer_norm_input_grad %a, %b, %c, %d, %e : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<4x6xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its input: a gain of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<9xf32> {nn.role = "data"}, %e: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_input_grad' op found 'gain' of shape [9], expected [8]}}
  %r0 = nn.layer_norm_input_grad %a, %b, %c, %d, %e : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<9xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its input: a cotangent of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}, %e: tensor<6x4x9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_input_grad' op found 'cotangent' of type 'tensor<6x4x9xf32>', expected 'tensor<6x4x8xf32>'}}
  %r0 = nn.layer_norm_input_grad %a, %b, %c, %d, %e : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x9xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its input: a result of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}, %e: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_input_grad' op found 'result' of type 'tensor<6x4x9xf32>', expected 'tensor<6x4x8xf32>'}}
  %r0 = nn.layer_norm_input_grad %a, %b, %c, %d, %e : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x9xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its gain: a vector as input.
nn.microbatch @f(%a: tensor<8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_weight_grad' op found 'input' of rank 1, expected at least 2}}
  %r0 = nn.layer_norm_weight_grad %a, %b, %c, %d : (tensor<8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its gain: a mean of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_weight_grad' op found 'mean' of shape [6], expected [6, 4]}}
  %r0 = nn.layer_norm_weight_grad %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its gain: a statistic of another shape.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<4x6xf32> {nn.role = "data"}, %d: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_weight_grad' op found 'rstd' of shape [4, 6], expected [6, 4]}}
  %r0 = nn.layer_norm_weight_grad %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<4x6xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its gain: a cotangent of another type.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<6x4x9xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_weight_grad' op found 'cotangent' of type 'tensor<6x4x9xf32>', expected 'tensor<6x4x8xf32>'}}
  %r0 = nn.layer_norm_weight_grad %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4x9xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: layer_norm in its gain: a result of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}, %b: tensor<6x4xf32> {nn.role = "data"}, %c: tensor<6x4xf32> {nn.role = "data"}, %d: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.layer_norm_weight_grad' op found 'result' of shape [9], expected [8]}}
  %r0 = nn.layer_norm_weight_grad %a, %b, %c, %d : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<9xf32>
  nn.yield
}

// -----

// Rejected: the gradient of tokens of rank 1.
nn.microbatch @f(%a: tensor<6xi32> {nn.role = "data"}, %b: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.embedding_grad' op found 'tokens' of rank 1, expected 2}}
  %r0 = nn.embedding_grad %a, %b : (tensor<6xi32>, tensor<6x4x8xf32>) -> tensor<97x8xf32>
  nn.yield
}

// -----

// Rejected: the gradient of a table of rank 1.
nn.microbatch @f(%a: tensor<6x4xi32> {nn.role = "data"}, %b: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.embedding_grad' op found 'result' of rank 1, expected 2}}
  %r0 = nn.embedding_grad %a, %b : (tensor<6x4xi32>, tensor<6x4x8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: a cotangent of other tokens.
nn.microbatch @f(%a: tensor<4x6xi32> {nn.role = "data"}, %b: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.embedding_grad' op found 'cotangent' of shape [6, 4, 8], expected [4, 6, 8]}}
  %r0 = nn.embedding_grad %a, %b : (tensor<4x6xi32>, tensor<6x4x8xf32>) -> tensor<97x8xf32>
  nn.yield
}

// -----

// Rejected: the gradient of positions of a matrix.
nn.microbatch @f(%a: tensor<6x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.positions_grad' op found 'cotangent' of rank 2, expected 3}}
  %r0 = nn.positions_grad %a : (tensor<6x8xf32>) -> tensor<16x8xf32>
  nn.yield
}

// -----

// Rejected: the gradient of positions of rank 1.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.positions_grad' op found 'result' of rank 1, expected 2}}
  %r0 = nn.positions_grad %a : (tensor<6x4x8xf32>) -> tensor<8xf32>
  nn.yield
}

// -----

// Rejected: the gradient of too few positions.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.positions_grad' op found a table of 5 positions, expected at least 6}}
  %r0 = nn.positions_grad %a : (tensor<6x4x8xf32>) -> tensor<5x8xf32>
  nn.yield
}

// -----

// Rejected: the gradient of positions of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.positions_grad' op found 'result' of shape [16, 9], expected [16, 8]}}
  %r0 = nn.positions_grad %a : (tensor<6x4x8xf32>) -> tensor<16x9xf32>
  nn.yield
}

// -----

// Rejected: attention_grad: query heads that do not divide.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x3x8xf32> {nn.role = "data"}, %c: tensor<6x4x3x8xf32> {nn.role = "data"}, %d: tensor<6x4x2x8xf32> {nn.role = "data"}, %e: tensor<6x4x2xf32> {nn.role = "data"}, %f: tensor<6x4x2x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention_grad' op found 2 query heads and 3 key heads, expected a multiple of the key heads}}
  %r0, %r1, %r2 = nn.attention_grad %a, %b, %c, %d, %e, %f {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x3x8xf32>, tensor<6x4x3x8xf32>, tensor<6x4x2x8xf32>, tensor<6x4x2xf32>, tensor<6x4x2x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>)
  nn.yield
}

// -----

// Rejected: attention_grad: an output of another type.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}, %d: tensor<6x4x1x8xf32> {nn.role = "data"}, %e: tensor<6x4x2xf32> {nn.role = "data"}, %f: tensor<6x4x2x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention_grad' op found 'output' of type 'tensor<6x4x1x8xf32>', expected 'tensor<6x4x2x8xf32>'}}
  %r0, %r1, %r2 = nn.attention_grad %a, %b, %c, %d, %e, %f {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x2xf32>, tensor<6x4x2x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>)
  nn.yield
}

// -----

// Rejected: attention_grad: a cotangent of another type.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}, %d: tensor<6x4x2x8xf32> {nn.role = "data"}, %e: tensor<6x4x2xf32> {nn.role = "data"}, %f: tensor<6x4x1x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention_grad' op found 'cotangent' of type 'tensor<6x4x1x8xf32>', expected 'tensor<6x4x2x8xf32>'}}
  %r0, %r1, %r2 = nn.attention_grad %a, %b, %c, %d, %e, %f {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x2x8xf32>, tensor<6x4x2xf32>, tensor<6x4x1x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>)
  nn.yield
}

// -----

// Rejected: attention_grad: dq of another type.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}, %d: tensor<6x4x2x8xf32> {nn.role = "data"}, %e: tensor<6x4x2xf32> {nn.role = "data"}, %f: tensor<6x4x2x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention_grad' op found 'dq' of type 'tensor<6x4x1x8xf32>', expected 'tensor<6x4x2x8xf32>'}}
  %r0, %r1, %r2 = nn.attention_grad %a, %b, %c, %d, %e, %f {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x2x8xf32>, tensor<6x4x2xf32>, tensor<6x4x2x8xf32>) -> (tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>)
  nn.yield
}

// -----

// Rejected: attention_grad: dk of another type.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}, %d: tensor<6x4x2x8xf32> {nn.role = "data"}, %e: tensor<6x4x2xf32> {nn.role = "data"}, %f: tensor<6x4x2x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention_grad' op found 'dk' of type 'tensor<6x4x2x8xf32>', expected 'tensor<6x4x1x8xf32>'}}
  %r0, %r1, %r2 = nn.attention_grad %a, %b, %c, %d, %e, %f {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x2x8xf32>, tensor<6x4x2xf32>, tensor<6x4x2x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>)
  nn.yield
}

// -----

// Rejected: attention_grad: dv of another type.
nn.microbatch @f(%a: tensor<6x4x2x8xf32> {nn.role = "data"}, %b: tensor<6x4x1x8xf32> {nn.role = "data"}, %c: tensor<6x4x1x8xf32> {nn.role = "data"}, %d: tensor<6x4x2x8xf32> {nn.role = "data"}, %e: tensor<6x4x2xf32> {nn.role = "data"}, %f: tensor<6x4x2x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.attention_grad' op found 'dv' of type 'tensor<6x4x2x8xf32>', expected 'tensor<6x4x1x8xf32>'}}
  %r0, %r1, %r2 = nn.attention_grad %a, %b, %c, %d, %e, %f {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x2x8xf32>, tensor<6x4x2xf32>, tensor<6x4x2x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x2x8xf32>)
  nn.yield
}

// -----

// Rejected: a sum to a scalar.
nn.microbatch @f(%x: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sum_leading' op found 'result' of rank 0, expected at least 1}}
  %y = nn.sum_leading %x : (tensor<6x4x8xf32>) -> tensor<f32>
  nn.yield
}

// -----

// Rejected: a sum over nothing.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sum_leading' op found 'input' of rank 3, expected at least 4}}
  %r0 = nn.sum_leading %a : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield
}

// -----

// Rejected: a sum of another size.
nn.microbatch @f(%a: tensor<6x4x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sum_leading' op found 'result' of shape [9], expected [8]}}
  %r0 = nn.sum_leading %a : (tensor<6x4x8xf32>) -> tensor<9xf32>
  nn.yield
}

// RUN: llmc-opt --cpu-lower-kernels --split-input-file --verify-diagnostics %s

// expected-error @+1 {{internal: the CPU target cannot lower a kernel on 'tensor<8x4xbf16>'}}
exec.kernel @half(%t: tensor<2x2xi32>, %w: tensor<8x4xbf16>)
    -> tensor<2x2x4xbf16>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  %x = nn.embedding %t, %w
      : (tensor<2x2xi32>, tensor<8x4xbf16>) -> tensor<2x2x4xbf16>
  exec.return %x : tensor<2x2x4xbf16>
}

// -----

// expected-error @+1 {{internal: a kernel of op 'nn.clip_factor' must return all of its results}}
exec.kernel @dropped(%n: f32, %c: f32, %i: f32) -> f32
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  %k, %ok = nn.clip_factor %n, %c, %i : (f32, f32, f32) -> (f32, i1)
  exec.return %k : f32
}

// -----

// expected-error @+1 {{internal: a kernel of op 'nn.attention' cannot accumulate}}
exec.kernel @adds(%q: tensor<9x1x1x8xf32>) -> tensor<9x1x1x8xf32>
    attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
  %o, %l = nn.attention %q, %q, %q {scale = 0.35 : f64}
      : (tensor<9x1x1x8xf32>, tensor<9x1x1x8xf32>, tensor<9x1x1x8xf32>)
      -> (tensor<9x1x1x8xf32>, tensor<9x1x1xf32>)
  exec.return %o : tensor<9x1x1x8xf32>
}

// -----

exec.kernel @constant_operand(%t: tensor<2x2xi32>) -> tensor<2x2x4xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  %w = arith.constant dense<0.0> : tensor<8x4xf32>
  // expected-error @+1 {{internal: an operand of root op 'nn.embedding' is not an argument of its kernel}}
  %x = nn.embedding %t, %w
      : (tensor<2x2xi32>, tensor<8x4xf32>) -> tensor<2x2x4xf32>
  exec.return %x : tensor<2x2x4xf32>
}

// -----

// expected-error @+1 {{internal: a root kernel returns an argument}}
exec.kernel @argument(%x: f32, %c: f32, %i: f32) -> (f32, i1, f32)
    attributes {accumulate = array<i1: false, false, false>,
                aliases = array<i64: -1, -1, -1>} {
  %k, %ok = nn.clip_factor %x, %c, %i : (f32, f32, f32) -> (f32, i1)
  exec.return %k, %ok, %x : f32, i1, f32
}

// -----

func.func @other_dialects(%x: f64) -> f64 {
  // expected-error @+1 {{internal: the CPU target cannot lower op 'math.erf'}}
  %y = math.erf %x : f64
  return %y : f64
}

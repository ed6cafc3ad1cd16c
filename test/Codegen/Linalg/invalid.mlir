// RUN: llmc-opt --convert-exec-kernels-to-linalg --split-input-file --verify-diagnostics %s

exec.kernel @library(%a: tensor<6x4x8xf32>, %b: tensor<32x8xf32>)
    -> tensor<6x4x32xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  // expected-error @+1 {{internal: code generation has no kernel for op 'nn.contract'}}
  %c = nn.contract %a, %b {indices = "tbc,fc->tbf"}
      : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  exec.return %c : tensor<6x4x32xf32>
}

// -----

exec.kernel @root_with_company(%t: tensor<5x3xi32>, %w: tensor<11x8xf32>)
    -> tensor<5x3x8xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  %x = nn.embedding %t, %w
      : (tensor<5x3xi32>, tensor<11x8xf32>) -> tensor<5x3x8xf32>
  // expected-error @+1 {{internal: op 'nn.relu' shares a kernel with a root op}}
  %y = nn.relu %x : (tensor<5x3x8xf32>) -> tensor<5x3x8xf32>
  exec.return %y : tensor<5x3x8xf32>
}

// -----

// expected-error @+1 {{internal: reduces along rows and along columns}}
exec.kernel @both(%x: tensor<5x3x8xf32>) -> (tensor<5x3xf32>, tensor<8xf32>)
    attributes {accumulate = array<i1: false, false>,
                aliases = array<i64: -1, -1>} {
  %r = nn.rms_stat %x {eps = 1.0e-5 : f64}
      : (tensor<5x3x8xf32>) -> tensor<5x3xf32>
  %s = nn.sum_leading %x : (tensor<5x3x8xf32>) -> tensor<8xf32>
  exec.return %r, %s : tensor<5x3xf32>, tensor<8xf32>
}

// -----

exec.kernel @ranks(%x: tensor<5x3x8xf32>, %y: tensor<5x3x2x8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>)
    attributes {accumulate = array<i1: false, false>,
                aliases = array<i64: -1, -1>} {
  %s = nn.sum_leading %x : (tensor<5x3x8xf32>) -> tensor<8xf32>
  // expected-error @+1 {{internal: op 'nn.sum_leading' reduces 3 leading dimensions, another op of its kernel 2}}
  %t = nn.sum_leading %y : (tensor<5x3x2x8xf32>) -> tensor<8xf32>
  exec.return %s, %t : tensor<8xf32>, tensor<8xf32>
}

// -----

exec.kernel @half(%a: tensor<3x2x8xbf16>) -> tensor<3x2x8xbf16>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  // expected-error @+1 {{internal: the linalg conversion cannot lower op 'nn.gelu'}}
  %h = nn.gelu %a : (tensor<3x2x8xbf16>) -> tensor<3x2x8xbf16>
  exec.return %h : tensor<3x2x8xbf16>
}

// Row kernels against the interpreter: odd shapes, one row, tails of vectors.
// RUN: llmc-kernel-test %s | FileCheck %s
// RUN: llmc-kernel-test --baseline %s | FileCheck %s
// CHECK-NOT: FAILED

exec.program @rows {
  // CHECK: gelu: ok
  exec.kernel @gelu(%a: tensor<3x2x37xf32>) -> tensor<3x2x37xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %h = nn.gelu %a : (tensor<3x2x37xf32>) -> tensor<3x2x37xf32>
    exec.return %h : tensor<3x2x37xf32>
  }
  // CHECK: gelu_tanh_one_row: ok
  exec.kernel @gelu_tanh_one_row(%a: tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %h = nn.gelu %a {tanh_form} : (tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    exec.return %h : tensor<1x1x64xf32>
  }
  // CHECK: activations: ok
  exec.kernel @activations(%a: tensor<3x2x100xf32>, %b: tensor<3x2x100xf32>)
      -> (tensor<3x2x100xf32>, tensor<3x2x100xf32>, tensor<3x2x100xf32>)
      attributes {accumulate = array<i1: false, true, false>,
                  aliases = array<i64: 0, -1, 1>} {
    %s = nn.silu %a : (tensor<3x2x100xf32>) -> tensor<3x2x100xf32>
    %r = nn.relu %b : (tensor<3x2x100xf32>) -> tensor<3x2x100xf32>
    %m = nn.multiply %s, %r
        : (tensor<3x2x100xf32>, tensor<3x2x100xf32>) -> tensor<3x2x100xf32>
    %c = nn.scale %m {factor = 0.5 : f64}
        : (tensor<3x2x100xf32>) -> tensor<3x2x100xf32>
    exec.return %s, %m, %c
        : tensor<3x2x100xf32>, tensor<3x2x100xf32>, tensor<3x2x100xf32>
  }
  // CHECK: activation_grads: ok
  exec.kernel @activation_grads(%a: tensor<3x2x33xf32>, %d: tensor<3x2x33xf32>)
      -> (tensor<3x2x33xf32>, tensor<3x2x33xf32>, tensor<3x2x33xf32>,
          tensor<3x2x33xf32>)
      attributes {accumulate = array<i1: false, false, false, false>,
                  aliases = array<i64: 0, 1, -1, -1>} {
    %0 = nn.gelu_input_grad %a, %d
        : (tensor<3x2x33xf32>, tensor<3x2x33xf32>) -> tensor<3x2x33xf32>
    %1 = nn.gelu_input_grad %a, %d {tanh_form}
        : (tensor<3x2x33xf32>, tensor<3x2x33xf32>) -> tensor<3x2x33xf32>
    %2 = nn.silu_input_grad %a, %d
        : (tensor<3x2x33xf32>, tensor<3x2x33xf32>) -> tensor<3x2x33xf32>
    %3 = nn.relu_input_grad %a, %d
        : (tensor<3x2x33xf32>, tensor<3x2x33xf32>) -> tensor<3x2x33xf32>
    exec.return %0, %1, %2, %3
        : tensor<3x2x33xf32>, tensor<3x2x33xf32>, tensor<3x2x33xf32>,
          tensor<3x2x33xf32>
  }
  // CHECK: add_bias_positions: ok
  exec.kernel @add_bias_positions(%x: tensor<5x3x18xf32>, %p: tensor<9x18xf32>,
                                  %b: tensor<18xf32>) -> tensor<5x3x18xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %y = nn.add_positions %x, %p
        : (tensor<5x3x18xf32>, tensor<9x18xf32>) -> tensor<5x3x18xf32>
    %z = nn.add_bias %y, %b
        : (tensor<5x3x18xf32>, tensor<18xf32>) -> tensor<5x3x18xf32>
    exec.return %z : tensor<5x3x18xf32>
  }
  // CHECK: head_bias: ok
  exec.kernel @head_bias(%x: tensor<5x3x2x6xf32>, %b: tensor<2x6xf32>)
      -> tensor<5x3x2x6xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %y = nn.add_bias %x, %b
        : (tensor<5x3x2x6xf32>, tensor<2x6xf32>) -> tensor<5x3x2x6xf32>
    exec.return %y : tensor<5x3x2x6xf32>
  }
  // CHECK: rms: ok
  exec.kernel @rms(%x: tensor<5x3x70xf32>, %d: tensor<5x3x70xf32>,
                   %g: tensor<70xf32>)
      -> (tensor<5x3x70xf32>, tensor<5x3xf32>, tensor<5x3x70xf32>)
      attributes {accumulate = array<i1: false, false, false>,
                  aliases = array<i64: 0, -1, 1>} {
    %s = nn.add %x, %d
        : (tensor<5x3x70xf32>, tensor<5x3x70xf32>) -> tensor<5x3x70xf32>
    %r = nn.rms_stat %s {eps = 1.0e-5 : f64}
        : (tensor<5x3x70xf32>) -> tensor<5x3xf32>
    %n = nn.rms_apply %s, %r, %g
        : (tensor<5x3x70xf32>, tensor<5x3xf32>, tensor<70xf32>)
        -> tensor<5x3x70xf32>
    exec.return %s, %r, %n
        : tensor<5x3x70xf32>, tensor<5x3xf32>, tensor<5x3x70xf32>
  }
  // CHECK: rms_plus_one: ok
  exec.kernel @rms_plus_one(%x: tensor<7x1x8xf32>, %r: tensor<7x1xf32>,
                            %g: tensor<8xf32>, %d: tensor<7x1x8xf32>)
      -> (tensor<7x1x8xf32>, tensor<7x1x8xf32>)
      attributes {accumulate = array<i1: false, true>,
                  aliases = array<i64: 0, -1>} {
    %n = nn.rms_apply %x, %r, %g {plus_one}
        : (tensor<7x1x8xf32>, tensor<7x1xf32>, tensor<8xf32>)
        -> tensor<7x1x8xf32>
    %dx = nn.rms_input_grad %x, %r, %g, %d {plus_one}
        : (tensor<7x1x8xf32>, tensor<7x1xf32>, tensor<8xf32>,
           tensor<7x1x8xf32>) -> tensor<7x1x8xf32>
    exec.return %n, %dx : tensor<7x1x8xf32>, tensor<7x1x8xf32>
  }
  // CHECK: layer_norm: ok
  exec.kernel @layer_norm(%x: tensor<5x3x130xf32>, %g: tensor<130xf32>,
                          %b: tensor<130xf32>)
      -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3x130xf32>)
      attributes {accumulate = array<i1: false, false, false>,
                  aliases = array<i64: -1, -1, 0>} {
    %m, %r = nn.layer_norm_stat %x {eps = 1.0e-5 : f64}
        : (tensor<5x3x130xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>)
    %n = nn.layer_norm_apply %x, %m, %r, %g, %b
        : (tensor<5x3x130xf32>, tensor<5x3xf32>, tensor<5x3xf32>,
           tensor<130xf32>, tensor<130xf32>) -> tensor<5x3x130xf32>
    exec.return %m, %r, %n
        : tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3x130xf32>
  }
  // CHECK: layer_norm_grad: ok
  exec.kernel @layer_norm_grad(%x: tensor<5x3x72xf32>, %m: tensor<5x3xf32>,
                               %r: tensor<5x3xf32>, %g: tensor<72xf32>,
                               %d: tensor<5x3x72xf32>, %e: tensor<5x3x72xf32>)
      -> tensor<5x3x72xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 4>} {
    %dx = nn.layer_norm_input_grad %x, %m, %r, %g, %d
        : (tensor<5x3x72xf32>, tensor<5x3xf32>, tensor<5x3xf32>,
           tensor<72xf32>, tensor<5x3x72xf32>) -> tensor<5x3x72xf32>
    %s = nn.add %e, %dx
        : (tensor<5x3x72xf32>, tensor<5x3x72xf32>) -> tensor<5x3x72xf32>
    exec.return %s : tensor<5x3x72xf32>
  }
  // CHECK: rope: ok
  exec.kernel @rope(%q: tensor<7x2x3x6xf32>, %b: tensor<3x6xf32>)
      -> tensor<7x2x3x6xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %a = nn.add_bias %q, %b
        : (tensor<7x2x3x6xf32>, tensor<3x6xf32>) -> tensor<7x2x3x6xf32>
    %r = nn.rope %a {theta = 10000.0 : f64}
        : (tensor<7x2x3x6xf32>) -> tensor<7x2x3x6xf32>
    exec.return %r : tensor<7x2x3x6xf32>
  }
  // CHECK: rope_inverse: ok
  exec.kernel @rope_inverse(%q: tensor<7x2x1x128xf32>) -> tensor<7x2x1x128xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %r = nn.rope %q {theta = 500000.0 : f64, inverse,
        scaling = #nn.rope_scaling<"llama3", 8.0, 1.0, 4.0, 8192>}
        : (tensor<7x2x1x128xf32>) -> tensor<7x2x1x128xf32>
    exec.return %r : tensor<7x2x1x128xf32>
  }
  // CHECK: rope_smallest: ok
  exec.kernel @rope_smallest(%q: tensor<7x2x3x2xf32>) -> tensor<7x2x3x2xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %r = nn.rope %q {theta = 10000.0 : f64}
        : (tensor<7x2x3x2xf32>) -> tensor<7x2x3x2xf32>
    exec.return %r : tensor<7x2x3x2xf32>
  }
  // CHECK: matrix: ok
  exec.kernel @matrix(%a: tensor<9x5xf32>, %b: tensor<9x5xf32>)
      -> tensor<9x5xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    %h = nn.add %a, %b
        : (tensor<9x5xf32>, tensor<9x5xf32>) -> tensor<9x5xf32>
    exec.return %h : tensor<9x5xf32>
  }
  // CHECK: vector: ok
  exec.kernel @vector(%a: tensor<19xf32>) -> tensor<19xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %h = nn.scale %a {factor = -3.0 : f64} : (tensor<19xf32>) -> tensor<19xf32>
    exec.return %h : tensor<19xf32>
  }
}

// Column reductions against the interpreter.
// RUN: llmc-kernel-test %s | FileCheck %s
// RUN: llmc-kernel-test --baseline %s | FileCheck %s
// CHECK-NOT: FAILED

exec.program @columns {
  // CHECK: bias_grad: ok
  exec.kernel @bias_grad(%d: tensor<5x3x300xf32>) -> tensor<300xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    %s = nn.sum_leading %d : (tensor<5x3x300xf32>) -> tensor<300xf32>
    exec.return %s : tensor<300xf32>
  }
  // CHECK: head_bias_grad: ok
  exec.kernel @head_bias_grad(%d: tensor<5x3x2x6xf32>) -> tensor<2x6xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %s = nn.sum_leading %d : (tensor<5x3x2x6xf32>) -> tensor<2x6xf32>
    exec.return %s : tensor<2x6xf32>
  }
  // CHECK: rms_weight_grad: ok
  exec.kernel @rms_weight_grad(%x: tensor<1x1x9xf32>, %r: tensor<1x1xf32>,
                               %d: tensor<1x1x9xf32>) -> tensor<9xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    %g = nn.rms_weight_grad %x, %r, %d
        : (tensor<1x1x9xf32>, tensor<1x1xf32>, tensor<1x1x9xf32>)
        -> tensor<9xf32>
    exec.return %g : tensor<9xf32>
  }
  // CHECK: layer_norm_weight_grads: ok
  exec.kernel @layer_norm_weight_grads(
      %x: tensor<5x3x128xf32>, %m: tensor<5x3xf32>, %r: tensor<5x3xf32>,
      %d: tensor<5x3x128xf32>) -> (tensor<128xf32>, tensor<128xf32>)
      attributes {accumulate = array<i1: true, false>,
                  aliases = array<i64: -1, -1>} {
    %g = nn.layer_norm_weight_grad %x, %m, %r, %d
        : (tensor<5x3x128xf32>, tensor<5x3xf32>, tensor<5x3xf32>,
           tensor<5x3x128xf32>) -> tensor<128xf32>
    %b = nn.sum_leading %d : (tensor<5x3x128xf32>) -> tensor<128xf32>
    exec.return %g, %b : tensor<128xf32>, tensor<128xf32>
  }
  // The gradient of an activation and the sum of its columns in one pass.
  // CHECK: gelu_grad_and_bias_grad: ok
  exec.kernel @gelu_grad_and_bias_grad(
      %a: tensor<5x3x200xf32>, %d: tensor<5x3x200xf32>)
      -> (tensor<5x3x200xf32>, tensor<200xf32>)
      attributes {accumulate = array<i1: false, true>,
                  aliases = array<i64: 1, -1>} {
    %0 = nn.gelu_input_grad %a, %d {tanh_form}
        : (tensor<5x3x200xf32>, tensor<5x3x200xf32>) -> tensor<5x3x200xf32>
    %1 = nn.sum_leading %0 : (tensor<5x3x200xf32>) -> tensor<200xf32>
    exec.return %0, %1 : tensor<5x3x200xf32>, tensor<200xf32>
  }
}

// A second program of the same process links too.
exec.program @second {
  // CHECK: sum_columns: ok
  exec.kernel @sum_columns(%d: tensor<2x2x3xf32>) -> tensor<3xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    %s = nn.sum_leading %d : (tensor<2x2x3xf32>) -> tensor<3xf32>
    exec.return %s : tensor<3xf32>
  }
}

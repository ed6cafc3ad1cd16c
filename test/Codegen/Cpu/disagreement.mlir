// The comparison sees a difference of one rounding.
// RUN: not llmc-kernel-test --tolerance=0 %s 2>&1 | FileCheck %s

exec.program @p {
  // CHECK: error: result 0 is off by {{.*}}, expected at most 0
  // CHECK: silu: FAILED
  exec.kernel @silu(%a: tensor<3x2x37xf32>) -> tensor<3x2x37xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %h = nn.silu %a : (tensor<3x2x37xf32>) -> tensor<3x2x37xf32>
    exec.return %h : tensor<3x2x37xf32>
  }
}

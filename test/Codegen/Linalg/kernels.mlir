// RUN: llmc-opt --convert-exec-kernels-to-linalg %s | FileCheck %s
// RUN: llmc-opt --convert-exec-kernels-to-linalg %s | FileCheck %s --check-prefix=MAP
// MAP: affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, (d3 + 2) mod 4)>

// Elementwise ops become one parallel generic each.
// CHECK-LABEL: func.func @silu_scale
// CHECK-SAME: exec.accumulate = array<i1: false>, exec.aliases = array<i64: 0>, exec.row_rank = 2 : i64
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: return
exec.kernel @silu_scale(%a: tensor<3x2x40xf32>) -> tensor<3x2x40xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
  %h = nn.silu %a : (tensor<3x2x40xf32>) -> tensor<3x2x40xf32>
  %s = nn.scale %h {factor = 2.0 : f64}
      : (tensor<3x2x40xf32>) -> tensor<3x2x40xf32>
  exec.return %s : tensor<3x2x40xf32>
}

// A statistic is a reduction and an op per row.
// CHECK-LABEL: func.func @rms_stat
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.addf %{{.*}} fastmath<reassoc,contract>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK: math.sqrt
exec.kernel @rms_stat(%x: tensor<5x3x70xf32>) -> tensor<5x3xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  %r = nn.rms_stat %x {eps = 1.0e-5 : f64}
      : (tensor<5x3x70xf32>) -> tensor<5x3xf32>
  exec.return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func.func @sum_leading
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "reduction", "parallel", "parallel"]
exec.kernel @sum_leading(%d: tensor<5x3x2x6xf32>) -> tensor<2x6xf32>
    attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
  %s = nn.sum_leading %d : (tensor<5x3x2x6xf32>) -> tensor<2x6xf32>
  exec.return %s : tensor<2x6xf32>
}

// Only the rows of the table that positions use are read.
// CHECK-LABEL: func.func @add_positions
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [5, 8] [1, 1]
exec.kernel @add_positions(%x: tensor<5x3x8xf32>, %p: tensor<9x8xf32>)
    -> tensor<5x3x8xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
  %y = nn.add_positions %x, %p
      : (tensor<5x3x8xf32>, tensor<9x8xf32>) -> tensor<5x3x8xf32>
  exec.return %y : tensor<5x3x8xf32>
}

// Cosines, sines and signs are constants; the partner is half a head away.
// CHECK-LABEL: func.func @rope
// CHECK-DAG: dense<{{\[\[}}1.000000e+00, 1.000000e+00], [0.540302277, 0.995004177]]>
// CHECK-DAG: dense<{{\[\[}}0.000000e+00, 0.000000e+00], [0.841470957, 0.0998334139]]>
// CHECK-DAG: dense<[-1.000000e+00, -1.000000e+00, 1.000000e+00, 1.000000e+00]>
exec.kernel @rope(%q: tensor<2x1x3x4xf32>) -> tensor<2x1x3x4xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
  %r = nn.rope %q {theta = 100.0 : f64}
      : (tensor<2x1x3x4xf32>) -> tensor<2x1x3x4xf32>
  exec.return %r : tensor<2x1x3x4xf32>
}

// CHECK-LABEL: func.func @rope_inverse
// CHECK: dense<[1.000000e+00, 1.000000e+00, -1.000000e+00, -1.000000e+00]>
exec.kernel @rope_inverse(%q: tensor<2x1x3x4xf32>) -> tensor<2x1x3x4xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
  %r = nn.rope %q {theta = 100.0 : f64, inverse}
      : (tensor<2x1x3x4xf32>) -> tensor<2x1x3x4xf32>
  exec.return %r : tensor<2x1x3x4xf32>
}

// Roots and fills are the targets' own business.
// CHECK-LABEL: exec.kernel @embedding
// CHECK: nn.embedding
exec.kernel @embedding(%t: tensor<5x3xi32>, %w: tensor<11x8xf32>)
    -> tensor<5x3x8xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  %x = nn.embedding %t, %w
      : (tensor<5x3xi32>, tensor<11x8xf32>) -> tensor<5x3x8xf32>
  exec.return %x : tensor<5x3x8xf32>
}

// CHECK-LABEL: exec.kernel @fill
exec.kernel @fill() -> tensor<8xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  %z = arith.constant dense<0.0> : tensor<8xf32>
  exec.return %z : tensor<8xf32>
}

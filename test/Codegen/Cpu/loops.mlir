// RUN: llmc-opt --convert-exec-kernels-to-linalg --cpu-lower-to-loops="lanes=8" --cse %s | FileCheck %s

// A loop over rows, one over whole vectors, then one shorter vector. Producers
// are computed where they are read.
// CHECK-LABEL: func.func @add_gelu(
// CHECK-SAME: %[[A:[^:]*]]: memref<240xf32>, %[[B:[^:]*]]: memref<240xf32> {llvm.noalias}, %[[OUT:[^:]*]]: memref<240xf32>, %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index)
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK: scf.for
// CHECK: vector.load %[[A]]{{.*}} vector<16xf32>
// CHECK: vector.load %[[B]]{{.*}} vector<16xf32>
// CHECK: math.exp {{.*}} : vector<16xf32>
// CHECK: vector.store %{{.*}}, %[[OUT]]{{.*}} vector<16xf32>
// CHECK: }
// CHECK: vector.load %[[A]]{{.*}} vector<8xf32>
// CHECK: vector.store %{{.*}}, %[[OUT]]{{.*}} vector<8xf32>
// CHECK-NOT: vector.store
exec.kernel @add_gelu(%a: tensor<3x2x40xf32>, %b: tensor<3x2x40xf32>)
    -> tensor<3x2x40xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
  %s = nn.add %a, %b
      : (tensor<3x2x40xf32>, tensor<3x2x40xf32>) -> tensor<3x2x40xf32>
  %h = nn.gelu %s {tanh_form} : (tensor<3x2x40xf32>) -> tensor<3x2x40xf32>
  exec.return %h : tensor<3x2x40xf32>
}

// The sum of a row in vectors, then the pass that writes; an accumulating
// result is read first.
// CHECK-LABEL: func.func @rms(
// CHECK-SAME: %[[X:[^:]*]]: memref<480xf32> {llvm.noalias}, %{{.*}}: memref<32xf32> {llvm.noalias}, %[[R:[^:]*]]: memref<15xf32> {llvm.noalias}, %[[N:[^:]*]]: memref<480xf32> {llvm.noalias}
// CHECK: vector.reduction <add>
// CHECK: math.sqrt
// CHECK: vector.load %[[X]]
// CHECK: vector.load %[[N]]
// CHECK: vector.store %{{.*}}, %[[N]]
// CHECK: memref.store %{{.*}}, %[[R]]
exec.kernel @rms(%x: tensor<5x3x32xf32>, %g: tensor<32xf32>)
    -> (tensor<5x3xf32>, tensor<5x3x32xf32>)
    attributes {accumulate = array<i1: false, true>,
                aliases = array<i64: -1, -1>} {
  %r = nn.rms_stat %x {eps = 1.0e-5 : f64}
      : (tensor<5x3x32xf32>) -> tensor<5x3xf32>
  %n = nn.rms_apply %x, %r, %g
      : (tensor<5x3x32xf32>, tensor<5x3xf32>, tensor<32xf32>)
      -> tensor<5x3x32xf32>
  exec.return %r, %n : tensor<5x3xf32>, tensor<5x3x32xf32>
}

// Columns in chunks, all rows in order.
// CHECK-LABEL: func.func @sum_leading(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<128xf32>)
// CHECK: else
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<44xf32>)
exec.kernel @sum_leading(%d: tensor<5x3x300xf32>) -> tensor<300xf32>
    attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
  %s = nn.sum_leading %d : (tensor<5x3x300xf32>) -> tensor<300xf32>
  exec.return %s : tensor<300xf32>
}

// Both halves of a head are loaded before one is stored: results may lie where
// the argument lies.
// CHECK-LABEL: func.func @rope(
// CHECK-SAME: %[[Q:[^:]*]]: memref<24xf32>, %[[OUT:[^:]*]]: memref<24xf32>
// CHECK: vector.load %[[Q]]
// CHECK: vector.load %[[Q]]
// CHECK-NOT: vector.load %[[Q]]
// CHECK: vector.store %{{.*}}, %[[OUT]]
// CHECK: vector.store %{{.*}}, %[[OUT]]
exec.kernel @rope(%q: tensor<2x1x3x4xf32>) -> tensor<2x1x3x4xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
  %r = nn.rope %q {theta = 100.0 : f64}
      : (tensor<2x1x3x4xf32>) -> tensor<2x1x3x4xf32>
  exec.return %r : tensor<2x1x3x4xf32>
}

// CHECK-LABEL: func.func @embedding(
// CHECK: %[[TOKEN:.*]] = memref.load
// CHECK: arith.index_cast %[[TOKEN]] : i32 to index
// CHECK: vector.load
exec.kernel @embedding(%t: tensor<5x3xi32>, %w: tensor<11x8xf32>)
    -> tensor<5x3x8xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  %x = nn.embedding %t, %w
      : (tensor<5x3xi32>, tensor<11x8xf32>) -> tensor<5x3x8xf32>
  exec.return %x : tensor<5x3x8xf32>
}

// A truth value takes a byte.
// CHECK-LABEL: func.func @clip_factor(
// CHECK-SAME: memref<1xi8>
exec.kernel @clip_factor(%n: f32, %c: f32, %i: f32) -> (f32, i1)
    attributes {accumulate = array<i1: false, false>,
                aliases = array<i64: -1, -1>} {
  %k, %ok = nn.clip_factor %n, %c, %i : (f32, f32, f32) -> (f32, i1)
  exec.return %k, %ok : f32, i1
}

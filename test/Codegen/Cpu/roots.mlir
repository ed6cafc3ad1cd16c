// Root kernels other than attention against the interpreter.
// RUN: llmc-kernel-test --seeds=3 %s | FileCheck %s
// RUN: llmc-kernel-test --baseline --seeds=3 %s | FileCheck %s
// CHECK-NOT: FAILED

exec.program @roots {
  // CHECK: embedding: ok
  exec.kernel @embedding(%t: tensor<5x3xi32>, %w: tensor<11x70xf32>)
      -> tensor<5x3x70xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %x = nn.embedding %t, %w
        : (tensor<5x3xi32>, tensor<11x70xf32>) -> tensor<5x3x70xf32>
    exec.return %x : tensor<5x3x70xf32>
  }
  // CHECK: embedding_grad: ok
  exec.kernel @embedding_grad(%t: tensor<5x3xi32>, %d: tensor<5x3x70xf32>)
      -> tensor<11x70xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    %x = nn.embedding_grad %t, %d
        : (tensor<5x3xi32>, tensor<5x3x70xf32>) -> tensor<11x70xf32>
    exec.return %x : tensor<11x70xf32>
  }
  // CHECK: embedding_grad_fresh: ok
  exec.kernel @embedding_grad_fresh(%t: tensor<5x3xi32>, %d: tensor<5x3x8xf32>)
      -> tensor<11x8xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %x = nn.embedding_grad %t, %d
        : (tensor<5x3xi32>, tensor<5x3x8xf32>) -> tensor<11x8xf32>
    exec.return %x : tensor<11x8xf32>
  }
  // CHECK: positions_grad: ok
  exec.kernel @positions_grad(%d: tensor<5x3x70xf32>) -> tensor<9x70xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    %x = nn.positions_grad %d : (tensor<5x3x70xf32>) -> tensor<9x70xf32>
    exec.return %x : tensor<9x70xf32>
  }
  // CHECK: positions_grad_fresh: ok
  exec.kernel @positions_grad_fresh(%d: tensor<5x3x7xf32>) -> tensor<9x7xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %x = nn.positions_grad %d : (tensor<5x3x7xf32>) -> tensor<9x7xf32>
    exec.return %x : tensor<9x7xf32>
  }
  // CHECK: document_end: ok
  exec.kernel @document_end(%t: tensor<50x3xi32>) -> tensor<50x3xi32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %s = nn.document_start %t {end = 1 : i64}
        : (tensor<50x3xi32>) -> tensor<50x3xi32>
    exec.return %s : tensor<50x3xi32>
  }
  // CHECK: document_start: ok
  exec.kernel @document_start(%t: tensor<50x3xi32>) -> tensor<50x3xi32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %s = nn.document_start %t {start = 2 : i64}
        : (tensor<50x3xi32>) -> tensor<50x3xi32>
    exec.return %s : tensor<50x3xi32>
  }
  // CHECK: cross_entropy: ok
  exec.kernel @cross_entropy(%x: tensor<5x3x97xf32>, %l: tensor<5x3xi32>,
                             %seed: f32)
      -> (tensor<5x3xf32>, tensor<5x3x97xf32>)
      attributes {accumulate = array<i1: false, false>,
                  aliases = array<i64: -1, 0>} {
    %loss, %g = nn.softmax_cross_entropy %x, %l, %seed
        : (tensor<5x3x97xf32>, tensor<5x3xi32>, f32)
        -> (tensor<5x3xf32>, tensor<5x3x97xf32>)
    exec.return %loss, %g : tensor<5x3xf32>, tensor<5x3x97xf32>
  }
  // CHECK: cross_entropy_loss: ok
  exec.kernel @cross_entropy_loss(%seed: f32, %x: tensor<5x3x5xf32>,
                                  %l: tensor<5x3xi32>) -> tensor<5x3xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %loss, %g = nn.softmax_cross_entropy %x, %l, %seed
        : (tensor<5x3x5xf32>, tensor<5x3xi32>, f32)
        -> (tensor<5x3xf32>, tensor<5x3x5xf32>)
    exec.return %loss : tensor<5x3xf32>
  }
  // CHECK: squared_error: ok
  exec.kernel @squared_error(%x: tensor<5x3x8xf32>, %y: tensor<5x3x8xf32>,
                             %keep: tensor<5x3xi1>, %seed: f32)
      -> (f32, tensor<5x3x8xf32>)
      attributes {accumulate = array<i1: false, false>,
                  aliases = array<i64: -1, -1>} {
    %loss, %g = nn.squared_error %x, %y, %keep, %seed
        : (tensor<5x3x8xf32>, tensor<5x3x8xf32>, tensor<5x3xi1>, f32)
        -> (f32, tensor<5x3x8xf32>)
    exec.return %loss, %g : f32, tensor<5x3x8xf32>
  }
  // CHECK: sum: ok
  exec.kernel @sum(%x: tensor<15x3xf32>) -> f32
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    %s = nn.sum %x : (tensor<15x3xf32>) -> f32
    exec.return %s : f32
  }
  // CHECK: norm_partials: ok
  exec.kernel @norm_partials(%g: tensor<1031xf32>) -> tensor<7xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %p = nn.norm_partials %g : (tensor<1031xf32>) -> tensor<7xf32>
    exec.return %p : tensor<7xf32>
  }
  // CHECK: norm_partials_few: ok
  exec.kernel @norm_partials_few(%g: tensor<5xf32>) -> tensor<64xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %p = nn.norm_partials %g : (tensor<5xf32>) -> tensor<64xf32>
    exec.return %p : tensor<64xf32>
  }
  // CHECK: clip_factor: ok
  exec.kernel @clip_factor(%n: f32, %c: f32, %i: f32) -> (f32, i1)
      attributes {accumulate = array<i1: false, false>,
                  aliases = array<i64: -1, -1>} {
    %k, %ok = nn.clip_factor %n, %c, %i : (f32, f32, f32) -> (f32, i1)
    exec.return %k, %ok : f32, i1
  }
  // CHECK: adamw: ok
  exec.kernel @adamw(%p: tensor<5000xf32>, %g: tensor<5000xf32>,
                     %m: tensor<5000xf32>, %v: tensor<5000xf32>, %k: f32,
                     %ok: i1, %lr: f32, %t: i64)
      -> (tensor<5000xf32>, tensor<5000xf32>, tensor<5000xf32>)
      attributes {accumulate = array<i1: false, false, false>,
                  aliases = array<i64: 0, 2, 3>} {
    %p2, %m2, %v2 = nn.adamw_apply %p, %g, %m, %v, %k, %ok, %lr, %t
        {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64,
         weight_decay = 0.1 : f64, decay_below = 4130 : i64}
        : (tensor<5000xf32>, tensor<5000xf32>, tensor<5000xf32>,
           tensor<5000xf32>, f32, i1, f32, i64)
        -> (tensor<5000xf32>, tensor<5000xf32>, tensor<5000xf32>)
    exec.return %p2, %m2, %v2
        : tensor<5000xf32>, tensor<5000xf32>, tensor<5000xf32>
  }
  // CHECK: sgd: ok
  exec.kernel @sgd(%p: tensor<19xf32>, %g: tensor<19xf32>, %k: f32, %ok: i1,
                   %lr: f32, %m: tensor<19xf32>)
      -> (tensor<19xf32>, tensor<19xf32>)
      attributes {accumulate = array<i1: false, false>,
                  aliases = array<i64: 0, 5>} {
    %p2, %m2 = nn.sgd_apply %p, %g, %k, %ok, %lr, %m
        {momentum = 0.9 : f64, weight_decay = 0.2 : f64, decay_below = 7 : i64}
        : (tensor<19xf32>, tensor<19xf32>, f32, i1, f32, tensor<19xf32>)
        -> (tensor<19xf32>, tensor<19xf32>)
    exec.return %p2, %m2 : tensor<19xf32>, tensor<19xf32>
  }
  // CHECK: sgd_plain: ok
  exec.kernel @sgd_plain(%p: tensor<4096xf32>, %g: tensor<4096xf32>, %k: f32,
                         %ok: i1, %lr: f32) -> tensor<4096xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %p2 = nn.sgd_apply %p, %g, %k, %ok, %lr
        {momentum = 0.0 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64}
        : (tensor<4096xf32>, tensor<4096xf32>, f32, i1, f32)
        -> tensor<4096xf32>
    exec.return %p2 : tensor<4096xf32>
  }
  // CHECK: fill: ok
  exec.kernel @fill() -> tensor<17x1001xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %z = arith.constant dense<0.0> : tensor<17x1001xf32>
    exec.return %z : tensor<17x1001xf32>
  }
}

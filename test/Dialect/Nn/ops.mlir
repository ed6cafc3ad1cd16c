// Every op of the nn dialect survives its text form, its generic form and
// bytecode.
// RUN: llmc-opt %s | llmc-opt | FileCheck %s
// RUN: llmc-opt %s --mlir-print-op-generic | llmc-opt | FileCheck %s
// RUN: llmc-opt %s --verify-roundtrip | FileCheck %s

// CHECK: nn.parameter @l0.u : tensor<32x8xf32> {decay, init = #nn.init<"normal", 2.000000e-02>, layer = 0 : i64}
nn.parameter @l0.u : tensor<32x8xf32> {layer = 0 : i64, decay, init = #nn.init<"normal", 0.02>}
// CHECK: nn.parameter @norm : tensor<8xf32> {group = "final_norm", init = #nn.init<"ones">}
nn.parameter @norm : tensor<8xf32> {group = "final_norm", init = #nn.init<"ones">}
// CHECK: nn.parameter @k : tensor<4x8x32xf32> {decay, init = #nn.init<"zeros">, layer = 1 : i64, storage = #nn.storage<"h.0.attn.c_attn.weight", [32, 96], 32, transposed>}
nn.parameter @k : tensor<4x8x32xf32> {layer = 1 : i64, decay, init = #nn.init<"zeros">, storage = #nn.storage<"h.0.attn.c_attn.weight", [32, 96], 32, transposed>}
// CHECK: nn.parameter @b : tensor<32xf32> {layer = 1 : i64, storage = #nn.storage<"h.0.b", [32], 0>}
nn.parameter @b : tensor<32xf32> {layer = 1 : i64, storage = #nn.storage<"h.0.b", [32], 0>}

// CHECK-LABEL: nn.microbatch @train(%{{.*}}: tensor<6x4xi32> {nn.role = "tokens"}, %{{.*}}: tensor<6x4xi32> {nn.role = "labels"}, %{{.*}}: f32 {nn.role = "seed"}, %{{.*}}: tensor<32x8xf32> {nn.role = "data"}) -> f32
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
                     %labels: tensor<6x4xi32> {nn.role = "labels"},
                     %seed: f32 {nn.role = "seed"},
                     %d: tensor<32x8xf32> {nn.role = "data"}) -> f32 {
  // CHECK: nn.get @l0.u {layer = 0 : i64} : tensor<32x8xf32>
  %u = nn.get @l0.u {layer = 0 : i64} : tensor<32x8xf32>
  // CHECK: nn.accumulate @l0.u, %{{.*}} {direction = "backward"} : tensor<32x8xf32>
  nn.accumulate @l0.u, %d {direction = "backward"} : tensor<32x8xf32>
  // CHECK: nn.yield %{{.*}} : f32
  nn.yield %seed : f32
}

// CHECK-LABEL: nn.update @step
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"},
                %clip: f32 {nn.role = "clip"},
                %inv_scale: f32 {nn.role = "inv_scale"}) {
  // CHECK: nn.grad_norm_squared : f32
  %s = nn.grad_norm_squared : f32
  // CHECK: nn.clip_factor %{{.*}}, %{{.*}}, %{{.*}} : (f32, f32, f32) -> (f32, i1)
  %k, %ok = nn.clip_factor %s, %clip, %inv_scale : (f32, f32, f32) -> (f32, i1)
  // CHECK: nn.adamw @l0.u, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {beta1 = 9.000000e-01 : f64, beta2 = 8.750000e-01 : f64, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-01 : f64} : f32, i1, f32, i64
  nn.adamw @l0.u, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.875 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
  // CHECK: nn.sgd @norm, %{{.*}}, %{{.*}}, %{{.*}} {momentum = 9.000000e-01 : f64, weight_decay = 0.000000e+00 : f64} : f32, i1, f32
  nn.sgd @norm, %k, %ok, %lr {momentum = 0.9 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  // CHECK: nn.yield
  nn.yield
}

// CHECK-LABEL: nn.microbatch @losses
nn.microbatch @losses(%x: tensor<6x4x8xf32> {nn.role = "data"},
                      %w: tensor<97x8xf32> {nn.role = "data"},
                      %labels: tensor<6x4xi32> {nn.role = "labels"},
                      %keep: tensor<6x4xi1> {nn.role = "data"},
                      %seed: f32 {nn.role = "seed"}) {
  // CHECK: %{{.*}}, %{{.*}} = nn.squared_error %{{.*}} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4x8xf32>)
  %l0, %d0 = nn.squared_error %x, %x, %keep, %seed : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4x8xf32>)
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = nn.cross_entropy %{{.*}} {logits_limit = 1048576 : i64} : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  %l1, %d1, %e1 = nn.cross_entropy %x, %w, %labels, %seed {logits_limit = 1048576 : i64} : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield
}

// CHECK-LABEL: nn.microbatch @layers
nn.microbatch @layers(%x: tensor<6x4x8xf32> {nn.role = "data"},
                      %w: tensor<32x8xf32> {nn.role = "data"},
                      %b: tensor<8xf32> {nn.role = "data"},
                      %h: tensor<6x4x2x8xf32> {nn.role = "data"},
                      %hb: tensor<2x8xf32> {nn.role = "data"},
                      %p: tensor<16x8xf32> {nn.role = "data"},
                      %tokens: tensor<6x4xi32> {nn.role = "tokens"},
                      %z: tensor<6x4x8xbf16> {nn.role = "data"},
                      %zw: tensor<32x8xbf16> {nn.role = "data"}) {
  // CHECK: nn.contract %{{.*}} {indices = "tbc,fc->tbf"} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  %a = nn.contract %x, %w {indices = "tbc,fc->tbf"} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  // CHECK: nn.contract %{{.*}} {acc = f32, indices = "tbc,fc->tbf"} : (tensor<6x4x8xbf16>, tensor<32x8xbf16>) -> tensor<6x4x32xbf16>
  %az = nn.contract %z, %zw {indices = "tbc,fc->tbf", acc = f32} : (tensor<6x4x8xbf16>, tensor<32x8xbf16>) -> tensor<6x4x32xbf16>
  // CHECK: nn.contract %{{.*}} {indices = "tbf,tbc->fc", weight_gradient} : (tensor<6x4x32xf32>, tensor<6x4x8xf32>) -> tensor<32x8xf32>
  %dw = nn.contract %a, %x {indices = "tbf,tbc->fc", weight_gradient} : (tensor<6x4x32xf32>, tensor<6x4x8xf32>) -> tensor<32x8xf32>
  // CHECK: nn.add %{{.*}} {anchor = "residual", end_of_layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %s = nn.add %x, %x {anchor = "residual", end_of_layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.multiply %{{.*}} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %m = nn.multiply %x, %s : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.scale %{{.*}} {factor = 2.000000e+00 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %c = nn.scale %x {factor = 2.0 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.add_bias %{{.*}} : (tensor<6x4x2x8xf32>, tensor<2x8xf32>) -> tensor<6x4x2x8xf32>
  %hy = nn.add_bias %h, %hb : (tensor<6x4x2x8xf32>, tensor<2x8xf32>) -> tensor<6x4x2x8xf32>
  // CHECK: nn.gelu %{{[^ ]*}} : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  %g0 = nn.gelu %a : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  // CHECK: nn.gelu %{{.*}} {tanh_form} : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  %g1 = nn.gelu %a {tanh_form} : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  // CHECK: nn.silu %{{.*}} : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  %g2 = nn.silu %a : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  // CHECK: nn.relu %{{.*}} : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  %g3 = nn.relu %a : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  // CHECK: nn.rms_stat %{{.*}} {eps = 1.000000e-05 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
  %r = nn.rms_stat %x {eps = 1.0e-5 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
  // CHECK: nn.rms_apply %{{[^{]*}} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %n0 = nn.rms_apply %x, %r, %b : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.rms_apply %{{.*}} {plus_one} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %n1 = nn.rms_apply %x, %r, %b {plus_one} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.layer_norm_stat %{{.*}} {eps = 1.000000e-05 : f64} : (tensor<6x4x8xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>)
  %mean, %rstd = nn.layer_norm_stat %x {eps = 1.0e-5 : f64} : (tensor<6x4x8xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>)
  // CHECK: nn.layer_norm_apply %{{.*}} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %n2 = nn.layer_norm_apply %x, %mean, %rstd, %b : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.layer_norm_apply %{{.*}} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %n3 = nn.layer_norm_apply %x, %mean, %rstd, %b, %b : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.embedding %{{.*}} : (tensor<6x4xi32>, tensor<32x8xf32>) -> tensor<6x4x8xf32>
  %e = nn.embedding %tokens, %w : (tensor<6x4xi32>, tensor<32x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.add_positions %{{.*}} : (tensor<6x4x8xf32>, tensor<16x8xf32>) -> tensor<6x4x8xf32>
  %ep = nn.add_positions %e, %p : (tensor<6x4x8xf32>, tensor<16x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.rope %{{.*}} {theta = 1.000000e+04 : f64} : (tensor<6x4x2x8xf32>) -> tensor<6x4x2x8xf32>
  %q0 = nn.rope %h {theta = 10000.0 : f64} : (tensor<6x4x2x8xf32>) -> tensor<6x4x2x8xf32>
  // CHECK: nn.rope %{{.*}} {inverse, scaling = #nn.rope_scaling<"linear", 2.000000e+00>, theta = 1.000000e+04 : f64}
  %q1 = nn.rope %h {theta = 10000.0 : f64, inverse, scaling = #nn.rope_scaling<"linear", 2.0>} : (tensor<6x4x2x8xf32>) -> tensor<6x4x2x8xf32>
  // CHECK: nn.rope %{{.*}} {scaling = #nn.rope_scaling<"llama3", 8.000000e+00, 1.000000e+00, 4.000000e+00, 8192>, theta = 5.000000e+05 : f64}
  %q2 = nn.rope %h {theta = 500000.0 : f64, scaling = #nn.rope_scaling<"llama3", 8.0, 1.0, 4.0, 8192>} : (tensor<6x4x2x8xf32>) -> tensor<6x4x2x8xf32>
  // CHECK: nn.document_start %{{.*}} {end = 0 : i64} : (tensor<6x4xi32>) -> tensor<6x4xi32>
  %s0 = nn.document_start %tokens {end = 0 : i64} : (tensor<6x4xi32>) -> tensor<6x4xi32>
  // CHECK: nn.document_start %{{.*}} {start = 1 : i64} : (tensor<6x4xi32>) -> tensor<6x4xi32>
  %s1 = nn.document_start %tokens {start = 1 : i64} : (tensor<6x4xi32>) -> tensor<6x4xi32>
  nn.yield
}

// CHECK-LABEL: nn.microbatch @attention
nn.microbatch @attention(%q: tensor<6x4x2x8xf32> {nn.role = "data"},
                         %k: tensor<6x4x1x8xf32> {nn.role = "data"},
                         %s: tensor<6x4xi32> {nn.role = "data"}) {
  // CHECK: nn.attention %{{.*}} {scale = 5.000000e-01 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  %o0, %lse0 = nn.attention %q, %k, %k {scale = 0.5 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  // CHECK: nn.attention %{{.*}} {global_tokens = 1 : i64, scale = 5.000000e-01 : f64, window = 3 : i64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4xi32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  %o, %lse = nn.attention %q, %k, %k, %s {scale = 0.5 : f64, window = 3 : i64, global_tokens = 1 : i64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4xi32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
  // CHECK: nn.attention_grad %{{.*}} {global_tokens = 1 : i64, scale = 5.000000e-01 : f64, window = 3 : i64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x2x8xf32>, tensor<6x4x2xf32>, tensor<6x4x2x8xf32>, tensor<6x4xi32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>)
  %dq, %dk, %dv = nn.attention_grad %q, %k, %k, %o, %lse, %q, %s {scale = 0.5 : f64, window = 3 : i64, global_tokens = 1 : i64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x2x8xf32>, tensor<6x4x2xf32>, tensor<6x4x2x8xf32>, tensor<6x4xi32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>)
  nn.yield
}

// CHECK-LABEL: nn.microbatch @gradients
nn.microbatch @gradients(%x: tensor<6x4x8xf32> {nn.role = "data"},
                         %r: tensor<6x4xf32> {nn.role = "data"},
                         %b: tensor<8xf32> {nn.role = "data"},
                         %tokens: tensor<6x4xi32> {nn.role = "tokens"}) {
  // CHECK: nn.gelu_input_grad %{{.*}} {tanh_form} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %0 = nn.gelu_input_grad %x, %x {tanh_form} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.silu_input_grad %{{.*}} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %1 = nn.silu_input_grad %x, %x : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.relu_input_grad %{{.*}} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %2 = nn.relu_input_grad %x, %x : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.sum_leading %{{.*}} {weight_gradient} : (tensor<6x4x8xf32>) -> tensor<8xf32>
  %3 = nn.sum_leading %x {weight_gradient} : (tensor<6x4x8xf32>) -> tensor<8xf32>
  // CHECK: nn.rms_input_grad %{{.*}} {plus_one} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %4 = nn.rms_input_grad %x, %r, %b, %x {plus_one} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.rms_weight_grad %{{.*}} {weight_gradient} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
  %5 = nn.rms_weight_grad %x, %r, %x {weight_gradient} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
  // CHECK: nn.layer_norm_input_grad %{{.*}} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %6 = nn.layer_norm_input_grad %x, %r, %r, %b, %x : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: nn.layer_norm_weight_grad %{{.*}} {weight_gradient} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
  %7 = nn.layer_norm_weight_grad %x, %r, %r, %x {weight_gradient} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
  // CHECK: nn.embedding_grad %{{.*}} {weight_gradient} : (tensor<6x4xi32>, tensor<6x4x8xf32>) -> tensor<97x8xf32>
  %8 = nn.embedding_grad %tokens, %x {weight_gradient} : (tensor<6x4xi32>, tensor<6x4x8xf32>) -> tensor<97x8xf32>
  // CHECK: nn.positions_grad %{{.*}} {weight_gradient} : (tensor<6x4x8xf32>) -> tensor<16x8xf32>
  %9 = nn.positions_grad %x {weight_gradient} : (tensor<6x4x8xf32>) -> tensor<16x8xf32>
  nn.yield
}

// CHECK-LABEL: nn.microbatch @kernels
nn.microbatch @kernels(%x: tensor<6x4x97xf32> {nn.role = "data"},
                       %labels: tensor<6x4xi32> {nn.role = "labels"},
                       %seed: f32 {nn.role = "seed"},
                       %p: tensor<288xf32> {nn.role = "data"},
                       %ok: i1 {nn.role = "data"}, %t: i64 {nn.role = "data"}) {
  // CHECK: nn.softmax_cross_entropy %{{.*}} : (tensor<6x4x97xf32>, tensor<6x4xi32>, f32) -> (tensor<6x4xf32>, tensor<6x4x97xf32>)
  %losses, %g = nn.softmax_cross_entropy %x, %labels, %seed : (tensor<6x4x97xf32>, tensor<6x4xi32>, f32) -> (tensor<6x4xf32>, tensor<6x4x97xf32>)
  // CHECK: nn.sum %{{.*}} : (tensor<6x4xf32>) -> f32
  %s = nn.sum %losses : (tensor<6x4xf32>) -> f32
  // CHECK: nn.norm_partials %{{.*}} : (tensor<288xf32>) -> tensor<64xf32>
  %n = nn.norm_partials %p : (tensor<288xf32>) -> tensor<64xf32>
  // CHECK: nn.adamw_apply %{{.*}} {beta1 = 9.000000e-01 : f64, beta2 = 8.750000e-01 : f64, decay_below = 256 : i64, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-01 : f64} : (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, f32, i1, f32, i64) -> (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>)
  %p1, %m1, %v1 = nn.adamw_apply %p, %p, %p, %p, %s, %ok, %seed, %t {beta1 = 0.9 : f64, beta2 = 0.875 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64, decay_below = 256 : i64} : (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, f32, i1, f32, i64) -> (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>)
  // CHECK: nn.sgd_apply %{{.*}} {decay_below = 256 : i64, momentum = 9.000000e-01 : f64, weight_decay = 0.000000e+00 : f64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32, tensor<288xf32>) -> (tensor<288xf32>, tensor<288xf32>)
  %p2, %m2 = nn.sgd_apply %p, %p, %s, %ok, %seed, %p {momentum = 0.9 : f64, weight_decay = 0.0 : f64, decay_below = 256 : i64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32, tensor<288xf32>) -> (tensor<288xf32>, tensor<288xf32>)
  // CHECK: nn.sgd_apply %{{.*}} {decay_below = 0 : i64, momentum = 0.000000e+00 : f64, weight_decay = 0.000000e+00 : f64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32) -> tensor<288xf32>
  %p3 = nn.sgd_apply %p, %p, %s, %ok, %seed {momentum = 0.0 : f64, weight_decay = 0.0 : f64, decay_below = 0 : i64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32) -> tensor<288xf32>
  nn.yield
}

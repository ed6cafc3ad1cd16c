// The reverse rule of every differentiable op, and what is not built.
// RUN: llmc-opt %s --nn-generate-backward --split-input-file | FileCheck %s

// The two layers of the example are in test/Dialect/Nn/example.mlir.

// Gate, up and down projection: the cotangent of a value with two uses is one
// sum; each parameter's contribution goes to its accumulator at once.
nn.parameter @gate : tensor<32x8xf32> {layer = 0 : i64}
nn.parameter @up : tensor<32x8xf32> {layer = 0 : i64}
nn.parameter @down : tensor<8x32xf32> {layer = 0 : i64}
nn.parameter @wte : tensor<97x8xf32> {group = "embedding"}
// CHECK-LABEL: nn.microbatch @train
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
                     %labels: tensor<6x4xi32> {nn.role = "labels"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  // CHECK: %[[WTE:.*]] = nn.get @wte
  %wte = nn.get @wte : tensor<97x8xf32>
  %gate = nn.get @gate : tensor<32x8xf32>
  %up = nn.get @up : tensor<32x8xf32>
  %down = nn.get @down : tensor<8x32xf32>
  // CHECK: %[[X:.*]] = nn.embedding
  %x = nn.embedding %tokens, %wte : (tensor<6x4xi32>, tensor<97x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: %[[A:.*]] = nn.contract
  %a = nn.contract %x, %gate {indices = "tbc,fc->tbf", layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  // CHECK: %[[S:.*]] = nn.silu
  %s = nn.silu %a {layer = 0 : i64} : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  // CHECK: %[[B:.*]] = nn.contract
  %b = nn.contract %x, %up {indices = "tbc,fc->tbf", layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
  %h = nn.multiply %s, %b {layer = 0 : i64} : (tensor<6x4x32xf32>, tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  %y = nn.contract %h, %down {indices = "tbf,cf->tbc", layer = 0 : i64} : (tensor<6x4x32xf32>, tensor<8x32xf32>) -> tensor<6x4x8xf32>
  // CHECK: %[[LOSS:.*]], %[[DY:.*]], %[[DWTE:.*]] = nn.cross_entropy
  %loss, %dy, %dw = nn.cross_entropy %y, %wte, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  // The tied table gets two contributions, never added.
  // CHECK-NEXT: nn.accumulate @wte, %[[DWTE]] {direction = "backward"} : tensor<97x8xf32>
  // CHECK-NEXT: %[[DH:.*]] = nn.contract %[[DY]]
  // CHECK-NEXT: %[[DDOWN:.*]] = nn.contract %[[DY]], %{{.*}} {direction = "backward", indices = "tbc,tbf->cf", layer = 0 : i64, weight_gradient}
  // CHECK-NEXT: nn.accumulate @down, %[[DDOWN]]
  // CHECK-NEXT: %[[DS:.*]] = nn.multiply %[[DH]], %[[B]] {direction = "backward", layer = 0 : i64}
  // CHECK-NEXT: %[[DB:.*]] = nn.multiply %[[DH]], %[[S]] {direction = "backward", layer = 0 : i64}
  // CHECK-NEXT: %[[DX0:.*]] = nn.contract %[[DB]], %{{.*}} {direction = "backward", indices = "tbf,fc->tbc", layer = 0 : i64}
  // CHECK-NEXT: %[[DUP:.*]] = nn.contract %[[DB]], %[[X]] {direction = "backward", indices = "tbf,tbc->fc", layer = 0 : i64, weight_gradient}
  // CHECK-NEXT: nn.accumulate @up, %[[DUP]]
  // CHECK-NEXT: %[[DA:.*]] = nn.silu_input_grad %[[A]], %[[DS]]
  // CHECK-NEXT: %[[DX1:.*]] = nn.contract %[[DA]]
  // CHECK-NEXT: %[[DGATE:.*]] = nn.contract %[[DA]], %[[X]]
  // CHECK-NEXT: nn.accumulate @gate, %[[DGATE]]
  // The sum belongs to the layer that used the value.
  // CHECK-NEXT: %[[DX:.*]] = nn.add %[[DX0]], %[[DX1]] {direction = "backward", layer = 0 : i64}
  // CHECK-NEXT: %[[DE:.*]] = nn.embedding_grad %{{.*}}, %[[DX]] {direction = "backward", weight_gradient}
  // CHECK-NEXT: nn.accumulate @wte, %[[DE]] {direction = "backward"}
  // CHECK-NEXT: nn.yield %[[LOSS]]
  nn.yield %loss : f32
}
// Other micro-batches stay as they are.
// CHECK-LABEL: nn.microbatch @evaluate
nn.microbatch @evaluate(%x: tensor<6x4x8xf32> {nn.role = "data"},
                        %labels: tensor<6x4xi32> {nn.role = "labels"},
                        %seed: f32 {nn.role = "seed"}) -> f32 {
  %wte = nn.get @wte : tensor<97x8xf32>
  // CHECK: nn.cross_entropy
  %loss, %dx, %dw = nn.cross_entropy %x, %wte, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  // CHECK-NEXT: nn.yield
  nn.yield %loss : f32
}

// -----

// Biases, learned positions, LayerNorm with and without bias.
nn.parameter @b : tensor<8xf32> {group = "a"}
nn.parameter @p : tensor<16x8xf32> {group = "a"}
nn.parameter @g : tensor<8xf32> {group = "a"}
// CHECK-LABEL: nn.microbatch @train
nn.microbatch @train(%x: tensor<6x4x8xf32> {nn.role = "data"},
                     %keep: tensor<6x4xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %b = nn.get @b : tensor<8xf32>
  %p = nn.get @p : tensor<16x8xf32>
  // CHECK: %[[G:.*]] = nn.get @g
  %g = nn.get @g : tensor<8xf32>
  // CHECK: nn.add_bias
  %x1 = nn.add_bias %x, %b : (tensor<6x4x8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  // CHECK: %[[X2:.*]] = nn.add_positions
  %x2 = nn.add_positions %x1, %p : (tensor<6x4x8xf32>, tensor<16x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: %[[M:.*]], %[[R:.*]] = nn.layer_norm_stat
  %m, %r = nn.layer_norm_stat %x2 {eps = 1.0e-5 : f64} : (tensor<6x4x8xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>)
  // CHECK: %[[X3:.*]] = nn.layer_norm_apply
  %x3 = nn.layer_norm_apply %x2, %m, %r, %g, %b : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  // CHECK: %[[M2:.*]], %[[R2:.*]] = nn.layer_norm_stat
  %m2, %r2 = nn.layer_norm_stat %x3 {eps = 1.0e-5 : f64} : (tensor<6x4x8xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>)
  %x4 = nn.layer_norm_apply %x3, %m2, %r2, %g : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  // CHECK: %[[LOSS:.*]], %[[D4:.*]] = nn.squared_error
  %loss, %d = nn.squared_error %x4, %x, %keep, %seed : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4x8xf32>)
  // CHECK-NEXT: %[[D3:.*]] = nn.layer_norm_input_grad %[[X3]], %[[M2]], %[[R2]], %[[G]], %[[D4]] {direction = "backward"}
  // CHECK-NEXT: %[[DG2:.*]] = nn.layer_norm_weight_grad %[[X3]], %[[M2]], %[[R2]], %[[D4]] {direction = "backward", weight_gradient}
  // CHECK-NEXT: nn.accumulate @g, %[[DG2]]
  // The statistics have no gradient of their own.
  // CHECK-NEXT: %[[D2:.*]] = nn.layer_norm_input_grad %[[X2]], %[[M]], %[[R]], %[[G]], %[[D3]]
  // CHECK-NEXT: %[[DG:.*]] = nn.layer_norm_weight_grad %[[X2]], %[[M]], %[[R]], %[[D3]]
  // CHECK-NEXT: nn.accumulate @g, %[[DG]]
  // CHECK-NEXT: %[[DB:.*]] = nn.sum_leading %[[D3]] {direction = "backward", weight_gradient}
  // CHECK-NEXT: nn.accumulate @b, %[[DB]]
  // CHECK-NEXT: %[[DP:.*]] = nn.positions_grad %[[D2]] {direction = "backward", weight_gradient}
  // CHECK-NEXT: nn.accumulate @p, %[[DP]]
  // The bias takes the cotangent that passed the positions unchanged.
  // CHECK-NEXT: %[[DB1:.*]] = nn.sum_leading %[[D2]] {direction = "backward", weight_gradient}
  // CHECK-NEXT: nn.accumulate @b, %[[DB1]]
  // CHECK-NEXT: nn.yield %[[LOSS]]
  nn.yield %loss : f32
}

// -----

// Rotary positions turn back; attention has one gradient op for q, k and v,
// with the mask of the forward op.
nn.parameter @q : tensor<2x4x8xf32> {layer = 3 : i64}
nn.parameter @k : tensor<1x4x8xf32> {layer = 3 : i64}
// CHECK-LABEL: nn.microbatch @train
nn.microbatch @train(%x: tensor<6x4x8xf32> {nn.role = "data"},
                     %v: tensor<6x4x1x4xf32> {nn.role = "data"},
                     %y: tensor<6x4x2x4xf32> {nn.role = "data"},
                     %docs: tensor<6x4xi32> {nn.role = "data"},
                     %keep: tensor<6x4xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %wq = nn.get @q : tensor<2x4x8xf32>
  %wk = nn.get @k : tensor<1x4x8xf32>
  %q0 = nn.contract %x, %wq {indices = "tbc,hdc->tbhd", layer = 3 : i64} : (tensor<6x4x8xf32>, tensor<2x4x8xf32>) -> tensor<6x4x2x4xf32>
  // CHECK: %[[Q:.*]] = nn.rope
  %q = nn.rope %q0 {theta = 100.0 : f64, scaling = #nn.rope_scaling<"linear", 2.0>, layer = 3 : i64} : (tensor<6x4x2x4xf32>) -> tensor<6x4x2x4xf32>
  // CHECK: %[[K:.*]] = nn.contract
  %k = nn.contract %x, %wk {indices = "tbc,gdc->tbgd", layer = 3 : i64} : (tensor<6x4x8xf32>, tensor<1x4x8xf32>) -> tensor<6x4x1x4xf32>
  // CHECK: %[[O:.*]], %[[LSE:.*]] = nn.attention
  %o, %lse = nn.attention %q, %k, %v, %docs {scale = 0.5 : f64, window = 3 : i64, global_tokens = 1 : i64, layer = 3 : i64} : (tensor<6x4x2x4xf32>, tensor<6x4x1x4xf32>, tensor<6x4x1x4xf32>, tensor<6x4xi32>) -> (tensor<6x4x2x4xf32>, tensor<6x4x2xf32>)
  // CHECK: nn.squared_error
  %loss, %d = nn.squared_error %o, %y, %keep, %seed : (tensor<6x4x2x4xf32>, tensor<6x4x2x4xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4x2x4xf32>)
  // CHECK-NEXT: %[[DQ:.*]], %[[DK:.*]], %{{.*}} = nn.attention_grad %[[Q]], %[[K]], %{{.*}}, %[[O]], %[[LSE]], %{{.*}}, %{{.*}} {direction = "backward", global_tokens = 1 : i64, layer = 3 : i64, scale = 5.000000e-01 : f64, window = 3 : i64}
  // x is data: of each projection only the weight gradient is built.
  // CHECK-NEXT: %[[DWK:.*]] = nn.contract %[[DK]], %{{.*}} {direction = "backward", indices = "tbgd,tbc->gdc", layer = 3 : i64, weight_gradient}
  // CHECK-NEXT: nn.accumulate @k, %[[DWK]]
  // CHECK-NEXT: %[[DQ0:.*]] = nn.rope %[[DQ]] {direction = "backward", inverse, layer = 3 : i64, scaling = #nn.rope_scaling<"linear", 2.000000e+00>, theta = 1.000000e+02 : f64}
  // CHECK-NEXT: %[[DWQ:.*]] = nn.contract %[[DQ0]], %{{.*}} {direction = "backward", indices = "tbhd,tbc->hdc", layer = 3 : i64, weight_gradient}
  // CHECK-NEXT: nn.accumulate @q, %[[DWQ]]
  // CHECK-NEXT: nn.yield
  nn.yield %loss : f32
}

// -----

// Activations, constants, RMSNorm with 1 + gain. A gain that is computed has
// no `weight_gradient`: its gradient goes on.
nn.parameter @w : tensor<6x4x8xf32> {group = "a"}
nn.parameter @g : tensor<8xf32> {group = "a"}
// CHECK-LABEL: nn.microbatch @train
nn.microbatch @train(%x: tensor<6x4x8xf32> {nn.role = "data"},
                     %keep: tensor<6x4xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  // CHECK: %[[W:.*]] = nn.get @w
  %w = nn.get @w : tensor<6x4x8xf32>
  %g = nn.get @g : tensor<8xf32>
  // CHECK: %[[G2:.*]] = nn.scale
  %g2 = nn.scale %g {factor = 0.5 : f64} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: %[[A:.*]] = nn.relu
  %a = nn.relu %w : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: %[[B:.*]] = nn.gelu
  %b = nn.gelu %a {tanh_form} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // CHECK: %[[R:.*]] = nn.rms_stat
  %r = nn.rms_stat %b {eps = 1.0e-5 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
  %c = nn.rms_apply %b, %r, %g2 {plus_one} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  // CHECK: %[[LOSS:.*]], %[[DC:.*]] = nn.squared_error
  %loss, %d = nn.squared_error %c, %x, %keep, %seed : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4x8xf32>)
  // CHECK-NEXT: %[[DB:.*]] = nn.rms_input_grad %[[B]], %[[R]], %[[G2]], %[[DC]] {direction = "backward", plus_one}
  // CHECK-NEXT: %[[DG2:.*]] = nn.rms_weight_grad %[[B]], %[[R]], %[[DC]] {direction = "backward"}
  // CHECK-NEXT: %[[DA:.*]] = nn.gelu_input_grad %[[A]], %[[DB]] {direction = "backward", tanh_form}
  // CHECK-NEXT: %[[DW:.*]] = nn.relu_input_grad %[[W]], %[[DA]] {direction = "backward"}
  // CHECK-NEXT: nn.accumulate @w, %[[DW]]
  // CHECK-NEXT: %[[DG:.*]] = nn.scale %[[DG2]] {direction = "backward", factor = 5.000000e-01 : f64}
  // CHECK-NEXT: nn.accumulate @g, %[[DG]]
  // CHECK-NEXT: nn.yield %[[LOSS]]
  nn.yield %loss : f32
}

// -----

// A value with five uses: its cotangents are added in a balanced tree. A
// product with itself contributes twice.
nn.parameter @w : tensor<6x8xf32> {group = "a"}
// CHECK-LABEL: nn.microbatch @train
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %x = nn.relu %w : (tensor<6x8xf32>) -> tensor<6x8xf32>
  %0 = nn.scale %x {factor = 2.0 : f64} : (tensor<6x8xf32>) -> tensor<6x8xf32>
  %1 = nn.scale %x {factor = 3.0 : f64} : (tensor<6x8xf32>) -> tensor<6x8xf32>
  %2 = nn.add %0, %1 : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %3 = nn.multiply %x, %x : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %4 = nn.add %2, %3 : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %5 = nn.add %4, %x : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  // CHECK: %[[LOSS:.*]], %[[D:.*]] = nn.squared_error
  %loss, %d = nn.squared_error %5, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  // CHECK-NEXT: %[[C1:.*]] = nn.multiply %[[D]], %[[X:.*]] {direction
  // CHECK-NEXT: %[[C2:.*]] = nn.multiply %[[D]], %[[X]] {direction
  // CHECK-NEXT: %[[C3:.*]] = nn.scale %[[D]] {direction = "backward", factor = 3.000000e+00 : f64}
  // CHECK-NEXT: %[[C4:.*]] = nn.scale %[[D]] {direction = "backward", factor = 2.000000e+00 : f64}
  // CHECK-NEXT: %[[S0:.*]] = nn.add %[[D]], %[[C1]] {direction = "backward"}
  // CHECK-NEXT: %[[S1:.*]] = nn.add %[[C2]], %[[C3]] {direction = "backward"}
  // CHECK-NEXT: %[[S2:.*]] = nn.add %[[S0]], %[[S1]] {direction = "backward"}
  // CHECK-NEXT: %[[S:.*]] = nn.add %[[S2]], %[[C4]] {direction = "backward"}
  // CHECK-NEXT: %[[DW:.*]] = nn.relu_input_grad %{{.*}}, %[[S]]
  // CHECK-NEXT: nn.accumulate @w, %[[DW]]
  // CHECK-NEXT: nn.yield %[[LOSS]]
  nn.yield %loss : f32
}

// -----

// What does not reach the loss has no gradient, and a loss of data alone has
// none either.
nn.parameter @w : tensor<6x8xf32> {group = "a"}
// CHECK-LABEL: nn.microbatch @train
nn.microbatch @train(%y: tensor<6x8xf32> {nn.role = "data"},
                     %keep: tensor<6x8xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<6x8xf32>
  %x = nn.relu %w : (tensor<6x8xf32>) -> tensor<6x8xf32>
  // CHECK: nn.squared_error
  %loss, %d = nn.squared_error %y, %y, %keep, %seed : (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xi1>, f32) -> (f32, tensor<6x8xf32>)
  // CHECK-NEXT: nn.yield
  nn.yield %loss : f32
}

// One stage is split into forward, backward, update, evaluation and logits.
// RUN: llmc-opt %s --pass-pipeline='builtin.module(pipe-split-stages{microbatches=3})' | FileCheck %s

dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @wte : tensor<97x8xf32> {group = "embedding", decay}
nn.parameter @l0.q : tensor<2x4x8xf32> {layer = 0 : i64, decay}

// CHECK: pipe.program @train mesh @m microbatches 3 {

// What F0 reads: inputs, then parameters, a parameter that is read twice once.
// CHECK: pipe.fragment forward @F0 stage 0(
// CHECK-SAME: %[[TOKENS:.*]]: tensor<6x4xi32> {pipe.source = #pipe.source<input "tokens" 0>}, %{{.*}}: tensor<6x4xi32> {pipe.source = #pipe.source<input "labels" 1>}, %{{.*}}: f32 {pipe.source = #pipe.source<input "seed" 2>}, %[[WTE:[a-z0-9]*]]: tensor<97x8xf32> {pipe.source = #pipe.source<parameter @wte>}, %[[Q:[a-z0-9]*]]: tensor<2x4x8xf32> {pipe.source = #pipe.source<parameter @l0.q>})
// What F0 yields: the loss, then what B0 reads, in the order of definition.
// CHECK-SAME: -> (f32 {pipe.result = #pipe.result<loss>}, tensor<6x4x8xf32> {pipe.result = #pipe.result<saved>}, tensor<6x4x2x4xf32> {pipe.result = #pipe.result<saved>}, tensor<6x4x2x4xf32> {pipe.result = #pipe.result<saved>}, tensor<6x4x2xf32> {pipe.result = #pipe.result<saved>}, tensor<6x4x8xf32> {pipe.result = #pipe.result<saved>}) {
// CHECK-NOT: nn.get
// CHECK: %[[X:.*]] = nn.embedding %[[TOKENS]], %[[WTE]]
// CHECK: nn.document_start
// CHECK: %[[QUERY:.*]] = nn.contract %[[X]], %[[Q]]
// CHECK: %[[O:.*]], %[[LSE:.*]] = nn.attention
// CHECK: %[[LOSS:.*]], %[[DX:.*]], %[[DW:.*]] = nn.cross_entropy %{{.*}}, %[[WTE]]
// The gradient of the head is not saved: it is accumulated beside the loss.
// CHECK-NEXT: nn.accumulate @wte, %[[DW]] {direction = "backward"}
// CHECK-NEXT: pipe.yield %[[LOSS]], %[[X]], %[[QUERY]], %[[O]], %[[LSE]], %[[DX]]

// What is computed from tokens alone is cloned into B0.
// CHECK: pipe.fragment backward @B0 stage 0(
// CHECK-SAME: %[[TOKENS:[a-z0-9]*]]: tensor<6x4xi32> {pipe.source = #pipe.source<input "tokens" 0>}, %[[X:[a-z0-9]*]]: tensor<6x4x8xf32> {pipe.source = #pipe.source<saved @F0 1>}, %[[QUERY:[a-z0-9]*]]: tensor<6x4x2x4xf32> {pipe.source = #pipe.source<saved @F0 2>}, %{{.*}}: tensor<6x4x2x4xf32> {pipe.source = #pipe.source<saved @F0 3>}, %{{.*}}: tensor<6x4x2xf32> {pipe.source = #pipe.source<saved @F0 4>}, %[[DX:[a-z0-9]*]]: tensor<6x4x8xf32> {pipe.source = #pipe.source<saved @F0 5>}, %{{.*}}: tensor<2x4x8xf32> {pipe.source = #pipe.source<parameter @l0.q>}) {
// CHECK: %[[S:.*]] = nn.document_start %[[TOKENS]]
// CHECK: nn.attention_grad %[[QUERY]], {{.*}}, %[[S]] {direction = "backward", layer = 0 : i64
// CHECK: nn.accumulate @l0.q
// CHECK: nn.accumulate @wte
// CHECK: pipe.yield
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
                     %labels: tensor<6x4xi32> {nn.role = "labels"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @wte : tensor<97x8xf32>
  %x = nn.embedding %tokens, %w : (tensor<6x4xi32>, tensor<97x8xf32>) -> tensor<6x4x8xf32>
  %s = nn.document_start %tokens {end = 0 : i64} : (tensor<6x4xi32>) -> tensor<6x4xi32>
  %wq = nn.get @l0.q : tensor<2x4x8xf32>
  %q = nn.contract %x, %wq {indices = "tbc,hdc->tbhd", layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<2x4x8xf32>) -> tensor<6x4x2x4xf32>
  %o, %lse = nn.attention %q, %q, %q, %s {scale = 0.5 : f64, layer = 0 : i64} : (tensor<6x4x2x4xf32>, tensor<6x4x2x4xf32>, tensor<6x4x2x4xf32>, tensor<6x4xi32>) -> (tensor<6x4x2x4xf32>, tensor<6x4x2xf32>)
  %d = nn.contract %o, %wq {indices = "tbhd,hdc->tbc", layer = 0 : i64} : (tensor<6x4x2x4xf32>, tensor<2x4x8xf32>) -> tensor<6x4x8xf32>
  %x1 = nn.add %x, %d {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %w2 = nn.get @wte : tensor<97x8xf32>
  %loss, %dx, %dw = nn.cross_entropy %x1, %w2, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.accumulate @wte, %dw {direction = "backward"} : tensor<97x8xf32>
  %do = nn.contract %dx, %wq {indices = "tbc,hdc->tbhd", direction = "backward", layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<2x4x8xf32>) -> tensor<6x4x2x4xf32>
  %dq, %dk, %dv = nn.attention_grad %q, %q, %q, %o, %lse, %do, %s {scale = 0.5 : f64, direction = "backward", layer = 0 : i64} : (tensor<6x4x2x4xf32>, tensor<6x4x2x4xf32>, tensor<6x4x2x4xf32>, tensor<6x4x2x4xf32>, tensor<6x4x2xf32>, tensor<6x4x2x4xf32>, tensor<6x4xi32>) -> (tensor<6x4x2x4xf32>, tensor<6x4x2x4xf32>, tensor<6x4x2x4xf32>)
  %dwq = nn.contract %dq, %x {indices = "tbhd,tbc->hdc", weight_gradient, direction = "backward", layer = 0 : i64} : (tensor<6x4x2x4xf32>, tensor<6x4x8xf32>) -> tensor<2x4x8xf32>
  nn.accumulate @l0.q, %dwq {direction = "backward", layer = 0 : i64} : tensor<2x4x8xf32>
  %de = nn.embedding_grad %tokens, %dx {weight_gradient, direction = "backward"} : (tensor<6x4xi32>, tensor<6x4x8xf32>) -> tensor<97x8xf32>
  nn.accumulate @wte, %de {direction = "backward"} : tensor<97x8xf32>
  nn.yield %loss : f32
}

// Scalars of the step are arguments; updates keep the names of parameters.
// CHECK: pipe.fragment update @U0 stage 0(
// CHECK-SAME: %[[LR:[a-z0-9]*]]: f32 {pipe.source = #pipe.source<scalar "lr">}, %[[SCALE:[a-z0-9]*]]: f32 {pipe.source = #pipe.source<scalar "inv_scale">}) {
// CHECK: nn.sgd @wte, %{{.*}}, %{{.*}}, %[[LR]]
nn.update @step(%lr: f32 {nn.role = "lr"}, %scale: f32 {nn.role = "inv_scale"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %scale, %scale : (f32, f32, f32) -> (f32, i1)
  nn.sgd @wte, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.sgd @l0.q, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.yield
}

// CHECK: pipe.fragment evaluate @E0 stage 0(%{{.*}}: tensor<6x4xi32> {pipe.source = #pipe.source<input "tokens" 0>}, {{.*}}) -> (f32 {pipe.result = #pipe.result<loss>}) {
nn.microbatch @evaluate(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
                        %labels: tensor<6x4xi32> {nn.role = "labels"},
                        %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @wte : tensor<97x8xf32>
  %x = nn.embedding %tokens, %w : (tensor<6x4xi32>, tensor<97x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dx, %dw = nn.cross_entropy %x, %w, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}

// CHECK: pipe.fragment logits @L0 stage 0(%{{.*}}: tensor<6x4xi32> {pipe.source = #pipe.source<input "tokens" 0>}, %{{.*}}: tensor<97x8xf32> {pipe.source = #pipe.source<parameter @wte>}) -> (tensor<6x4x97xf32> {pipe.result = #pipe.result<logits>}) {
nn.microbatch @logits(%tokens: tensor<6x4xi32> {nn.role = "tokens"}) -> tensor<6x4x97xf32> {
  %w = nn.get @wte : tensor<97x8xf32>
  %x = nn.embedding %tokens, %w : (tensor<6x4xi32>, tensor<97x8xf32>) -> tensor<6x4x8xf32>
  %y = nn.contract %x, %w {indices = "tbc,vc->tbv"} : (tensor<6x4x8xf32>, tensor<97x8xf32>) -> tensor<6x4x97xf32>
  nn.yield %y : tensor<6x4x97xf32>
}

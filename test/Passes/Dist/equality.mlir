// Every pass from the model's step to the programs of one rank keeps what the
// step computes: loss, gradients and updated parameters, with documents, a tied
// head and two micro-batches.
// RUN: llmc-opt %s --nn-verify-model --nn-generate-backward --nn-verify-step > %t.nn
// RUN: llmc-opt %t.nn --pass-pipeline='builtin.module(dist-import-plan,pipe-split-stages{microbatches=2})' > %t.split
// RUN: llmc-interpret %t.split --microbatches 2 --equal-to %t.nn | FileCheck %s
// RUN: llmc-opt %t.split --pass-pipeline='builtin.module(pipe-build-schedule{kind=gpipe})' > %t.gpipe
// RUN: llmc-interpret %t.gpipe --microbatches 2 --equal-to %t.nn | FileCheck %s
// RUN: llmc-opt %t.split --pipe-build-schedule > %t.scheduled
// RUN: llmc-interpret %t.scheduled --microbatches 2 --equal-to %t.nn | FileCheck %s
// RUN: llmc-opt %t.scheduled --dist-convert-global-to-local > %t.local
// RUN: llmc-interpret %t.local --microbatches 2 --equal-to %t.nn | FileCheck %s
// RUN: llmc-opt %t.local --dist-form-buckets --dist-verify-local > %t.buckets
// RUN: llmc-interpret %t.buckets --microbatches 2 --equal-to %t.nn | FileCheck %s
// CHECK: equal

nn.parameter @wte : tensor<97x8xf32> {group = "embedding", decay}
nn.parameter @l0.g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @l0.b : tensor<2x4xf32> {layer = 0 : i64}
nn.parameter @l0.q : tensor<2x4x8xf32> {layer = 0 : i64, decay}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"}, %labels: tensor<6x4xi32> {nn.role = "labels"}, %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @wte : tensor<97x8xf32>
  %g = nn.get @l0.g {layer = 0 : i64} : tensor<8xf32>
  %wq = nn.get @l0.q {layer = 0 : i64} : tensor<2x4x8xf32>
  %x = nn.embedding %tokens, %w : (tensor<6x4xi32>, tensor<97x8xf32>) -> tensor<6x4x8xf32>
  %s = nn.document_start %tokens {end = 0 : i64} : (tensor<6x4xi32>) -> tensor<6x4xi32>
  %r = nn.rms_stat %x {eps = 1.0e-5 : f64, layer = 0 : i64} : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
  %n = nn.rms_apply %x, %r, %g {layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %q = nn.contract %n, %wq {indices = "tbc,hdc->tbhd", layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<2x4x8xf32>) -> tensor<6x4x2x4xf32>
  %bq = nn.get @l0.b {layer = 0 : i64} : tensor<2x4xf32>
  %q1 = nn.add_bias %q, %bq {layer = 0 : i64} : (tensor<6x4x2x4xf32>, tensor<2x4xf32>) -> tensor<6x4x2x4xf32>
  %o, %lse = nn.attention %q1, %q1, %q, %s {scale = 0.5 : f64, layer = 0 : i64} : (tensor<6x4x2x4xf32>, tensor<6x4x2x4xf32>, tensor<6x4x2x4xf32>, tensor<6x4xi32>) -> (tensor<6x4x2x4xf32>, tensor<6x4x2xf32>)
  %d = nn.contract %o, %wq {indices = "tbhd,hdc->tbc", layer = 0 : i64} : (tensor<6x4x2x4xf32>, tensor<2x4x8xf32>) -> tensor<6x4x8xf32>
  %x1 = nn.add %x, %d {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dx, %dw = nn.cross_entropy %x1, %w, %labels, %seed : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
  nn.yield %loss : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"}, %clip: f32 {nn.role = "clip"}, %inv_scale: f32 {nn.role = "inv_scale"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %clip, %inv_scale : (f32, f32, f32) -> (f32, i1)
  nn.adamw @wte, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
  nn.adamw @l0.g, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.adamw @l0.b, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64} : f32, i1, f32, i64
  nn.adamw @l0.q, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64} : f32, i1, f32, i64
  nn.yield
}

// The way of a spec in one pipeline: from the forward graph to a program that
// is planned and verified.
// RUN: llmc-opt %s --llmc-compile='microbatches=2' | FileCheck %s

// The same from the three pipelines that it consists of, and from its passes.
// RUN: llmc-opt %s --llmc-compile='microbatches=2' > %t.one
// RUN: llmc-opt %s --llmc-nn --llmc-plan='microbatches=2' --llmc-exec > %t.three
// RUN: diff %t.one %t.three
// RUN: llmc-opt %s --pass-pipeline='builtin.module(nn-verify-model,nn-generate-backward,nn-verify-step,dist-import-plan,pipe-split-stages{microbatches=2},pipe-build-schedule{kind=1f1b},pipe-verify-schedule,dist-convert-global-to-local,dist-form-buckets,dist-verify-local,exec-form-dispatches,convert-to-exec,exec-size-workspace{threads=1},exec-plan-memory,exec-verify)' > %t.passes
// RUN: diff %t.one %t.passes

// Twice the same text.
// RUN: llmc-opt %s --llmc-compile='microbatches=2' | diff %t.one -

// CHECK: exec.program @pp0 {
// CHECK-DAG: exec.arena @parameter {role = parameter, bytes = {{[0-9]+}}}
// CHECK-DAG: exec.arena @slot {role = slot, bytes = {{[0-9]+}}}
// CHECK: exec.block @F0 {
// CHECK: exec.block @B0 {
// CHECK: exec.block @U0 {
// CHECK: exec.entry "train_step" {actions = ["0F0", "0B0", "0F1", "0B1", "0U"]
// CHECK-NOT: dist.
// CHECK-NOT: pipe.

nn.parameter @wte : tensor<11x8xf32> {group = "embedding", decay}
nn.parameter @l0.g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @l0.u : tensor<12x8xf32> {layer = 0 : i64, decay}
nn.parameter @l0.v : tensor<8x12xf32> {layer = 0 : i64, decay}
nn.microbatch @train(%tokens: tensor<6x4xi32> {nn.role = "tokens"},
    %labels: tensor<6x4xi32> {nn.role = "labels"}, %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @wte : tensor<11x8xf32>
  %x0 = nn.embedding %tokens, %w : (tensor<6x4xi32>, tensor<11x8xf32>) -> tensor<6x4x8xf32>
  %r = nn.rms_stat %x0 {eps = 1.0e-5 : f64, layer = 0 : i64} : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
  %g = nn.get @l0.g : tensor<8xf32>
  %n = nn.rms_apply %x0, %r, %g {layer = 0 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
  %u = nn.get @l0.u : tensor<12x8xf32>
  %a = nn.contract %n, %u {indices = "tbc,fc->tbf", layer = 0 : i64}
      : (tensor<6x4x8xf32>, tensor<12x8xf32>) -> tensor<6x4x12xf32>
  %h = nn.gelu %a {layer = 0 : i64} : (tensor<6x4x12xf32>) -> tensor<6x4x12xf32>
  %v = nn.get @l0.v : tensor<8x12xf32>
  %d = nn.contract %h, %v {indices = "tbf,cf->tbc", layer = 0 : i64}
      : (tensor<6x4x12xf32>, tensor<8x12xf32>) -> tensor<6x4x8xf32>
  %x1 = nn.add %x0, %d {anchor = "residual", end_of_layer = 0 : i64, layer = 0 : i64}
      : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %loss, %dx, %dw = nn.cross_entropy %x1, %w, %labels, %seed
      : (tensor<6x4x8xf32>, tensor<11x8xf32>, tensor<6x4xi32>, f32)
      -> (f32, tensor<6x4x8xf32>, tensor<11x8xf32>)
  nn.yield %loss : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}, %t: i64 {nn.role = "t"},
    %clip: f32 {nn.role = "clip"}, %inv_scale: f32 {nn.role = "inv_scale"}) {
  %s = nn.grad_norm_squared : f32
  %k, %ok = nn.clip_factor %s, %clip, %inv_scale : (f32, f32, f32) -> (f32, i1)
  nn.sgd @wte, %k, %ok, %lr {momentum = 0.9 : f64, weight_decay = 0.1 : f64} : f32, i1, f32
  nn.sgd @l0.g, %k, %ok, %lr {momentum = 0.9 : f64, weight_decay = 0.0 : f64} : f32, i1, f32
  nn.sgd @l0.u, %k, %ok, %lr {momentum = 0.9 : f64, weight_decay = 0.1 : f64} : f32, i1, f32
  nn.sgd @l0.v, %k, %ok, %lr {momentum = 0.9 : f64, weight_decay = 0.1 : f64} : f32, i1, f32
  nn.yield
}

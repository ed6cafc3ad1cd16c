// Modules that pipe-split-stages refuses.
// RUN: llmc-opt %s --pipe-split-stages --split-input-file --verify-diagnostics
// RUN: not llmc-opt %S/Inputs/evaluate.mlir --pass-pipeline='builtin.module(pipe-split-stages{microbatches=0})' 2>&1 | FileCheck %s --check-prefix=NONE

// Rejected: a step without micro-batches.
// NONE: error: found 0 micro-batches, expected at least 1

// Rejected: a module without a mesh.
// expected-error @below {{found 0 meshes, expected one}}
module {
  nn.microbatch @logits(%x: tensor<6x4x8xf32> {nn.role = "data"}) -> tensor<6x4x8xf32> {
    nn.yield %x : tensor<6x4x8xf32>
  }
}

// -----

// Rejected: more than one stage.
// expected-error @below {{'dist.mesh' op found pp 2, which is not implemented yet, expected pp 1}}
dist.mesh @m [pp = 2]
nn.microbatch @logits(%x: tensor<6x4x8xf32> {nn.role = "data"}) -> tensor<6x4x8xf32> {
  nn.yield %x : tensor<6x4x8xf32>
}

// -----

// Rejected: a module that computes nothing.
// expected-error @below {{found no micro-batch, expected at least one}}
module {
  dist.mesh @m [pp = 1]
}

// -----

// Rejected: a micro-batch of unknown purpose.
dist.mesh @m [pp = 1]
// expected-error @below {{found micro-batch '@other', expected train, evaluate or logits}}
nn.microbatch @other(%x: tensor<6x4x8xf32> {nn.role = "data"}) -> tensor<6x4x8xf32> {
  nn.yield %x : tensor<6x4x8xf32>
}

// -----

// Rejected: a step without an update.
dist.mesh @m [pp = 1]
// expected-error @below {{found '@train' without an update '@step', expected both}}
nn.microbatch @train(%seed: f32 {nn.role = "seed"}) -> f32 {
  nn.yield %seed : f32
}

// -----

// Rejected: a forward op that reads a value of the backward pass.
dist.mesh @m [pp = 1]
nn.microbatch @train(%x: tensor<6x4x8xf32> {nn.role = "data"}, %seed: f32 {nn.role = "seed"}) -> f32 {
  %y = nn.relu %x {direction = "backward"} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  // expected-error @below {{found in fragment 'F0' with an operand of the backward pass, expected forward values only}}
  %z = nn.relu %y : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield %seed : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}) {
  nn.yield
}

// -----

// Rejected: a loss that the backward pass computes.
dist.mesh @m [pp = 1]
// expected-error @below {{found a result that fragment 'F0' does not compute, expected one of its values}}
nn.microbatch @train(%x: tensor<6x4x8xf32> {nn.role = "data"}) -> f32 {
  %s = nn.sum %x {direction = "backward"} : (tensor<6x4x8xf32>) -> f32
  nn.yield %s : f32
}
nn.update @step(%lr: f32 {nn.role = "lr"}) {
  nn.yield
}

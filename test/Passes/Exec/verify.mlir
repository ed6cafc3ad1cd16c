// Programs whose accesses are good, each for a reason.
// RUN: llmc-opt %s --exec-verify --split-input-file | FileCheck %s

// An output may lie exactly where the kernel says that an input may.
// CHECK: exec.program @in_place
exec.program @in_place {
  exec.arena @parameter {role = parameter, bytes = 64}
  exec.kernel @k(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    exec.return %x : tensor<16xf32>
  }
  %p = exec.buffer @parameter {bytes = 64 : i64, offset = 0 : i64, value = "p"}
  exec.block @U0 {
    exec.launch @k (%p) -> (%p)
  }
  exec.entry "train_step" {actions = ["0U"], blocks = ["U0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

// Gradients: overwritten by the first micro-batch, then added to. The norm
// reads the padding between them too, which nobody writes.
// CHECK: exec.program @gradients
exec.program @gradients {
  exec.arena @gradient {role = gradient, bytes = 128}
  exec.arena @slot {role = slot, bytes = 64}
  exec.arena @scratch {role = scratch, bytes = 128}
  exec.kernel @over(%x: tensor<4xf32>) -> tensor<4xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<4xf32>
  }
  exec.kernel @add(%x: tensor<4xf32>) -> tensor<4xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    exec.return %x : tensor<4xf32>
  }
  exec.kernel @norm(%x: tensor<32xf32>) -> tensor<32xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<32xf32>
  }
  %bucket = exec.buffer @gradient {bytes = 128 : i64, offset = 0 : i64, value = "bucket"}
  %tokens = exec.buffer @slot {bytes = 16 : i64, offset = 0 : i64, value = "tokens"}
  %all = exec.buffer @scratch {bytes = 128 : i64, offset = 0 : i64, value = "all"}
  %a = exec.view %bucket {offset = 0 : i64, bytes = 16 : i64}
  %b = exec.view %bucket {offset = 64 : i64, bytes = 16 : i64}
  exec.input %tokens {role = "tokens", shape = array<i64: 2, 2>, entry = "train_step"}
  exec.state @a (%a) {roles = ["gradient"]}
  exec.state @b (%b) {roles = ["gradient"]}
  exec.block @F0 {
    exec.launch @over (%tokens) -> (%a) when first
    exec.launch @add (%tokens) -> (%a) when not_first
    exec.launch @over (%tokens) -> (%b) when last
  }
  exec.block @U0 {
    exec.launch @norm (%bucket) -> (%all)
  }
  exec.entry "train_step" {actions = ["0F0", "0F1", "0U"], blocks = ["F0", "F0", "U0"],
      slots = array<i64: 0, 0, 0>, microbatches = array<i64: 0, 1, 0>}
}

// -----

// Two live micro-batches in two slots, in any order.
// CHECK: exec.program @slots
exec.program @slots {
  exec.arena @slot {role = slot, bytes = 128, count = 2}
  exec.arena @scratch {role = scratch, bytes = 64}
  exec.kernel @k(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<16xf32>
  }
  %tokens = exec.buffer @slot {bytes = 64 : i64, offset = 0 : i64, value = "tokens"}
  %saved = exec.buffer @slot {bytes = 64 : i64, offset = 64 : i64, value = "saved"}
  %b = exec.buffer @scratch {bytes = 64 : i64, offset = 0 : i64, value = "b"}
  exec.input %tokens {role = "tokens", shape = array<i64: 4, 4>, entry = "train_step"}
  exec.block @F0 {
    exec.launch @k (%tokens) -> (%saved)
  }
  exec.block @B0 {
    exec.launch @k (%saved) -> (%b)
  }
  exec.entry "train_step" {actions = ["0F0", "0F1", "0B1", "0B0"], blocks = ["F0", "F0", "B0", "B0"],
      slots = array<i64: 0, 1, 1, 0>, microbatches = array<i64: 0, 1, 1, 0>}
}

// -----

// A scalar that the host writes may be read at once, one that a kernel writes
// after that. A workspace is as large as its products need.
// CHECK: exec.program @scalars
exec.program @scalars {
  exec.arena @step {role = step, bytes = 64}
  exec.arena @parameter {role = parameter, bytes = 64}
  exec.arena @scratch {role = scratch, bytes = 64}
  exec.arena @workspace {role = workspace, bytes = 32}
  exec.kernel @k(%x: f32) -> f32
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : f32
  }
  %clip = exec.buffer @step {bytes = 4 : i64, offset = 0 : i64, value = "clip"}
  %factor = exec.buffer @step {bytes = 4 : i64, offset = 8 : i64, value = "factor"}
  %norm = exec.buffer @step {bytes = 4 : i64, offset = 16 : i64, value = "norm_squared"}
  %p = exec.buffer @parameter {bytes = 16 : i64, offset = 0 : i64, value = "p"}
  %y = exec.buffer @scratch {bytes = 16 : i64, offset = 0 : i64, value = "y"}
  exec.scalar %clip {role = "clip"}
  exec.scalar %factor {role = "factor"}
  exec.scalar %norm {role = "norm_squared"}
  exec.block @U0 {
    exec.launch @k (%clip) -> (%factor)
    exec.launch @k (%factor) -> (%norm)
    exec.matmul (%p, %p) -> %y {m = 2 : i64, n = 2 : i64, k = 2 : i64, workspace = 32 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 2, 1>}
  }
  exec.entry "train_step" {actions = ["0U"], blocks = ["U0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

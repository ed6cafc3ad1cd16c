// Faults that show when the actions of an entry are replayed.
// RUN: llmc-opt %s --exec-verify --split-input-file --verify-diagnostics

exec.program @p {
  exec.arena @scratch {role = scratch, bytes = 128}
  exec.kernel @k(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<16xf32>
  }
  %a = exec.buffer @scratch {bytes = 64 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @scratch {bytes = 64 : i64, offset = 64 : i64, value = "b"}
  exec.block @F0 {
    // expected-error @+1 {{reads 'a' before anything is written there}}
    exec.launch @k (%a) -> (%b)
  }
  exec.entry "train_step" {actions = ["0F0"], blocks = ["F0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

// Only a part of what is read was written.
exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 64}
  exec.arena @scratch {role = scratch, bytes = 128}
  exec.kernel @half(%x: tensor<8xf32>) -> tensor<8xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<8xf32>
  }
  exec.kernel @k(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<16xf32>
  }
  %p = exec.buffer @parameter {bytes = 32 : i64, offset = 0 : i64, value = "p"}
  %a = exec.buffer @scratch {bytes = 64 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @scratch {bytes = 64 : i64, offset = 64 : i64, value = "b"}
  %first = exec.view %a {offset = 0 : i64, bytes = 32 : i64}
  exec.block @F0 {
    exec.launch @half (%p) -> (%first)
    // expected-error @+1 {{reads 'a' before anything is written there}}
    exec.launch @k (%a) -> (%b)
  }
  exec.entry "train_step" {actions = ["0F0"], blocks = ["F0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

// Two live buffers overlap: in the middle of the first lies the second.
exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 64}
  exec.arena @scratch {role = scratch, bytes = 192}
  exec.kernel @k(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<16xf32>
  }
  exec.kernel @small(%x: tensor<16xf32>) -> tensor<4xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %z = arith.constant dense<0.0> : tensor<4xf32>
    exec.return %z : tensor<4xf32>
  }
  %p = exec.buffer @parameter {bytes = 64 : i64, offset = 0 : i64, value = "p"}
  %a = exec.buffer @scratch {bytes = 64 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @scratch {bytes = 16 : i64, offset = 32 : i64, value = "b"}
  %c = exec.buffer @scratch {bytes = 64 : i64, offset = 128 : i64, value = "c"}
  exec.block @F0 {
    exec.launch @k (%p) -> (%a)
    exec.launch @small (%p) -> (%b)
    // expected-error @+1 {{reads 'a' after 'b' was written over it}}
    exec.launch @k (%a) -> (%c)
  }
  exec.entry "train_step" {actions = ["0F0"], blocks = ["F0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

// Scratch does not outlive its block.
exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 64}
  exec.arena @scratch {role = scratch, bytes = 128}
  exec.kernel @k(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<16xf32>
  }
  %p = exec.buffer @parameter {bytes = 64 : i64, offset = 0 : i64, value = "p"}
  %a = exec.buffer @scratch {bytes = 64 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @scratch {bytes = 64 : i64, offset = 64 : i64, value = "b"}
  exec.block @F0 {
    exec.launch @k (%p) -> (%a)
  }
  exec.block @B0 {
    // expected-error @+1 {{reads 'a' before anything is written there}}
    exec.launch @k (%a) -> (%b)
  }
  exec.entry "train_step" {actions = ["0F0", "0B0"], blocks = ["F0", "B0"],
      slots = array<i64: 0, 0>, microbatches = array<i64: 0, 0>}
}

// -----

// An addition to a gradient that nobody has overwritten in this step.
exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 64}
  exec.arena @gradient {role = gradient, bytes = 64}
  exec.kernel @add(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    exec.return %x : tensor<16xf32>
  }
  %p = exec.buffer @parameter {bytes = 64 : i64, offset = 0 : i64, value = "p"}
  %g = exec.buffer @gradient {bytes = 64 : i64, offset = 0 : i64, value = "g"}
  exec.state @w (%p, %g) {roles = ["parameter", "gradient"]}
  exec.block @B0 {
    // expected-error @+1 {{reads 'g' before anything is written there}}
    exec.launch @add (%p) -> (%g)
  }
  exec.entry "train_step" {actions = ["0B0"], blocks = ["B0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

// The product that overwrites runs in the last micro-batch, not in the first.
exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 64}
  exec.arena @gradient {role = gradient, bytes = 64}
  %p = exec.buffer @parameter {bytes = 16 : i64, offset = 0 : i64, value = "p"}
  %g = exec.buffer @gradient {bytes = 16 : i64, offset = 0 : i64, value = "g"}
  exec.state @w (%p, %g) {roles = ["parameter", "gradient"]}
  exec.block @B0 {
    exec.matmul (%p, %p) -> %g when last {m = 2 : i64, n = 2 : i64, k = 2 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 2, 1>}
    // expected-error @+1 {{reads 'g' before anything is written there}}
    exec.matmul (%p, %p) -> %g when not_last {accumulate, m = 2 : i64, n = 2 : i64, k = 2 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 2, 1>}
  }
  exec.entry "train_step" {actions = ["0B0", "0B1"], blocks = ["B0", "B0"],
      slots = array<i64: 0, 0>, microbatches = array<i64: 0, 1>}
}

// -----

// One slot for two live micro-batches: the second overwrites what the first
// has saved.
exec.program @p {
  exec.arena @slot {role = slot, bytes = 128}
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
    // expected-error @+1 {{reads 'saved' of micro-batch 0 after that of 1 was written over it}}
    exec.launch @k (%saved) -> (%b)
  }
  exec.entry "train_step" {actions = ["0F0", "0F1", "0B0", "0B1"], blocks = ["F0", "F0", "B0", "B0"],
      slots = array<i64: 0, 0, 0, 0>, microbatches = array<i64: 0, 1, 0, 1>}
}

// -----

exec.program @p {
  exec.arena @slot {role = slot, bytes = 128, count = 2}
  exec.block @F0 {
  }
  // expected-error @+1 {{action '0F0' runs in slot 2, expected 0 to 1}}
  exec.entry "train_step" {actions = ["0F0"], blocks = ["F0"],
      slots = array<i64: 2>, microbatches = array<i64: 0>}
}

// -----

exec.program @p {
  // expected-error @+1 {{action '0SEND_F0' needs more than one pipeline stage, which is not implemented}}
  exec.entry "train_step" {actions = ["0SEND_F0"], blocks = [""],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

// A scalar that a kernel must write first.
exec.program @p {
  exec.arena @step {role = step, bytes = 64}
  exec.arena @scratch {role = scratch, bytes = 64}
  exec.kernel @k(%x: f32) -> f32
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : f32
  }
  %factor = exec.buffer @step {bytes = 4 : i64, offset = 0 : i64, value = "factor"}
  %b = exec.buffer @scratch {bytes = 4 : i64, offset = 0 : i64, value = "b"}
  exec.scalar %factor {role = "factor"}
  exec.block @U0 {
    // expected-error @+1 {{reads 'factor' before anything is written there}}
    exec.launch @k (%factor) -> (%b)
  }
  exec.entry "train_step" {actions = ["0U"], blocks = ["U0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

// What the host reads it does not fill.
exec.program @p {
  exec.arena @slot {role = slot, bytes = 64}
  exec.arena @scratch {role = scratch, bytes = 64}
  exec.kernel @k(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<16xf32>
  }
  %logits = exec.buffer @slot {bytes = 64 : i64, offset = 0 : i64, value = "logits"}
  %b = exec.buffer @scratch {bytes = 64 : i64, offset = 0 : i64, value = "b"}
  exec.input %logits {role = "logits", shape = array<i64: 2, 2, 4>, entry = "logits"}
  exec.block @L0 {
    // expected-error @+1 {{reads 'logits' before anything is written there}}
    exec.launch @k (%logits) -> (%b)
  }
  exec.entry "logits" {actions = ["0F0"], blocks = ["L0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// Offsets and sizes.
// RUN: llmc-opt %s --exec-plan-memory --split-input-file | FileCheck %s

// Scratch of values that do not live together is the same; a buffer that no
// instruction touches gets none. Arenas end at a multiple of 64 bytes.
// CHECK: exec.arena @scratch {role = scratch, bytes = 256}
// CHECK: exec.buffer @scratch {bytes = 96 : i64, offset = [[A:[0-9]+]] : i64, value = "a"}
// CHECK: exec.buffer @scratch {bytes = 96 : i64, offset = [[B:[0-9]+]] : i64, value = "b"}
// CHECK: exec.buffer @scratch {bytes = 96 : i64, offset = [[A]] : i64, value = "c"}
// CHECK: exec.buffer @scratch {bytes = 96 : i64, value = "unused"}
exec.program @p {
  exec.arena @scratch {role = scratch}
  exec.kernel @k(%x: tensor<24xf32>) -> tensor<24xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<24xf32>
  }
  %a = exec.buffer @scratch {bytes = 96 : i64, value = "a"}
  %b = exec.buffer @scratch {bytes = 96 : i64, value = "b"}
  %c = exec.buffer @scratch {bytes = 96 : i64, value = "c"}
  %unused = exec.buffer @scratch {bytes = 96 : i64, value = "unused"}
  exec.block @F0 {
    exec.launch @k (%a) -> (%b)
    exec.launch @k (%b) -> (%c)
  }
  exec.entry "train_step" {actions = ["0F0"], blocks = ["F0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

// A block begins its scratch anew; a slot outlives the block: the input stays
// until the backward block has read it, and what that block adds to the slot
// takes the place of the saved value, which is dead by then.
// CHECK: exec.arena @slot {role = slot, bytes = 128, count = 2}
// CHECK: exec.arena @scratch {role = scratch, bytes = 64}
// CHECK: exec.buffer @slot {{.*}}offset = [[IN:[0-9]+]] : i64, value = "tokens"
// CHECK: exec.buffer @slot {{.*}}offset = [[SAVED:[0-9]+]] : i64, value = "saved"
// CHECK: exec.buffer @slot {{.*}}offset = [[SAVED]] : i64, value = "late"
// CHECK: exec.buffer @scratch {{.*}}offset = 0 : i64, value = "f"
// CHECK: exec.buffer @scratch {{.*}}offset = 0 : i64, value = "b"
exec.program @p {
  exec.arena @slot {role = slot, count = 2}
  exec.arena @scratch {role = scratch}
  exec.kernel @k(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<16xf32>
  }
  %tokens = exec.buffer @slot {bytes = 64 : i64, value = "tokens"}
  %saved = exec.buffer @slot {bytes = 64 : i64, value = "saved"}
  %late = exec.buffer @slot {bytes = 64 : i64, value = "late"}
  %f = exec.buffer @scratch {bytes = 64 : i64, value = "f"}
  %b = exec.buffer @scratch {bytes = 64 : i64, value = "b"}
  exec.input %tokens {role = "tokens", shape = array<i64: 4, 4>, entry = "train_step"}
  exec.block @F0 {
    exec.launch @k (%tokens) -> (%f)
    exec.launch @k (%f) -> (%saved)
  }
  exec.block @B0 {
    exec.launch @k (%saved) -> (%b)
    exec.launch @k (%b) -> (%late)
    exec.launch @k (%tokens) -> (%b)
  }
  exec.entry "train_step" {actions = ["0F0", "0F1", "0B0", "0B1"], blocks = ["F0", "F0", "B0", "B0"],
      slots = array<i64: 0, 1, 0, 1>, microbatches = array<i64: 0, 1, 0, 1>}
}

// -----

// Entries do not run at the same time: they share slots and scratch, and the
// larger decides. What the host reads lives to the end.
// CHECK: exec.arena @slot {role = slot, bytes = 128}
// CHECK: exec.buffer @slot {{.*}}offset = 0 : i64, value = "small"
// CHECK: exec.buffer @slot {{.*}}offset = [[LOGITS:[0-9]+]] : i64, value = "logits"
// CHECK-NOT: offset = [[LOGITS]] : i64, value = "after"
// CHECK: exec.buffer @slot {{.*}}value = "after"
exec.program @p {
  exec.arena @slot {role = slot}
  exec.kernel @k() -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %x = arith.constant dense<0.0> : tensor<16xf32>
    exec.return %x : tensor<16xf32>
  }
  %small = exec.buffer @slot {bytes = 64 : i64, value = "small"}
  %logits = exec.buffer @slot {bytes = 64 : i64, value = "logits"}
  %after = exec.buffer @slot {bytes = 64 : i64, value = "after"}
  exec.input %logits {role = "logits", shape = array<i64: 2, 2, 4>, entry = "logits"}
  exec.block @E0 {
    exec.launch @k () -> (%small)
  }
  exec.block @L0 {
    exec.launch @k () -> (%logits)
    exec.launch @k () -> (%after)
  }
  exec.entry "evaluate" {actions = ["0F0"], blocks = ["E0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
  exec.entry "logits" {actions = ["0F0"], blocks = ["L0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

// Parameters, gradients and state lie in order, from multiples of 64; scalars
// are packed.
// CHECK: exec.arena @parameter {role = parameter, bytes = 192}
// CHECK: exec.arena @step {role = step, bytes = 64}
// CHECK: exec.buffer @parameter {{.*}}offset = 0 : i64, value = "a"
// CHECK: exec.buffer @parameter {{.*}}offset = 128 : i64, value = "b"
// CHECK: exec.buffer @step {{.*}}offset = 0 : i64, value = "lr"
// CHECK: exec.buffer @step {{.*}}offset = 8 : i64, value = "t"
exec.program @p {
  exec.arena @parameter {role = parameter}
  exec.arena @step {role = step}
  %a = exec.buffer @parameter {bytes = 100 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 64 : i64, value = "b"}
  %lr = exec.buffer @step {bytes = 4 : i64, value = "lr"}
  %t = exec.buffer @step {bytes = 8 : i64, value = "t"}
}

// -----

// The workspace holds what the hungriest product needs.
// CHECK: exec.arena @workspace {role = workspace, bytes = 300}
exec.program @p {
  exec.arena @parameter {role = parameter}
  %a = exec.buffer @parameter {bytes = 16 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 16 : i64, value = "b"}
  exec.block @F0 {
    exec.matmul (%a, %a) -> %b {m = 2 : i64, n = 2 : i64, k = 2 : i64, workspace = 300 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 2, 1>}
    exec.matmul (%a, %a) -> %b {m = 2 : i64, n = 2 : i64, k = 2 : i64, workspace = 200 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 2, 1>}
  }
}

// -----

// A started collective keeps its buffers until it is awaited: what is written
// in between lies elsewhere.
// CHECK: exec.arena @scratch {role = scratch, bytes = 256}
// CHECK: exec.buffer @scratch {{.*}}offset = [[PART:[0-9]+]] : i64, value = "part"
// CHECK-NOT: offset = [[PART]] : i64, value = "between"
// CHECK: exec.buffer @scratch {{.*}}value = "between"
// CHECK: exec.buffer @scratch {{.*}}value = "whole"
dist.mesh @m [dp = 1, tp = 2]
exec.program @p mesh @m {
  exec.arena @scratch {role = scratch}
  exec.kernel @k() -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %x = arith.constant dense<0.0> : tensor<16xf32>
    exec.return %x : tensor<16xf32>
  }
  %part = exec.buffer @scratch {bytes = 64 : i64, value = "part"}
  %between = exec.buffer @scratch {bytes = 64 : i64, value = "between"}
  %whole = exec.buffer @scratch {bytes = 128 : i64, value = "whole"}
  exec.block @F0 {
    exec.launch @k () -> (%part)
    %t = exec.collective_start all_gather (%part) -> (%whole) {axes = ["tp"]}
    exec.launch @k () -> (%between)
    exec.wait %t
  }
  exec.entry "train_step" {actions = ["0F0"], blocks = ["F0"],
      slots = array<i64: 0>, microbatches = array<i64: 0>}
}

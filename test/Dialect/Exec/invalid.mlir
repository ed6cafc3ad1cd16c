// RUN: llmc-opt %s --split-input-file --verify-diagnostics

func.func @inputs(%x: tensor<8xf32>) {
  // expected-error @+1 {{has 1 inputs and 0 body arguments}}
  exec.dispatch "none" (%x) : (tensor<8xf32>) -> () {
    exec.return
  }
  return
}

// -----

func.func @input_type(%x: tensor<8xf32>) {
  // expected-error @+1 {{input 0 has type 'tensor<8xf32>', its body argument has type 'tensor<4xf32>'}}
  exec.dispatch "none" (%x) : (tensor<8xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    exec.return
  }
  return
}

// -----

func.func @dispatch_accumulate(%x: tensor<8xf32>) {
  // expected-error @+1 {{'accumulate' has 2 entries, expected one per result, 1}}
  %y = exec.dispatch "none" (%x) {accumulate = array<i1: true, false>}
      : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    exec.return %a : tensor<8xf32>
  }
  return
}

// -----

func.func @no_return(%x: tensor<8xf32>) {
  // expected-error @+1 {{body must end in exec.return}}
  exec.dispatch "none" (%x) : (tensor<8xf32>) -> () {
  ^bb0(%a: tensor<8xf32>):
    %y = nn.relu %a : (tensor<8xf32>) -> tensor<8xf32>
  }
  return
}

// -----

exec.kernel @return_count(%a: tensor<8xf32>) -> tensor<8xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  // expected-error @+1 {{returns 0 values, expected 1}}
  exec.return
}

// -----

exec.kernel @return_type(%a: tensor<4xf32>) -> tensor<8xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  // expected-error @+1 {{operand 0 has type 'tensor<4xf32>', expected 'tensor<8xf32>'}}
  exec.return %a : tensor<4xf32>
}

// -----

// expected-error @+1 {{'accumulate' has 0 entries, expected one per result, 1}}
exec.kernel @accumulate(%a: tensor<8xf32>) -> tensor<8xf32>
    attributes {accumulate = array<i1>, aliases = array<i64: -1>} {
  exec.return %a : tensor<8xf32>
}

// -----

// expected-error @+1 {{'aliases' has 2 entries, expected one per result, 1}}
exec.kernel @aliases(%a: tensor<8xf32>) -> tensor<8xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: 0, 0>} {
  exec.return %a : tensor<8xf32>
}

// -----

// expected-error @+1 {{result 0 aliases argument 1, expected -1 or a number below 1}}
exec.kernel @alias_range(%a: tensor<8xf32>) -> tensor<8xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: 1>} {
  exec.return %a : tensor<8xf32>
}

// -----

// expected-error @+1 {{result 0 of type 'tensor<4xf32>' aliases argument 0 of type 'tensor<8xf32>'}}
exec.kernel @alias_type(%a: tensor<8xf32>, %b: tensor<4xf32>) -> tensor<4xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
  exec.return %b : tensor<4xf32>
}

// -----

// expected-error @+1 {{result 0 both accumulates and aliases argument 0}}
exec.kernel @alias_accumulate(%a: tensor<8xf32>) -> tensor<8xf32>
    attributes {accumulate = array<i1: true>, aliases = array<i64: 0>} {
  exec.return %a : tensor<8xf32>
}

// -----

// expected-error @+1 {{unknown arena role 'heap', expected one of parameter}}
exec.arena @a {role = heap}

// -----

// expected-error @+1 {{unknown key 'size', expected bytes or count}}
exec.arena @a {role = slot, size = 4}

// -----

// expected-error @+1 {{'bytes' is given twice}}
exec.arena @a {role = slot, bytes = 4, bytes = 4}

// -----

// expected-error @+1 {{has -1 bytes, expected at least 0}}
exec.arena @a {role = slot, bytes = -1}

// -----

// expected-error @+1 {{has 0 instances, expected at least 1}}
exec.arena @a {role = slot, count = 0}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  // expected-error @+1 {{has offset -4, expected at least 0}}
  %b = exec.view %a {offset = -4 : i64, bytes = 4 : i64}
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  // expected-error @+1 {{has 0 bytes, expected at least 1}}
  %b = exec.view %a {offset = 0 : i64, bytes = 0 : i64}
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{has k = 0, expected at least 1}}
    exec.matmul (%a, %a) -> %a {m = 24 : i64, n = 32 : i64, k = 0 : i64,
        lhs_strides = array<i64: 8, 1>, rhs_strides = array<i64: 1, 8>}
  }
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{has 1 lhs and 2 rhs strides, expected 2 and 2}}
    exec.matmul (%a, %a) -> %a {m = 24 : i64, n = 32 : i64, k = 1 : i64,
        lhs_strides = array<i64: 8>, rhs_strides = array<i64: 1, 8>}
  }
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{accumulates, so it cannot have an epilogue}}
    exec.matmul (%a, %a) bias(%a) -> %a {accumulate, m = 24 : i64, n = 32 : i64,
        k = 1 : i64, lhs_strides = array<i64: 8, 1>,
        rhs_strides = array<i64: 1, 8>}
  }
}

// -----

exec.program @p {
  // expected-error @+1 {{has 1 actions, 2 blocks, 1 slots and 1 micro-batches, expected equal numbers}}
  exec.entry "e" {actions = ["0F0"], blocks = ["F0", "F0"],
                  slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  // expected-error @+1 {{expects parent op 'exec.block'}}
  exec.launch @k (%a) -> (%a)
}

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
    // expected-error @+1 {{has lhs strides [8], expected two of at least 1}}
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
        k = 8 : i64, lhs_strides = array<i64: 8, 1>,
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

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{has rhs strides [0, 8], expected two of at least 1}}
    exec.matmul (%a, %a) -> %a {m = 24 : i64, n = 32 : i64, k = 8 : i64,
        lhs_strides = array<i64: 8, 1>, rhs_strides = array<i64: 0, 8>}
  }
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{reaches element 743 of its lhs, which has 192}}
    exec.matmul (%a, %a) -> %a {m = 24 : i64, n = 32 : i64, k = 8 : i64,
        lhs_strides = array<i64: 32, 1>, rhs_strides = array<i64: 1, 8>}
  }
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  // expected-error @+1 {{takes 64 bytes at 64 of a buffer of 96}}
  %b = exec.view %a {offset = 64 : i64, bytes = 64 : i64}
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  // expected-error @+1 {{has an axis, expected an axis and a stride or neither}}
  %b = exec.view %a {offset = 0 : i64, bytes = 48 : i64, axis = "tp"}
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  // expected-error @+1 {{has a stride, expected an axis and a stride or neither}}
  %b = exec.view %a {offset = 0 : i64, bytes = 48 : i64, stride = 48 : i64}
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  // expected-error @+1 {{has stride 0, expected at least 1}}
  %b = exec.view %a {offset = 0 : i64, bytes = 48 : i64, axis = "tp", stride = 0 : i64}
}

// -----

exec.program @p {
  // expected-error @+1 {{found no arena @slot}}
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
}

// -----

exec.program @p {
  exec.block @F0 {
    // expected-error @+1 {{found no kernel @k}}
    exec.launch @k () -> ()
  }
}

// -----

exec.program @p {
  exec.arena @slot {role = slot}
  exec.kernel @k() -> f32 attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %x = arith.constant 0.0 : f32
    exec.return %x : f32
  }
  %a = exec.buffer @slot {bytes = 4 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{has 1 inputs and 0 outputs, kernel @k takes 0 and gives 1}}
    exec.launch @k (%a) -> ()
  }
}

// -----

exec.program @p {
  exec.block @F0 {
    // expected-error @+1 {{is no instruction, expected one in an exec.block}}
    %x = arith.constant 0.0 : f32
  }
}

// -----

exec.program @p {
  %a = exec.buffer @slot {bytes = 4 : i64, value = "a"}
  // expected-error @+1 {{has 1 buffers and 2 roles, expected equal numbers}}
  exec.state @w (%a) {roles = ["parameter", "gradient"]}
}

// -----

exec.program @p {
  exec.arena @F0 {role = slot}
  // expected-error @+1 {{action '0F0' runs no block @F0}}
  exec.entry "e" {actions = ["0F0"], blocks = ["F0"],
                  slots = array<i64: 0>, microbatches = array<i64: 0>}
}

// -----

// expected-error @+1 {{found no mesh @m}}
exec.program @p mesh @m {
}

// -----

dist.mesh @m [dp = 2, tp = 2]
// expected-error @+1 {{found coordinate 'pp', expected an axis of its mesh}}
exec.program @p mesh @m attributes {coordinates = ["dp", "pp"]} {
}

// -----

// expected-error @+1 {{found coordinate 'dp', expected an axis of its mesh}}
exec.program @p attributes {coordinates = ["dp"]} {
}

// -----

dist.mesh @m [dp = 2, tp = 2]
exec.program @p mesh @m attributes {coordinates = ["dp"]} {
  exec.arena @slot {role = slot}
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  // expected-error @+1 {{depends on axis 'tp', expected one of the program's coordinates}}
  %b = exec.view %a {offset = 0 : i64, bytes = 48 : i64, axis = "tp", stride = 48 : i64}
}

// -----

dist.mesh @m [dp = 3, tp = 2]
exec.program @p mesh @m attributes {coordinates = ["dp", "tp"]} {
  exec.arena @slot {role = slot}
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  // expected-error @+1 {{ends at byte 144 on the last of 3 ranks, in a buffer of 96}}
  %b = exec.view %a {offset = 0 : i64, bytes = 48 : i64, axis = "dp", stride = 48 : i64}
}

// -----

dist.mesh @m [dp = 2, tp = 2]
exec.program @p mesh @m {
  exec.arena @slot {role = slot}
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{found no axes, expected at least one}}
    exec.collective all_reduce (%a) -> (%a) {axes = []}
  }
}

// -----

dist.mesh @m [dp = 2, tp = 2]
exec.program @p mesh @m {
  exec.arena @slot {role = slot}
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{found axis 'cp', expected one of the program's mesh}}
    exec.collective all_reduce (%a) -> (%a) {axes = ["cp"]}
  }
}

// -----

dist.mesh @m [dp = 2, tp = 2]
exec.program @p mesh @m {
  exec.arena @slot {role = slot}
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{found axis 'tp' twice, expected it at most once}}
    exec.collective all_reduce (%a) -> (%a) {axes = ["tp", "tp"]}
  }
}

// -----

dist.mesh @m [dp = 3, tp = 2]
exec.program @p mesh @m {
  exec.arena @slot {role = slot}
  %a = exec.buffer @slot {bytes = 16 : i64, value = "a"}
  %b = exec.buffer @slot {bytes = 48 : i64, value = "b"}
  exec.block @F0 {
    // expected-error @+1 {{has 16 bytes of input and 48 of output, which all_gather over 6 ranks does not give}}
    exec.collective all_gather (%a) -> (%b) {axes = ["dp", "tp"]}
  }
}

// -----

dist.mesh @m [dp = 3, tp = 2]
exec.program @p mesh @m {
  exec.arena @slot {role = slot}
  %a = exec.buffer @slot {bytes = 16 : i64, value = "a"}
  %b = exec.buffer @slot {bytes = 48 : i64, value = "b"}
  exec.block @F0 {
    // expected-error @+1 {{has 48 bytes of input and 16 of output, which reduce_scatter over 2 ranks does not give}}
    %t = exec.collective_start reduce_scatter (%b) -> (%a) {axes = ["tp"]}
    exec.wait %t
  }
}

// -----

dist.mesh @m [dp = 2, tp = 2]
exec.program @p mesh @m {
  exec.arena @slot {role = slot}
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{has 0 waits in its block, expected exactly one}}
    %t = exec.collective_start all_reduce (%a) -> (%a) {axes = ["tp"]}
  }
}

// -----

dist.mesh @m [dp = 2, tp = 2]
exec.program @p mesh @m {
  exec.arena @slot {role = slot}
  %a = exec.buffer @slot {bytes = 96 : i64, value = "a"}
  exec.block @F0 {
    // expected-error @+1 {{has 2 waits in its block, expected exactly one}}
    %t = exec.collective_start all_reduce (%a) -> (%a) {axes = ["tp"]}
    exec.wait %t
    exec.wait %t
  }
}

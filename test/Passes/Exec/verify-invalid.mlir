// Sizes, places and overlaps that do not depend on the order of instructions.
// RUN: llmc-opt %s --exec-verify --split-input-file --verify-diagnostics

exec.program @p {
  // expected-error @+1 {{arena has no size: run exec-plan-memory}}
  exec.arena @scratch {role = scratch}
  %a = exec.buffer @scratch {bytes = 64 : i64, value = "a"}
}

// -----

exec.program @p {
  exec.arena @scratch {role = scratch, bytes = 64}
  // expected-error @+1 {{buffer lies at bytes 32 to 96 of arena @scratch, which has 64}}
  %a = exec.buffer @scratch {bytes = 64 : i64, offset = 32 : i64, value = "a"}
}

// -----

exec.program @p {
  exec.arena @scratch {role = scratch, bytes = 64}
  // expected-error @+1 {{buffer lies at bytes -8 to 56 of arena @scratch, which has 64}}
  %a = exec.buffer @scratch {bytes = 64 : i64, offset = -8 : i64, value = "a"}
}

// -----

exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 128}
  exec.kernel @k(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    exec.return %x : tensor<16xf32>
  }
  %a = exec.buffer @parameter {bytes = 60 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 64 : i64, offset = 64 : i64, value = "b"}
  exec.block @U0 {
    // expected-error @+1 {{input 0 has 60 bytes, expected 64}}
    exec.launch @k (%a) -> (%b)
  }
}

// -----

exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 192}
  exec.kernel @k(%x: tensor<16xf32>) -> (tensor<16xf32>, i1)
      attributes {accumulate = array<i1: false, false>, aliases = array<i64: -1, -1>} {
    %t = arith.constant true
    exec.return %x, %t : tensor<16xf32>, i1
  }
  %a = exec.buffer @parameter {bytes = 64 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 64 : i64, offset = 64 : i64, value = "b"}
  %c = exec.buffer @parameter {bytes = 4 : i64, offset = 128 : i64, value = "c"}
  exec.block @U0 {
    // expected-error @+1 {{output 1 has 4 bytes, expected 1}}
    exec.launch @k (%a) -> (%b, %c)
  }
}

// -----

exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 192}
  %a = exec.buffer @parameter {bytes = 24 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 32 : i64, offset = 64 : i64, value = "b"}
  %c = exec.buffer @parameter {bytes = 48 : i64, offset = 128 : i64, value = "c"}
  exec.block @U0 {
    // expected-error @+1 {{lhs has 32 bytes, expected 24}}
    exec.matmul (%b, %a) -> %c {m = 3 : i64, n = 4 : i64, k = 2 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 4, 1>}
  }
}

// -----

exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 192}
  %a = exec.buffer @parameter {bytes = 24 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 32 : i64, offset = 64 : i64, value = "b"}
  %c = exec.buffer @parameter {bytes = 48 : i64, offset = 128 : i64, value = "c"}
  exec.block @U0 {
    // expected-error @+1 {{rhs has 24 bytes, expected 32}}
    exec.matmul (%a, %a) -> %c {m = 3 : i64, n = 4 : i64, k = 2 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 4, 1>}
  }
}

// -----

exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 192}
  %a = exec.buffer @parameter {bytes = 24 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 32 : i64, offset = 64 : i64, value = "b"}
  exec.block @U0 {
    // expected-error @+1 {{out has 24 bytes, expected 48}}
    exec.matmul (%a, %b) -> %a {m = 3 : i64, n = 4 : i64, k = 2 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 4, 1>}
  }
}

// -----

exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 192}
  %a = exec.buffer @parameter {bytes = 24 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 32 : i64, offset = 64 : i64, value = "b"}
  %c = exec.buffer @parameter {bytes = 48 : i64, offset = 128 : i64, value = "c"}
  exec.block @U0 {
    // expected-error @+1 {{bias has 24 bytes, expected 16}}
    exec.matmul (%a, %b) bias(%a) -> %c {m = 3 : i64, n = 4 : i64, k = 2 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 4, 1>}
  }
}

// -----

exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 192}
  %a = exec.buffer @parameter {bytes = 24 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 32 : i64, offset = 64 : i64, value = "b"}
  %c = exec.buffer @parameter {bytes = 48 : i64, offset = 128 : i64, value = "c"}
  exec.block @U0 {
    // expected-error @+1 {{addend has 24 bytes, expected 48}}
    exec.matmul (%a, %b) add(%a) -> %c {m = 3 : i64, n = 4 : i64, k = 2 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 4, 1>}
  }
}

// -----

exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 192}
  exec.arena @workspace {role = workspace, bytes = 64}
  %a = exec.buffer @parameter {bytes = 24 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 32 : i64, offset = 64 : i64, value = "b"}
  %c = exec.buffer @parameter {bytes = 48 : i64, offset = 128 : i64, value = "c"}
  exec.block @U0 {
    // expected-error @+1 {{needs 65 bytes of workspace, the arena has 64}}
    exec.matmul (%a, %b) -> %c {m = 3 : i64, n = 4 : i64, k = 2 : i64, workspace = 65 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 4, 1>}
  }
}

// -----

exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 192}
  %a = exec.buffer @parameter {bytes = 24 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @parameter {bytes = 32 : i64, offset = 64 : i64, value = "b"}
  %c = exec.buffer @parameter {bytes = 48 : i64, offset = 64 : i64, value = "c"}
  exec.block @U0 {
    // expected-error @+1 {{output 0 overlaps input 1, which the kernel does not allow}}
    exec.matmul (%a, %b) -> %c {m = 3 : i64, n = 4 : i64, k = 2 : i64,
        lhs_strides = array<i64: 2, 1>, rhs_strides = array<i64: 4, 1>}
  }
}

// -----

exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 64}
  exec.kernel @k(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    exec.return %x : tensor<16xf32>
  }
  %p = exec.buffer @parameter {bytes = 64 : i64, offset = 0 : i64, value = "p"}
  exec.block @U0 {
    // expected-error @+1 {{output 0 overlaps input 1, which the kernel does not allow}}
    exec.launch @k (%p, %p) -> (%p)
  }
}

// -----

// In place means exactly there.
exec.program @p {
  exec.arena @parameter {role = parameter, bytes = 128}
  exec.kernel @k(%x: tensor<16xf32>) -> tensor<16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    exec.return %x : tensor<16xf32>
  }
  %p = exec.buffer @parameter {bytes = 128 : i64, offset = 0 : i64, value = "p"}
  %a = exec.view %p {offset = 0 : i64, bytes = 64 : i64}
  %b = exec.view %p {offset = 4 : i64, bytes = 64 : i64}
  exec.block @U0 {
    // expected-error @+1 {{output 0 overlaps input 0, which the kernel does not allow}}
    exec.launch @k (%a) -> (%b)
  }
}

// -----

exec.program @p {
  exec.arena @scratch {role = scratch, bytes = 128}
  exec.kernel @k(%x: f32) -> (f32, f32)
      attributes {accumulate = array<i1: false, false>, aliases = array<i64: -1, -1>} {
    exec.return %x, %x : f32, f32
  }
  %a = exec.buffer @scratch {bytes = 4 : i64, offset = 64 : i64, value = "a"}
  %b = exec.buffer @scratch {bytes = 4 : i64, offset = 0 : i64, value = "b"}
  exec.block @U0 {
    // expected-error @+1 {{output 1 overlaps output 0}}
    exec.launch @k (%a) -> (%b, %b)
  }
}

// -----

dist.mesh @m [dp = 1, tp = 2]
exec.program @p mesh @m {
  exec.arena @scratch {role = scratch, bytes = 192}
  %a = exec.buffer @scratch {bytes = 64 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @scratch {bytes = 128 : i64, offset = 64 : i64, value = "b"}
  exec.block @F0 {
    // expected-error @+1 {{a collective needs more than one rank, which is not implemented}}
    exec.collective all_gather (%a) -> (%b) {axes = ["tp"]}
  }
}

// -----

dist.mesh @m [dp = 1, tp = 2]
exec.program @p mesh @m {
  exec.arena @scratch {role = scratch, bytes = 192}
  %a = exec.buffer @scratch {bytes = 64 : i64, offset = 0 : i64, value = "a"}
  %b = exec.buffer @scratch {bytes = 128 : i64, offset = 64 : i64, value = "b"}
  exec.block @F0 {
    // expected-error @+1 {{a collective needs more than one rank, which is not implemented}}
    %t = exec.collective_start all_gather (%a) -> (%b) {axes = ["tp"]}
    exec.wait %t
  }
}

// -----

dist.mesh @m [dp = 1, tp = 2]
exec.program @p mesh @m attributes {coordinates = ["tp"]} {
  exec.arena @scratch {role = scratch, bytes = 128}
  %a = exec.buffer @scratch {bytes = 128 : i64, offset = 0 : i64, value = "a"}
  // expected-error @+1 {{a view that depends on a mesh coordinate needs more than one rank, which is not implemented}}
  %b = exec.view %a {offset = 0 : i64, bytes = 64 : i64, axis = "tp", stride = 64 : i64}
}

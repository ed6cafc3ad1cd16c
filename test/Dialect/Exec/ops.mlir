// Every op, printed as it is parsed, through text, the generic form and bytecode.
// RUN: llmc-opt %s --verify-roundtrip | FileCheck %s
// RUN: llmc-opt %s --mlir-print-op-generic | llmc-opt | FileCheck %s

// CHECK-LABEL: func.func @dispatch
func.func @dispatch(%x: tensor<6x4x8xf32>, %g: tensor<8xf32>) {
  // CHECK: exec.dispatch "rms_stat_rms_apply"(%{{.*}}, %{{.*}}) : (tensor<6x4x8xf32>, tensor<8xf32>) -> (tensor<6x4xf32>, tensor<6x4x8xf32>)
  %r, %n = exec.dispatch "rms_stat_rms_apply" (%x, %g)
      : (tensor<6x4x8xf32>, tensor<8xf32>)
      -> (tensor<6x4xf32>, tensor<6x4x8xf32>) {
  ^bb0(%a: tensor<6x4x8xf32>, %b: tensor<8xf32>):
    %s = nn.rms_stat %a {eps = 1.0e-5 : f64}
        : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
    %y = nn.rms_apply %a, %s, %b
        : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>)
        -> tensor<6x4x8xf32>
    // CHECK: exec.return
    exec.return %s, %y : tensor<6x4xf32>, tensor<6x4x8xf32>
  }
  return
}

// CHECK-LABEL: exec.program @pp0
exec.program @pp0 {
  // CHECK: exec.arena @parameter {role = parameter}
  exec.arena @parameter {role = parameter}
  // CHECK: exec.arena @slot {role = slot, bytes = 1024, count = 2}
  exec.arena @slot {role = slot, bytes = 1024, count = 2}
  // CHECK: exec.arena @scratch {role = scratch, bytes = 64}
  exec.arena @scratch {role = scratch, bytes = 64, count = 1}

  // CHECK: exec.kernel @gelu_768(%{{.*}}: tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  // CHECK-SAME: accumulate = array<i1: false>, aliases = array<i64: 0>
  exec.kernel @gelu_768(%a: tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %h = nn.gelu %a : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    exec.return %h : tensor<6x4x32xf32>
  }
  // CHECK: exec.kernel @fill_97x8() -> tensor<97x8xf32>
  exec.kernel @fill_97x8() -> tensor<97x8xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %z = arith.constant dense<0.0> : tensor<97x8xf32>
    exec.return %z : tensor<97x8xf32>
  }

  // CHECK: %[[A:.*]] = exec.buffer @slot {bytes = 3072 : i64, value = "layers.0.a"}
  %a = exec.buffer @slot {bytes = 3072 : i64, value = "layers.0.a"}
  // CHECK: %[[H:.*]] = exec.buffer @scratch
  // CHECK-SAME: entry = "train_step"
  // CHECK-SAME: offset = 64 : i64
  %h = exec.buffer @scratch {bytes = 3072 : i64, offset = 64 : i64,
                             value = "layers.0.h", entry = "train_step"}
  %p = exec.buffer @parameter {bytes = 1152 : i64, value = "l0"}
  // CHECK: exec.view %{{.*}} {bytes = 512 : i64, offset = 0 : i64}
  %u = exec.view %p {offset = 0 : i64, bytes = 512 : i64}
  exec.input %a {role = "tokens", shape = array<i64: 6, 4>, entry = "train_step"}
  exec.scalar %h {role = "lr"}
  // CHECK: exec.state @l0.u(%{{.*}}, %{{.*}}) {roles = ["parameter", "gradient"]}
  exec.state @l0.u (%p, %u) {roles = ["parameter", "gradient"]}

  // CHECK: exec.block @F0
  exec.block @F0 {
    // CHECK: exec.launch @gelu_768(%[[A]]) -> (%[[H]]){{$}}
    exec.launch @gelu_768 (%a) -> (%h)
    // CHECK: exec.launch @fill_97x8() -> (%[[H]]) when first
    exec.launch @fill_97x8 () -> (%h) when first
    // CHECK: exec.matmul(%[[A]], %{{.*}}) bias(%{{.*}}) add(%{{.*}}) -> %[[H]] when not_last
    exec.matmul (%a, %u) bias(%p) add(%a) -> %h when not_last {m = 24 : i64,
        n = 32 : i64, k = 8 : i64, lhs_strides = array<i64: 8, 1>,
        rhs_strides = array<i64: 1, 8>}
    // CHECK: exec.matmul
    // CHECK-SAME: accumulate
    exec.matmul (%a, %u) -> %h {accumulate, m = 24 : i64,
        n = 32 : i64, k = 8 : i64, lhs_strides = array<i64: 8, 1>,
        rhs_strides = array<i64: 1, 8>}
  }
  // CHECK: exec.entry "train_step"
  exec.entry "train_step" {actions = ["0F0", "0B0"], blocks = ["F0", "F0"],
                           slots = array<i64: 0, 0>,
                           microbatches = array<i64: 0, 0>}
}

dist.mesh @m [pp = 2, dp = 2, tp = 2]

// CHECK-LABEL: exec.program @pp1 mesh @m attributes {coordinates = ["dp", "tp"]} {
exec.program @pp1 mesh @m attributes {coordinates = ["dp", "tp"]} {
  exec.arena @gradient {role = gradient}
  %g = exec.buffer @gradient {bytes = 1152 : i64, value = "l0.gradient"}
  // CHECK: %[[SHARD:.*]] = exec.view %[[G:.*]] {axis = "dp", bytes = 576 : i64, offset = 0 : i64, stride = 576 : i64}
  %shard = exec.view %g {offset = 0 : i64, bytes = 576 : i64, axis = "dp", stride = 576 : i64}
  // A view of a view adds an axis: dp * 576 + tp * 288.
  // CHECK: exec.view %[[SHARD]] {axis = "tp", bytes = 288 : i64, offset = 0 : i64, stride = 288 : i64}
  %quarter = exec.view %shard {offset = 0 : i64, bytes = 288 : i64, axis = "tp", stride = 288 : i64}
  exec.block @B0 {
    // CHECK: exec.collective all_reduce(%[[G]]) -> (%[[G]]) when last {axes = ["pp", "tp"]}
    exec.collective all_reduce (%g) -> (%g) when last {axes = ["pp", "tp"]}
    // CHECK: exec.collective reduce_scatter(%[[G]]) -> (%[[SHARD]]) {axes = ["dp"]}
    exec.collective reduce_scatter (%g) -> (%shard) {axes = ["dp"]}
    // CHECK: %[[T:.*]] = exec.collective_start all_gather(%[[SHARD]]) -> (%[[G]]) when last {axes = ["dp"]}
    %t = exec.collective_start all_gather (%shard) -> (%g) when last {axes = ["dp"]}
    // CHECK: exec.wait %[[T]]
    exec.wait %t
  }
  // A send runs no block.
  // CHECK: exec.entry "train_step" {actions = ["1B0", "1SEND_B0"], blocks = ["B0", ""]
  exec.entry "train_step" {actions = ["1B0", "1SEND_B0"], blocks = ["B0", ""],
                           slots = array<i64: 0, 0>,
                           microbatches = array<i64: 0, 0>}
}

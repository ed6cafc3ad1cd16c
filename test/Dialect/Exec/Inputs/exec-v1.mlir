// All ops and types of version 1 of the exec dialect.
module {
  func.func @dispatch(%arg0: tensor<6x4x8xf32>, %arg1: tensor<8xf32>) {
    %0:2 = exec.dispatch "rms_stat_rms_apply"(%arg0, %arg1) : (tensor<6x4x8xf32>, tensor<8xf32>) -> (tensor<6x4xf32>, tensor<6x4x8xf32>) {
    ^bb0(%arg2: tensor<6x4x8xf32>, %arg3: tensor<8xf32>):
      %1 = nn.rms_stat %arg2 {eps = 1.000000e-05 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
      %2 = nn.rms_apply %arg2, %1, %arg3 : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
      exec.return %1, %2 : tensor<6x4xf32>, tensor<6x4x8xf32>
    }
    return
  }
  exec.program @pp0 {
    exec.arena @parameter {role = parameter}
    exec.arena @slot {role = slot, bytes = 1024, count = 2}
    exec.arena @scratch {role = scratch, bytes = 64}
    exec.kernel @gelu_768(%arg0: tensor<6x4x32xf32>) -> tensor<6x4x32xf32> attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
      %4 = nn.gelu %arg0 : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
      exec.return %4 : tensor<6x4x32xf32>
    }
    exec.kernel @fill_97x8() -> tensor<97x8xf32> attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
      %cst = arith.constant dense<0.000000e+00> : tensor<97x8xf32>
      exec.return %cst : tensor<97x8xf32>
    }
    %0 = exec.buffer @slot {bytes = 3072 : i64, value = "layers.0.a"}
    %1 = exec.buffer @scratch {bytes = 3072 : i64, entry = "train_step", offset = 64 : i64, value = "layers.0.h"}
    %2 = exec.buffer @parameter {bytes = 1152 : i64, value = "l0"}
    %3 = exec.view %2 {bytes = 512 : i64, offset = 0 : i64}
    exec.input %0 {entry = "train_step", role = "tokens", shape = array<i64: 6, 4>}
    exec.scalar %1 {role = "lr"}
    exec.state @l0.u(%2, %3) {roles = ["parameter", "gradient"]}
    exec.block @F0 {
      exec.launch @gelu_768(%0) -> (%1)
      exec.launch @fill_97x8() -> (%1) when first
      exec.matmul(%0, %3) bias(%2) add(%0) -> %1 when not_last {k = 8 : i64, lhs_strides = array<i64: 8, 1>, m = 24 : i64, n = 32 : i64, rhs_strides = array<i64: 1, 8>}
      exec.matmul(%0, %3) -> %1 {accumulate, k = 8 : i64, lhs_strides = array<i64: 8, 1>, m = 24 : i64, n = 32 : i64, rhs_strides = array<i64: 1, 8>}
    }
    exec.entry "train_step" {actions = ["0F0", "0B0"], blocks = ["F0", "F0"], microbatches = array<i64: 0, 0>, slots = array<i64: 0, 0>}
  }
  dist.mesh @m [pp = 2, dp = 2, tp = 2]
  exec.program @pp1 mesh @m attributes {coordinates = ["dp", "tp"]} {
    exec.arena @gradient {role = gradient}
    %0 = exec.buffer @gradient {bytes = 1152 : i64, value = "l0.gradient"}
    %1 = exec.view %0 {axis = "dp", bytes = 576 : i64, offset = 0 : i64, stride = 576 : i64}
    %2 = exec.view %1 {axis = "tp", bytes = 288 : i64, offset = 0 : i64, stride = 288 : i64}
    exec.block @B0 {
      exec.collective all_reduce(%0) -> (%0) when last {axes = ["pp", "tp"]}
      exec.collective reduce_scatter(%0) -> (%1) {axes = ["dp"]}
      %3 = exec.collective_start all_gather(%1) -> (%0) when last {axes = ["dp"]}
      exec.wait %3
    }
    exec.entry "train_step" {actions = ["1B0", "1SEND_B0"], blocks = ["B0", ""], microbatches = array<i64: 0, 0>, slots = array<i64: 0, 0>}
  }
}


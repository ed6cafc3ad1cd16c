// The example of two layers under dp 2, tp 2, pp 2, ZeRO 1 and sequence
// parallel, at the exec level: the program of pipeline coordinate 0. Ranks
// differ only in the values of dp and tp. Left out of the update: norm, clip
// factor and AdamW, which read the shard of the gradient.
// RUN: llmc-opt %s --verify-roundtrip | FileCheck %s

// One rank alone cannot check it.
// RUN: not llmc-opt %s --exec-verify 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: error: a view that depends on a mesh coordinate needs more than one rank, which is not implemented

// CHECK: exec.program @pp0 mesh @m attributes {coordinates = ["dp", "tp"]} {
// CHECK: exec.arena @slot {role = slot, bytes = 1024, count = 2}
// CHECK: %[[G:.*]] = exec.buffer @gradient
// CHECK: %[[SHARD:.*]] = exec.view %[[G]] {axis = "dp", bytes = 576 : i64, offset = 0 : i64, stride = 576 : i64}
// CHECK: exec.block @F0 {
// CHECK: exec.collective all_gather(%[[N:.*]]) -> (%[[NF:.*]]) {axes = ["tp"]}
// CHECK: exec.collective reduce_scatter(%{{.*}}) -> (%{{.*}}) {axes = ["tp"]}
// CHECK: exec.block @B0 {
// CHECK: %[[T0:.*]] = exec.collective_start all_gather
// CHECK: %[[T1:.*]] = exec.collective_start all_gather
// CHECK: exec.wait %[[T1]]
// CHECK: exec.matmul(%{{.*}}, %{{.*}}) -> %[[DV:.*]] when first
// CHECK: exec.matmul(%{{.*}}, %{{.*}}) -> %[[DV]] when not_first {accumulate
// CHECK: exec.wait %[[T0]]
// CHECK: exec.collective reduce_scatter(%[[G]]) -> (%[[SHARD]]) when last {axes = ["dp"]}

dist.mesh @m [pp = 2, dp = 2, tp = 2]
nn.parameter @l0.g : tensor<8xf32> {layer = 0 : i64}
nn.parameter @l0.u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @l0.v : tensor<8x32xf32> {layer = 0 : i64, decay}

exec.program @pp0 mesh @m attributes {coordinates = ["dp", "tp"]} {
  exec.arena @parameter {role = parameter, bytes = 1152}   // 288 f32
  exec.arena @gradient {role = gradient, bytes = 1152}
  exec.arena @state {role = state, bytes = 1152}           // 2 x 144 f32: shards
  exec.arena @slot {role = slot, bytes = 1024, count = 2}  // one a live micro-batch
  exec.arena @scratch {role = scratch, bytes = 2048}
  exec.arena @send {role = send, bytes = 192, count = 2}
  exec.arena @receive {role = receive, bytes = 192, count = 2}
  exec.arena @step {role = step, bytes = 64}               // written before the step

  exec.kernel @rms_stat_3x2(%x: tensor<3x2x8xf32>) -> tensor<3x2xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %r = nn.rms_stat %x {eps = 1.0e-5 : f64} : (tensor<3x2x8xf32>) -> tensor<3x2xf32>
    exec.return %r : tensor<3x2xf32>
  }
  exec.kernel @rms_apply_3x2x8(%x: tensor<3x2x8xf32>, %r: tensor<3x2xf32>, %g: tensor<8xf32>) -> tensor<3x2x8xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %n = nn.rms_apply %x, %r, %g : (tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<8xf32>) -> tensor<3x2x8xf32>
    exec.return %n : tensor<3x2x8xf32>
  }
  exec.kernel @gelu_6x2x16(%a: tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %h = nn.gelu %a : (tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
    exec.return %h : tensor<6x2x16xf32>
  }
  exec.kernel @add_3x2x8(%x: tensor<3x2x8xf32>, %d: tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %y = nn.add %x, %d : (tensor<3x2x8xf32>, tensor<3x2x8xf32>) -> tensor<3x2x8xf32>
    exec.return %y : tensor<3x2x8xf32>
  }
  exec.kernel @gelu_input_grad_6x2x16(%a: tensor<6x2x16xf32>, %dh: tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 1>} {
    %da = nn.gelu_input_grad %a, %dh : (tensor<6x2x16xf32>, tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
    exec.return %da : tensor<6x2x16xf32>
  }
  exec.kernel @rms_weight_grad_8(%x: tensor<3x2x8xf32>, %r: tensor<3x2xf32>, %dn: tensor<3x2x8xf32>) -> tensor<8xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %dg = nn.rms_weight_grad %x, %r, %dn : (tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<3x2x8xf32>) -> tensor<8xf32>
    exec.return %dg : tensor<8xf32>
  }
  exec.kernel @rms_weight_grad_8_add(%x: tensor<3x2x8xf32>, %r: tensor<3x2xf32>, %dn: tensor<3x2x8xf32>) -> tensor<8xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    %dg = nn.rms_weight_grad %x, %r, %dn : (tensor<3x2x8xf32>, tensor<3x2xf32>, tensor<3x2x8xf32>) -> tensor<8xf32>
    exec.return %dg : tensor<8xf32>
  }

  // One layout for parameters and gradients: u at 0, v at 512, g at 1024. The
  // shard of dp begins at dp * 576, inside v.
  %P = exec.buffer @parameter {bytes = 1152 : i64, offset = 0 : i64, value = "l0.parameter"}
  %u = exec.view %P {offset = 0 : i64, bytes = 512 : i64}
  %v = exec.view %P {offset = 512 : i64, bytes = 512 : i64}
  %g = exec.view %P {offset = 1024 : i64, bytes = 32 : i64}
  %P_shard = exec.view %P {offset = 0 : i64, bytes = 576 : i64, axis = "dp", stride = 576 : i64}
  %G = exec.buffer @gradient {bytes = 1152 : i64, offset = 0 : i64, value = "l0.gradient"}
  %du = exec.view %G {offset = 0 : i64, bytes = 512 : i64}
  %dv = exec.view %G {offset = 512 : i64, bytes = 512 : i64}
  %dg = exec.view %G {offset = 1024 : i64, bytes = 32 : i64}
  %G_shard = exec.view %G {offset = 0 : i64, bytes = 576 : i64, axis = "dp", stride = 576 : i64}

  %x0 = exec.buffer @slot {bytes = 192 : i64, offset = 0 : i64, value = "x0"}
  %r = exec.buffer @slot {bytes = 24 : i64, offset = 192 : i64, value = "r"}
  %a = exec.buffer @slot {bytes = 768 : i64, offset = 256 : i64, value = "a"}
  %x1 = exec.buffer @send {bytes = 192 : i64, offset = 0 : i64, value = "x1"}
  %e1 = exec.buffer @receive {bytes = 192 : i64, offset = 0 : i64, value = "e1"}

  %n = exec.buffer @scratch {bytes = 192 : i64, offset = 0 : i64, value = "n"}
  %nf = exec.buffer @scratch {bytes = 384 : i64, offset = 192 : i64, value = "nf"}
  %h = exec.buffer @scratch {bytes = 768 : i64, offset = 576 : i64, value = "h"}
  %p = exec.buffer @scratch {bytes = 384 : i64, offset = 0 : i64, value = "p"}
  %d = exec.buffer @scratch {bytes = 192 : i64, offset = 384 : i64, value = "d"}

  %ef = exec.buffer @scratch {bytes = 384 : i64, offset = 576 : i64, value = "ef"}
  %h2 = exec.buffer @scratch {bytes = 768 : i64, offset = 960 : i64, value = "h, again"}
  %dh = exec.buffer @scratch {bytes = 768 : i64, offset = 960 : i64, value = "dh"}
  %q = exec.buffer @scratch {bytes = 384 : i64, offset = 576 : i64, value = "q"}
  %dn = exec.buffer @scratch {bytes = 192 : i64, offset = 0 : i64, value = "dn"}

  exec.input %x0 {role = "data", shape = array<i64: 3, 2, 8>, entry = "train_step"}
  exec.state @l0.u (%u, %du) {roles = ["parameter", "gradient"]}
  exec.state @l0.v (%v, %dv) {roles = ["parameter", "gradient"]}
  exec.state @l0.g (%g, %dg) {roles = ["parameter", "gradient"]}

  exec.block @F0 {
    exec.launch @rms_stat_3x2 (%x0) -> (%r)
    exec.launch @rms_apply_3x2x8 (%x0, %r, %g) -> (%n)
    exec.collective all_gather (%n) -> (%nf) {axes = ["tp"]}
    exec.matmul (%nf, %u) -> %a {m = 12 : i64, n = 16 : i64, k = 8 : i64,
        lhs_strides = array<i64: 8, 1>, rhs_strides = array<i64: 1, 8>}
    exec.launch @gelu_6x2x16 (%a) -> (%h)
    exec.matmul (%h, %v) -> %p {m = 12 : i64, n = 8 : i64, k = 16 : i64,
        lhs_strides = array<i64: 16, 1>, rhs_strides = array<i64: 1, 16>}
    exec.collective reduce_scatter (%p) -> (%d) {axes = ["tp"]}
    exec.launch @add_3x2x8 (%x0, %d) -> (%x1)
  }
  exec.block @B0 {
    exec.launch @rms_apply_3x2x8 (%x0, %r, %g) -> (%n)
    %t0 = exec.collective_start all_gather (%n) -> (%nf) {axes = ["tp"]}
    %t1 = exec.collective_start all_gather (%e1) -> (%ef) {axes = ["tp"]}
    exec.launch @gelu_6x2x16 (%a) -> (%h2)
    exec.wait %t1
    exec.matmul (%ef, %h2) -> %dv when first {m = 8 : i64, n = 16 : i64, k = 12 : i64,
        lhs_strides = array<i64: 1, 8>, rhs_strides = array<i64: 16, 1>}
    exec.matmul (%ef, %h2) -> %dv when not_first {accumulate, m = 8 : i64, n = 16 : i64, k = 12 : i64,
        lhs_strides = array<i64: 1, 8>, rhs_strides = array<i64: 16, 1>}
    exec.matmul (%ef, %v) -> %dh {m = 12 : i64, n = 16 : i64, k = 8 : i64,
        lhs_strides = array<i64: 8, 1>, rhs_strides = array<i64: 16, 1>}
    exec.launch @gelu_input_grad_6x2x16 (%a, %dh) -> (%dh)
    exec.wait %t0
    exec.matmul (%dh, %nf) -> %du when first {m = 16 : i64, n = 8 : i64, k = 12 : i64,
        lhs_strides = array<i64: 1, 16>, rhs_strides = array<i64: 8, 1>}
    exec.matmul (%dh, %nf) -> %du when not_first {accumulate, m = 16 : i64, n = 8 : i64, k = 12 : i64,
        lhs_strides = array<i64: 1, 16>, rhs_strides = array<i64: 8, 1>}
    exec.matmul (%dh, %u) -> %q {m = 12 : i64, n = 8 : i64, k = 16 : i64,
        lhs_strides = array<i64: 16, 1>, rhs_strides = array<i64: 8, 1>}
    exec.collective reduce_scatter (%q) -> (%dn) {axes = ["tp"]}
    exec.launch @rms_weight_grad_8 (%x0, %r, %dn) -> (%dg) when first
    exec.launch @rms_weight_grad_8_add (%x0, %r, %dn) -> (%dg) when not_first
    // The class that tp replicates; then this rank's shard of the sum over dp.
    exec.collective all_reduce (%dg) -> (%dg) when last {axes = ["tp"]}
    exec.collective reduce_scatter (%G) -> (%G_shard) when last {axes = ["dp"]}
  }
  exec.block @U0 {
    exec.collective all_gather (%P_shard) -> (%P) {axes = ["dp"]}
  }
  // Slots repeat per live micro-batch; sends and receives run no block.
  exec.entry "train_step" {
      actions = ["0F0", "0SEND_F0", "0F1", "0SEND_F1", "0RECV_B0", "0B0", "0RECV_B1", "0B1", "0U"],
      blocks = ["F0", "", "F0", "", "", "B0", "", "B0", "U0"],
      slots = array<i64: 0, 0, 1, 1, 0, 0, 1, 1, 0>,
      microbatches = array<i64: 0, 0, 1, 1, 0, 0, 1, 1, 0>}
}

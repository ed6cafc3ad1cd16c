// Fragments leave the program as local functions of the same names, kinds and
// stages; the schedule stays.
// RUN: llmc-opt %s --dist-convert-global-to-local | FileCheck %s

dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @l0.g : tensor<8xf32> {layer = 0 : i64}

// CHECK: pipe.program @train mesh @m microbatches 1 {
// CHECK-NEXT: pipe.schedule {{.*}}
// CHECK-NEXT: }
pipe.program @train mesh @m microbatches 1 {
  // Reshards and shardings mean nothing on one rank.
  // CHECK-NEXT: dist.func forward @F0 stage 0(%[[X:.*]]: tensor<6x8xf32> {pipe.source = #pipe.source<input "data" 0>}) -> (tensor<6x8xf32> {pipe.result = #pipe.result<saved>}) {
  // CHECK-NEXT: %[[Y:.*]] = nn.relu %[[X]] {layer = 0 : i64} : (tensor<6x8xf32>) -> tensor<6x8xf32>
  // CHECK-NEXT: dist.return %[[Y]] : tensor<6x8xf32>
  // CHECK-NEXT: }
  pipe.fragment forward @F0 stage 0(
      %x: tensor<6x8xf32> {pipe.source = #pipe.source<input "data" 0>, dist.sharding = #dist.sharding<[{tp}, {}]>})
      -> (tensor<6x8xf32> {pipe.result = #pipe.result<saved>}) {
    %0 = dist.reshard %x from <[{tp}, {}]> to <[{}, {}]> : tensor<6x8xf32>
    %1 = nn.relu %0 {layer = 0 : i64, dist.shardings = [#dist.sharding<[{}, {}]>]} : (tensor<6x8xf32>) -> tensor<6x8xf32>
    pipe.yield %1 : tensor<6x8xf32>
  }
  // Order is kept.
  // CHECK-NEXT: dist.func backward @B0 stage 0(%{{.*}}: tensor<6x8xf32> {pipe.source = #pipe.source<saved @F0 0>}) {
  pipe.fragment backward @B0 stage 0(
      %x: tensor<6x8xf32> {pipe.source = #pipe.source<saved @F0 0>}) {
    pipe.yield
  }
  pipe.schedule {kind = "1f1b", live = array<i64: 1>, ranks = ["0F0 0B0 0U"]}
}

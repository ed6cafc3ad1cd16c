// Folds of the nn ops.
// RUN: llmc-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: nn.microbatch @scale_by_one
// CHECK-SAME: %[[X:.*]]: tensor<6x4x8xf32>
nn.microbatch @scale_by_one(%x: tensor<6x4x8xf32> {nn.role = "data"}) -> tensor<6x4x8xf32> {
  // CHECK-NEXT: nn.yield %[[X]]
  %y = nn.scale %x {factor = 1.0 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield %y : tensor<6x4x8xf32>
}

// CHECK-LABEL: nn.microbatch @scale_of_scale
// CHECK-SAME: %[[X:.*]]: tensor<6x4x8xf32>
nn.microbatch @scale_of_scale(%x: tensor<6x4x8xf32> {nn.role = "data"}) -> tensor<6x4x8xf32> {
  // CHECK-NEXT: %[[Y:.*]] = nn.scale %[[X]] {factor = 6.000000e+00 : f64}
  // CHECK-NEXT: nn.yield %[[Y]]
  %y = nn.scale %x {factor = 2.0 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %z = nn.scale %y {factor = 3.0 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield %z : tensor<6x4x8xf32>
}

// Two factors that cancel leave nothing.
// CHECK-LABEL: nn.microbatch @scales_cancel
// CHECK-SAME: %[[X:.*]]: tensor<6x4x8xf32>
nn.microbatch @scales_cancel(%x: tensor<6x4x8xf32> {nn.role = "data"}) -> tensor<6x4x8xf32> {
  // CHECK-NEXT: nn.yield %[[X]]
  %y = nn.scale %x {factor = 2.0 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %z = nn.scale %y {factor = 0.5 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield %z : tensor<6x4x8xf32>
}

// The product would not be finite: both stay.
// CHECK-LABEL: nn.microbatch @scales_overflow
nn.microbatch @scales_overflow(%x: tensor<6x4x8xf32> {nn.role = "data"}) -> tensor<6x4x8xf32> {
  // CHECK-NEXT: nn.scale %{{.*}} {factor = {{.*}}E+199 : f64}
  // CHECK-NEXT: nn.scale %{{.*}} {factor = {{.*}}E+199 : f64}
  %y = nn.scale %x {factor = 1.0e+200 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  %z = nn.scale %y {factor = 1.0e+200 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  nn.yield %z : tensor<6x4x8xf32>
}

// Pure ops without users go; what writes state stays.
nn.parameter @w : tensor<8xf32> {group = "head"}
// CHECK-LABEL: nn.microbatch @dead
nn.microbatch @dead(%d: tensor<8xf32> {nn.role = "data"}) {
  // CHECK-NEXT: nn.accumulate @w
  // CHECK-NEXT: nn.yield
  %w = nn.get @w : tensor<8xf32>
  %x = nn.relu %w : (tensor<8xf32>) -> tensor<8xf32>
  nn.accumulate @w, %d : tensor<8xf32>
  nn.yield
}

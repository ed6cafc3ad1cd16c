// An op of the backward pass has the location of its forward op, name and
// line of the spec.
// RUN: llmc-opt %s --nn-generate-backward --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

nn.parameter @w : tensor<32x8xf32> {layer = 0 : i64}
nn.microbatch @train(%x: tensor<6x4x8xf32> {nn.role = "data"},
                     %y: tensor<6x4x32xf32> {nn.role = "data"},
                     %keep: tensor<6x4xi1> {nn.role = "data"},
                     %seed: f32 {nn.role = "seed"}) -> f32 {
  %w = nn.get @w : tensor<32x8xf32>
  %a = nn.contract %x, %w {indices = "tbc,fc->tbf", layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32> loc(fused["layers.0.mlp.up", "spec.yaml":12:7])
  %loss, %d = nn.squared_error %a, %y, %keep, %seed : (tensor<6x4x32xf32>, tensor<6x4x32xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4x32xf32>)
  // CHECK: nn.contract %{{.*}} {direction = "backward", indices = "tbf,tbc->fc", layer = 0 : i64, weight_gradient} {{.*}} loc(fused["layers.0.mlp.up", "spec.yaml":12:7])
  // CHECK-NEXT: nn.accumulate @w, {{.*}} loc(fused["layers.0.mlp.up", "spec.yaml":12:7])
  nn.yield %loss : f32
}

// Fragments, arguments and ops keep the locations of what they come from.
// RUN: llmc-opt %s --pipe-split-stages --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

dist.mesh @m [pp = 1, dp = 1, tp = 1]

// CHECK: pipe.fragment logits @L0 stage 0(%{{.*}}: tensor<6x4x8xf32> {{.*}} loc("argument.yaml":2:1))
// CHECK: nn.relu {{.*}} loc("relu.yaml":3:1)
// CHECK: } loc("function.yaml":1:1)
nn.microbatch @logits(%x: tensor<6x4x8xf32> {nn.role = "data"} loc("argument.yaml":2:1)) -> tensor<6x4x8xf32> {
  %y = nn.relu %x : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32> loc("relu.yaml":3:1)
  nn.yield %y : tensor<6x4x8xf32>
} loc("function.yaml":1:1)

// The plan of one rank becomes a mesh before everything else.
// RUN: llmc-opt %s --dist-import-plan | FileCheck %s
// RUN: llmc-opt %s --pass-pipeline='builtin.module(dist-import-plan{dp=1 tp=1 pp=1})' | FileCheck %s

// CHECK: module {
// CHECK-NEXT: dist.mesh @m [pp = 1, dp = 1, tp = 1]
// CHECK-NEXT: nn.parameter @p
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}

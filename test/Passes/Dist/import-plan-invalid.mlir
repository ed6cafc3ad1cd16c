// Plans and modules that dist-import-plan refuses.
// RUN: split-file %s %t
// RUN: not llmc-opt %t/plan.mlir --pass-pipeline='builtin.module(dist-import-plan{dp=2})' 2>&1 | FileCheck %s --check-prefix=DP
// RUN: not llmc-opt %t/plan.mlir --pass-pipeline='builtin.module(dist-import-plan{tp=3})' 2>&1 | FileCheck %s --check-prefix=TP
// RUN: not llmc-opt %t/plan.mlir --pass-pipeline='builtin.module(dist-import-plan{pp=4})' 2>&1 | FileCheck %s --check-prefix=PP
// RUN: not llmc-opt %t/mesh.mlir --dist-import-plan 2>&1 | FileCheck %s --check-prefix=MESH
// RUN: not llmc-opt %t/name.mlir --dist-import-plan 2>&1 | FileCheck %s --check-prefix=NAME

// Rejected: degrees that need more passes than there are.
// DP: error: found dp 2, which is not implemented yet, expected dp 1
// TP: error: found tp 3, which is not implemented yet, expected tp 1
// PP: error: found pp 4, which is not implemented yet, expected pp 1
//--- plan.mlir
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}

// Rejected: a module with a mesh.
// MESH: error: 'dist.mesh' op found before the plan is imported, expected no mesh
//--- mesh.mlir
dist.mesh @other [dp = 1]

// Rejected: a module that uses the mesh's name.
// NAME: error: found symbol '@m', expected the name free for the mesh
//--- name.mlir
nn.parameter @m : tensor<8xf32> {layer = 0 : i64}

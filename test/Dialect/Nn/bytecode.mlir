// Bytecode of version 1 still loads, whatever this version writes.
// RUN: llmc-opt %S/Inputs/nn-v1.mlirbc > %t.loaded
// RUN: llmc-opt %S/Inputs/nn-v1.mlir > %t.expected
// RUN: diff %t.loaded %t.expected

// Bytecode of a later version is refused by its number.
// RUN: not llmc-opt %S/Inputs/nn-v2.mlirbc 2>&1 | FileCheck %s
// CHECK: error: found version 2 of the nn dialect, expected 1 to 1

// Bytecode of version 1 still loads, whatever this version writes.
// RUN: llmc-opt %S/Inputs/exec-v1.mlirbc > %t.loaded
// RUN: llmc-opt %S/Inputs/exec-v1.mlir > %t.expected
// RUN: diff %t.loaded %t.expected

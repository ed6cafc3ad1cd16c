// RUN: llmc-opt --cpu-lower-kernels %s | FileCheck %s

// The body is internal and takes bare pointers; the entry loads them.
// CHECK: llvm.func internal @gelu.body(%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64)
// CHECK-NOT: math.
// CHECK: llvm.func @gelu(%[[ARGS:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK: %[[TABLE:.*]] = llvm.load %[[ARGS]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.getelementptr %[[TABLE]][0]
// CHECK: %[[A:.*]] = llvm.load
// CHECK: llvm.getelementptr %[[TABLE]][1]
// CHECK: %[[H:.*]] = llvm.load
// CHECK: llvm.call @gelu.body(%[[A]], %[[H]], %[[BEGIN]], %[[END]])
exec.kernel @gelu(%a: tensor<3x2x40xf32>) -> tensor<3x2x40xf32>
    attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
  %h = nn.gelu %a : (tensor<3x2x40xf32>) -> tensor<3x2x40xf32>
  exec.return %h : tensor<3x2x40xf32>
}

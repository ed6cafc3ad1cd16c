// RUN: llmc-opt --cpu-expand-math %s | FileCheck %s

// CHECK-LABEL: func.func @functions
// CHECK-NOT: math.{{exp|exp2|log|erf|fma|roundeven}}
// CHECK: return
func.func @functions(%x: vector<16xf32>, %y: f32)
    -> (vector<16xf32>, vector<16xf32>, f32, f32) {
  %0 = math.exp %x : vector<16xf32>
  %1 = math.exp2 %x : vector<16xf32>
  %2 = math.log %y : f32
  %3 = math.erf %y : f32
  return %0, %1, %2, %3 : vector<16xf32>, vector<16xf32>, f32, f32
}

// RUN: llmc-opt %s --exec-form-dispatches | FileCheck %s

!x = tensor<6x4x8xf32>
!f = tensor<6x4x32xf32>

// A contraction takes a bias, then an addend of its shape.
// CHECK-LABEL: @epilogues
dist.func forward @epilogues stage 0(%n: !x, %u: tensor<32x8xf32>, %b: tensor<32xf32>, %r: !f) -> !f {
  // CHECK: exec.dispatch "contract_add_bias_add"(%arg0, %arg1, %arg2, %arg3)
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: nn.contract
  // CHECK-NEXT: nn.add_bias
  // CHECK-NEXT: nn.add
  // CHECK-NEXT: exec.return
  // CHECK-NEXT: }
  // CHECK-NEXT: dist.return
  %a0 = nn.contract %n, %u {indices = "tbc,fc->tbf"} : (!x, tensor<32x8xf32>) -> !f
  %a = nn.add_bias %a0, %b : (!f, tensor<32xf32>) -> !f
  %y = nn.add %r, %a : (!f, !f) -> !f
  dist.return %y : !f
}

// Other ops are no epilogue.
// CHECK-LABEL: @no_epilogue
dist.func forward @no_epilogue stage 0(%n: !x, %u: tensor<32x8xf32>) -> !f {
  // CHECK: exec.dispatch "contract"
  // CHECK: exec.dispatch "gelu"
  %a = nn.contract %n, %u {indices = "tbc,fc->tbf"} : (!x, tensor<32x8xf32>) -> !f
  %h = nn.gelu %a : (!f) -> !f
  dist.return %h : !f
}

// Of two contractions that are added, the later one takes the addition.
// CHECK-LABEL: @two_contractions
dist.func forward @two_contractions stage 0(%n: !x, %u: tensor<32x8xf32>, %v: tensor<32x8xf32>) -> !f {
  // CHECK: %[[A:.*]] = exec.dispatch "contract"(%arg0, %arg1)
  // CHECK: exec.dispatch "contract_add"(%arg0, %arg2, %[[A]])
  %a = nn.contract %n, %u {indices = "tbc,fc->tbf"} : (!x, tensor<32x8xf32>) -> !f
  %b = nn.contract %n, %v {indices = "tbc,fc->tbf"} : (!x, tensor<32x8xf32>) -> !f
  %y = nn.add %a, %b : (!f, !f) -> !f
  dist.return %y : !f
}

// A product that somebody else reads must exist without its bias.
// CHECK-LABEL: @product_is_read
dist.func forward @product_is_read stage 0(%n: !x, %u: tensor<32x8xf32>, %b: tensor<32xf32>) -> (!f, !f) {
  // CHECK: exec.dispatch "contract"
  // CHECK: exec.dispatch "add_bias"
  %a0 = nn.contract %n, %u {indices = "tbc,fc->tbf"} : (!x, tensor<32x8xf32>) -> !f
  %a = nn.add_bias %a0, %b : (!f, tensor<32xf32>) -> !f
  dist.return %a0, %a : !f, !f
}

// The product added to itself: an addend must be another value.
// CHECK-LABEL: @doubled
dist.func forward @doubled stage 0(%n: !x, %u: tensor<32x8xf32>) -> !f {
  // CHECK: exec.dispatch "contract"
  // CHECK: exec.dispatch "add"
  %a = nn.contract %n, %u {indices = "tbc,fc->tbf"} : (!x, tensor<32x8xf32>) -> !f
  %y = nn.add %a, %a : (!f, !f) -> !f
  dist.return %y : !f
}

// A dispatch with an epilogue stands where its last op stood: the addend may
// come after the contraction.
// CHECK-LABEL: @late_addend
dist.func forward @late_addend stage 0(%n: !x, %u: tensor<32x8xf32>, %r: !f) -> !f {
  // CHECK: exec.dispatch "gelu"
  // CHECK: exec.dispatch "contract_add"
  %a = nn.contract %n, %u {indices = "tbc,fc->tbf"} : (!x, tensor<32x8xf32>) -> !f
  %h = nn.gelu %r : (!f) -> !f
  %y = nn.add %a, %h : (!f, !f) -> !f
  dist.return %y : !f
}

// Elementwise ops join the reduction that they follow; the statistic stays a
// result because somebody else reads it.
// CHECK-LABEL: @reduction
dist.func forward @reduction stage 0(%x: !x, %g: tensor<8xf32>) -> (!x, tensor<6x4xf32>) {
  // CHECK: %[[D:.*]]:2 = exec.dispatch "rms_stat_rms_apply"(%arg0, %arg1) {layer = 3 : i64}
  // CHECK-SAME: -> (tensor<6x4xf32>, tensor<6x4x8xf32>)
  // CHECK: dist.return %[[D]]#1, %[[D]]#0
  %r = nn.rms_stat %x {eps = 1.0e-5 : f64, layer = 3 : i64} : (!x) -> tensor<6x4xf32>
  %n = nn.rms_apply %x, %r, %g {layer = 3 : i64} : (!x, tensor<6x4xf32>, tensor<8xf32>) -> !x
  dist.return %n, %r : !x, tensor<6x4xf32>
}

// What only the group reads is no result of it.
// CHECK-LABEL: @inner_value
dist.func forward @inner_value stage 0(%x: !f) -> !f {
  // CHECK: exec.dispatch "gelu_scale"(%arg0) : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
  %h = nn.gelu %x : (!f) -> !f
  %y = nn.scale %h {factor = 2.0 : f64} : (!f) -> !f
  dist.return %y : !f
}

// One reduction a kernel: the second begins another.
// CHECK-LABEL: @one_reduction
dist.func forward @one_reduction stage 0(%x: !x, %g: tensor<8xf32>, %d: !x) -> (!x, !x) {
  // CHECK: exec.dispatch "rms_stat_rms_apply"
  // CHECK: exec.dispatch "rms_input_grad"
  %r = nn.rms_stat %x {eps = 1.0e-5 : f64} : (!x) -> tensor<6x4xf32>
  %n = nn.rms_apply %x, %r, %g : (!x, tensor<6x4xf32>, tensor<8xf32>) -> !x
  %e = nn.rms_input_grad %x, %r, %g, %d : (!x, tensor<6x4xf32>, tensor<8xf32>, !x) -> !x
  dist.return %n, %e : !x, !x
}

// Column reductions over one space join each other, and nothing else.
// CHECK-LABEL: @columns
dist.func backward @columns stage 0(%x: !x, %r: tensor<6x4xf32>, %d: !x) -> (tensor<8xf32>, tensor<8xf32>, !x) {
  // CHECK: exec.dispatch "rms_weight_grad_sum_leading"(%arg0, %arg1, %arg2)
  // CHECK-SAME: -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK: exec.dispatch "gelu"
  %dg = nn.rms_weight_grad %x, %r, %d : (!x, tensor<6x4xf32>, !x) -> tensor<8xf32>
  %h = nn.gelu %d : (!x) -> !x
  %db = nn.sum_leading %d : (!x) -> tensor<8xf32>
  dist.return %dg, %db, %h : tensor<8xf32>, tensor<8xf32>, !x
}

// Groups have one iteration space.
// CHECK-LABEL: @other_space
dist.func backward @other_space stage 0(%x: !x, %f: !f) -> (tensor<8xf32>, tensor<32xf32>) {
  // CHECK: exec.dispatch "sum_leading"(%arg0)
  // CHECK: exec.dispatch "sum_leading"(%arg1)
  %a = nn.sum_leading %x : (!x) -> tensor<8xf32>
  %b = nn.sum_leading %f : (!f) -> tensor<32xf32>
  dist.return %a, %b : tensor<8xf32>, tensor<32xf32>
}

// Ops that share no operand with a group do not join it.
// CHECK-LABEL: @unrelated
dist.func forward @unrelated stage 0(%x: !x, %y: !x) -> (!x, !x) {
  // CHECK: exec.dispatch "gelu"(%arg0)
  // CHECK: exec.dispatch "silu"(%arg1)
  %a = nn.gelu %x : (!x) -> !x
  %b = nn.silu %y : (!x) -> !x
  dist.return %a, %b : !x, !x
}

// An op that needs a value from after the group's first op may not move up to
// it: the sum reads %n, which a contraction makes after the gelu.
// CHECK-LABEL: @operand_comes_later
dist.func forward @operand_comes_later stage 0(%x: !x, %w: tensor<8x8xf32>) -> (!x, !x) {
  // CHECK: exec.dispatch "gelu"(%arg0)
  // CHECK: exec.dispatch "contract"
  // CHECK: exec.dispatch "multiply"
  %h = nn.gelu %x : (!x) -> !x
  %n = nn.contract %h, %w {indices = "tbc,dc->tbd"} : (!x, tensor<8x8xf32>) -> !x
  %y = nn.multiply %h, %n : (!x, !x) -> !x
  dist.return %y, %n : !x, !x
}

// Roots stand alone, whatever their neighbours.
// CHECK-LABEL: @roots
dist.func forward @roots stage 0(%t: tensor<6x4xi32>, %w: tensor<97x8xf32>) -> !x {
  // CHECK: exec.dispatch "embedding"
  // CHECK: exec.dispatch "gelu"
  %x = nn.embedding %t, %w : (tensor<6x4xi32>, tensor<97x8xf32>) -> !x
  %h = nn.gelu %x : (!x) -> !x
  dist.return %h : !x
}

// Losses are more than one kernel; what works on scalars alone is none of the
// model's.
// CHECK-LABEL: @stay
dist.func forward @stay stage 0(%x: !x, %w: tensor<97x8xf32>, %l: tensor<6x4xi32>, %s: f32) -> (f32, f32) {
  // CHECK-NOT: exec.dispatch
  // CHECK: dist.return
  %loss, %dx, %dw = nn.cross_entropy %x, %w, %l, %s
      : (!x, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, !x, tensor<97x8xf32>)
  %k, %ok = nn.clip_factor %s, %s, %s : (f32, f32, f32) -> (f32, i1)
  dist.return %loss, %k : f32, f32
}

// Ops whose results nobody uses give no kernel.
// CHECK-LABEL: @dead
dist.func forward @dead stage 0(%x: !x, %w: tensor<8x8xf32>) {
  // CHECK-NEXT: dist.return
  %n = nn.contract %x, %w {indices = "tbc,dc->tbd"} : (!x, tensor<8x8xf32>) -> !x
  %h = nn.gelu %n : (!x) -> !x
  dist.return
}

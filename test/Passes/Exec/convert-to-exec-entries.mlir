// What the host can start: entries, their inputs and their slots.
// RUN: llmc-opt %s --exec-form-dispatches --convert-to-exec | FileCheck %s

!x = tensor<6x4x8xf32>

dist.mesh @m [pp = 1, dp = 1, tp = 1]

// Each entry has its own inputs; what the host reads after is declared too.
// Slots are as many as there are live micro-batches, and are used in turn.
// CHECK: exec.arena @slot {role = slot, count = 2}
// CHECK: exec.input %[[D:.*]] {entry = "train_step", role = "data"
// CHECK: exec.input %[[T:.*]] {entry = "logits", role = "data"
// CHECK: %[[L:.*]] = exec.buffer @slot {bytes = 768 : i64, entry = "logits", value = "logits"}
// CHECK-NEXT: exec.input %[[L]] {entry = "logits", role = "logits", shape = array<i64: 6, 4, 8>}
// CHECK: exec.block @L0 {
// CHECK-NEXT: exec.launch @gelu_6x4x8(%[[T]]) -> (%[[L]])
// CHECK: exec.entry "evaluate" {actions = ["0F0"], blocks = ["E0"], microbatches = array<i64: 0>, slots = array<i64: 0>}
// CHECK: exec.entry "logits" {actions = ["0F0"], blocks = ["L0"], microbatches = array<i64: 0>, slots = array<i64: 0>}
// CHECK: exec.entry "train_step" {actions = ["0F0", "0F1", "0B0", "0F2", "0B1", "0B2", "0U"],
// CHECK-SAME: blocks = ["F0", "F0", "B0", "F0", "B0", "B0", "U0"]
// CHECK-SAME: microbatches = array<i64: 0, 1, 0, 2, 1, 2, 0>
// CHECK-SAME: slots = array<i64: 0, 1, 0, 0, 1, 0, 0>
pipe.program @train mesh @m microbatches 3 {
  pipe.schedule {kind = "1f1b", live = array<i64: 2>, ranks = ["0F0 0F1 0B0 0F2 0B1 0B2 0U"]}
}
dist.func forward @F0 stage 0(%x: !x {pipe.source = #pipe.source<input "data" 0>}) {
  dist.return
}
dist.func backward @B0 stage 0() {
  dist.return
}
dist.func update @U0 stage 0() {
  dist.return
}
dist.func evaluate @E0 stage 0() {
  dist.return
}
dist.func logits @L0 stage 0(%x: !x {pipe.source = #pipe.source<input "data" 0>})
    -> (!x {pipe.result = #pipe.result<logits>}) {
  %y = nn.gelu %x : (!x) -> !x
  dist.return %y : !x
}

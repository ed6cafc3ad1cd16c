// What the dist dialect rejects: reads and writes of buckets.
// RUN: llmc-opt %s --split-input-file --verify-diagnostics

// Rejected: a handle to no bucket.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%P: !dist.bucket<@l1, parameter, f32>) {
  // expected-error @below {{'dist.view' op found @l1, expected the name of a 'dist.bucket'}}
  %0 = dist.view %P [@g] : !dist.bucket<@l1, parameter, f32> -> tensor<8xf32>
  dist.return
}

// -----

// Rejected: a parameter that the bucket does not hold.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%P: !dist.bucket<@l0, parameter, f32>) {
  // expected-error @below {{'dist.view' op found @w, expected an entry of bucket '@l0'}}
  %0 = dist.view %P [@w] : !dist.bucket<@l0, parameter, f32> -> tensor<8xf32>
  dist.return
}

// -----

// Rejected: a view with more results than names.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%P: !dist.bucket<@l0, parameter, f32>) {
  // expected-error @below {{'dist.view' op found 1 parameters for 2 results, expected one each}}
  %0, %1 = dist.view %P [@g] : !dist.bucket<@l0, parameter, f32> -> tensor<8xf32>, tensor<8xf32>
  dist.return
}

// -----

// Rejected: a view of another type.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%P: !dist.bucket<@l0, parameter, f32>) {
  // expected-error @below {{'dist.view' op found type 'tensor<4xf32>' for @g, expected 'tensor<8xf32>'}}
  %0 = dist.view %P [@g] : !dist.bucket<@l0, parameter, f32> -> tensor<4xf32>
  dist.return
}

// -----

// Rejected: a view of another element type than the handle's.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%P: !dist.bucket<@l0, compute, bf16>) {
  // expected-error @below {{'dist.view' op found type 'tensor<8xf32>' for @g, expected 'tensor<8xbf16>'}}
  %0 = dist.view %P [@g] : !dist.bucket<@l0, compute, bf16> -> tensor<8xf32>
  dist.return
}

// -----

// Rejected: a contribution to something that is no gradient.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%P: !dist.bucket<@l0, parameter, f32>, %d: tensor<8xf32>) {
  // expected-error @below {{'dist.accumulate' op found bucket of role 'parameter', expected 'gradient'}}
  dist.accumulate %P [@g], %d : !dist.bucket<@l0, parameter, f32>, tensor<8xf32>
  dist.return
}

// -----

// Rejected: a contribution of another shape.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>, %d: tensor<4xf32>) {
  // expected-error @below {{'dist.accumulate' op found a value of shape [4] for @g, expected [8]}}
  dist.accumulate %G [@g], %d : !dist.bucket<@l0, gradient, f32>, tensor<4xf32>
  dist.return
}

// -----

// Rejected: a term with too few letters.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>, %x: tensor<6x2x32xf32>, %y: tensor<6x2x8xf32>) {
  // expected-error @below {{'dist.accumulate_contract' op found indices 'tb', expected 3 different letters}}
  dist.accumulate_contract %G [@u], %x, %y {indices = "tb,tbc->fc"} : !dist.bucket<@l0, gradient, f32>, tensor<6x2x32xf32>, tensor<6x2x8xf32>
  dist.return
}

// -----

// Rejected: a letter twice in a term.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>, %x: tensor<6x2x32xf32>, %y: tensor<6x2x8xf32>) {
  // expected-error @below {{'dist.accumulate_contract' op found indices 'tbb', expected 3 different letters}}
  dist.accumulate_contract %G [@u], %x, %y {indices = "tbb,tbc->fc"} : !dist.bucket<@l0, gradient, f32>, tensor<6x2x32xf32>, tensor<6x2x8xf32>
  dist.return
}

// -----

// Rejected: something that is no letter.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>, %x: tensor<6x2x32xf32>, %y: tensor<6x2x8xf32>) {
  // expected-error @below {{'dist.accumulate_contract' op found indices 'tbF', expected 3 different letters}}
  dist.accumulate_contract %G [@u], %x, %y {indices = "tbF,tbc->fc"} : !dist.bucket<@l0, gradient, f32>, tensor<6x2x32xf32>, tensor<6x2x8xf32>
  dist.return
}

// -----

// Rejected: a letter twice in the result.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>, %x: tensor<6x2x32xf32>, %y: tensor<6x2x8xf32>) {
  // expected-error @below {{'dist.accumulate_contract' op found indices 'ff', expected 2 different letters}}
  dist.accumulate_contract %G [@u], %x, %y {indices = "tbf,tbc->ff"} : !dist.bucket<@l0, gradient, f32>, tensor<6x2x32xf32>, tensor<6x2x8xf32>
  dist.return
}

// -----

// Rejected: a letter in one term only.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>, %x: tensor<6x2x32xf32>, %y: tensor<6x2x8xf32>) {
  // expected-error @below {{'dist.accumulate_contract' op found index 'c' in one term, expected it in at least two}}
  dist.accumulate_contract %G [@u], %x, %y {indices = "tbf,tbc->f"} : !dist.bucket<@l0, gradient, f32>, tensor<6x2x32xf32>, tensor<6x2x8xf32>
  dist.return
}

// -----

// Rejected: a letter with two sizes.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>, %x: tensor<6x2x32xf32>, %y: tensor<6x2x8xf32>) {
  // expected-error @below {{'dist.accumulate_contract' op found size 6 for index 'b', expected 2}}
  dist.accumulate_contract %G [@u], %x, %y {indices = "tbf,btc->fc"} : !dist.bucket<@l0, gradient, f32>, tensor<6x2x32xf32>, tensor<6x2x8xf32>
  dist.return
}

// -----

// Rejected: a contraction of another shape.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>, %x: tensor<6x2x32xf32>, %y: tensor<6x2x8xf32>) {
  // expected-error @below {{'dist.accumulate_contract' op found a value of shape [8, 32] for @u, expected [32, 8]}}
  dist.accumulate_contract %G [@u], %x, %y {indices = "tbf,tbc->cf"} : !dist.bucket<@l0, gradient, f32>, tensor<6x2x32xf32>, tensor<6x2x8xf32>
  dist.return
}

// -----

// Rejected: a range beyond the bucket.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>) {
  // expected-error @below {{'dist.all_reduce_in_place' op found elements 256 to 321, expected a range inside 0 to 320}}
  dist.all_reduce_in_place %G [256 : 321] axes [tp] : !dist.bucket<@l0, gradient, f32>
  dist.return
}

// -----

// Rejected: a range beyond the shard.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.shard<@l0, gradient, f32>) {
  // expected-error @below {{'dist.all_reduce_in_place' op found elements 0 to 81, expected a range inside 0 to 80}}
  dist.all_reduce_in_place %G [0 : 81] axes [tp] : !dist.shard<@l0, gradient, f32>
  dist.return
}

// -----

// Rejected: an empty range.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>) {
  // expected-error @below {{'dist.all_reduce_in_place' op found elements 8 to 8, expected a range inside 0 to 320}}
  dist.all_reduce_in_place %G [8 : 8] axes [tp] : !dist.bucket<@l0, gradient, f32>
  dist.return
}

// -----

// Rejected: half a range.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>) {
  // expected-error @below {{'dist.all_reduce_in_place' op found one border of a range, expected both}}
  "dist.all_reduce_in_place"(%G) <{axes = ["tp"], begin = 0 : i64}> : (!dist.bucket<@l0, gradient, f32>) -> ()
  dist.return
}

// -----

// Rejected: a collective over nothing.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>) {
  // expected-error @below {{'dist.all_reduce_in_place' op found no axes, expected at least one}}
  dist.all_reduce_in_place %G axes [] : !dist.bucket<@l0, gradient, f32>
  dist.return
}

// -----

// Rejected: a scatter over other axes than the bucket's.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%G: !dist.bucket<@l0, gradient, f32>) {
  // expected-error @below {{'dist.reduce_scatter_in_place' op found axes ["tp"], expected ["dp"], over which the bucket is sharded}}
  dist.reduce_scatter_in_place %G axes [tp] : !dist.bucket<@l0, gradient, f32>
  dist.return
}

// -----

// Rejected: a gather over other axes than the bucket's.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func backward @F stage 0(%P: !dist.bucket<@l0, parameter, f32>) {
  // expected-error @below {{'dist.all_gather_in_place' op found axes ["dp", "tp"], expected ["dp"], over which the bucket is sharded}}
  dist.all_gather_in_place %P axes [dp, tp] : !dist.bucket<@l0, parameter, f32>
  dist.return
}

// -----

// Rejected: a condition of another form.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func update @F stage 0(%G: !dist.bucket<@l0, gradient, f32>) {
  // expected-error @below {{'dist.norm_squared' op found condition 'tp < 1', expected AXIS == NUMBER}}
  %0 = dist.norm_squared %G {replicated_part_counts_when = "tp < 1"} : (!dist.bucket<@l0, gradient, f32>) -> f32
  dist.return
}

// -----

// Rejected: the norm of something that is no gradient.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func update @F stage 0(%P: !dist.bucket<@l0, parameter, f32>) {
  // expected-error @below {{'dist.norm_squared' op found operand of role 'parameter', expected 'gradient'}}
  %0 = dist.norm_squared %P : (!dist.bucket<@l0, parameter, f32>) -> f32
  dist.return
}

// -----

// Rejected: an update of a gradient.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func update @F stage 0(%P: !dist.bucket<@l0, gradient, f32>, %G: !dist.bucket<@l0, gradient, f32>, %M: !dist.bucket<@l0, moment1, f32>, %V: !dist.bucket<@l0, moment2, f32>,
    %k: f32, %ok: i1, %lr: f32, %t: i64) {
  // expected-error @below {{'dist.adamw' op found parameter of role 'gradient', expected 'parameter' or 'master'}}
  dist.adamw %P, %G, %M, %V, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : !dist.bucket<@l0, gradient, f32>, !dist.bucket<@l0, gradient, f32>, !dist.bucket<@l0, moment1, f32>, !dist.bucket<@l0, moment2, f32>, f32, i1, f32, i64
  dist.return
}

// -----

// Rejected: moments in the wrong order.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func update @F stage 0(%P: !dist.bucket<@l0, parameter, f32>, %G: !dist.bucket<@l0, gradient, f32>, %M: !dist.bucket<@l0, moment2, f32>, %V: !dist.bucket<@l0, moment1, f32>,
    %k: f32, %ok: i1, %lr: f32, %t: i64) {
  // expected-error @below {{'dist.adamw' op found moment1 of role 'moment2', expected 'moment1'}}
  dist.adamw %P, %G, %M, %V, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : !dist.bucket<@l0, parameter, f32>, !dist.bucket<@l0, gradient, f32>, !dist.bucket<@l0, moment2, f32>, !dist.bucket<@l0, moment1, f32>, f32, i1, f32, i64
  dist.return
}

// -----

// Rejected: state of another bucket.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func update @F stage 0(%P: !dist.bucket<@l0, parameter, f32>, %G: !dist.bucket<@l0, gradient, f32>, %M: !dist.bucket<@l1, moment1, f32>, %V: !dist.bucket<@l0, moment2, f32>,
    %k: f32, %ok: i1, %lr: f32, %t: i64) {
  // expected-error @below {{'dist.adamw' op found moment1 of bucket @l1, expected bucket @l0}}
  dist.adamw %P, %G, %M, %V, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : !dist.bucket<@l0, parameter, f32>, !dist.bucket<@l0, gradient, f32>, !dist.bucket<@l1, moment1, f32>, !dist.bucket<@l0, moment2, f32>, f32, i1, f32, i64
  dist.return
}

// -----

// Rejected: a shard without a range.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func update @F stage 0(%P: !dist.bucket<@l0, parameter, f32>, %G: !dist.shard<@l0, gradient, f32>, %M: !dist.bucket<@l0, moment1, f32>, %V: !dist.bucket<@l0, moment2, f32>,
    %k: f32, %ok: i1, %lr: f32, %t: i64) {
  // expected-error @below {{'dist.adamw' op found '!dist.shard<@l0, gradient, f32>' without a range, expected a bucket there}}
  dist.adamw %P, %G, %M, %V, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64}
      : !dist.bucket<@l0, parameter, f32>, !dist.shard<@l0, gradient, f32>, !dist.bucket<@l0, moment1, f32>, !dist.bucket<@l0, moment2, f32>, f32, i1, f32, i64
  dist.return
}

// -----

// Rejected: a whole bucket with a range.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func update @F stage 0(%P: !dist.bucket<@l0, parameter, f32>, %G: !dist.bucket<@l0, gradient, f32>, %M: !dist.bucket<@l0, moment1, f32>, %V: !dist.bucket<@l0, moment2, f32>,
    %k: f32, %ok: i1, %lr: f32, %t: i64) {
  // expected-error @below {{'dist.adamw' op found '!dist.bucket<@l0, gradient, f32>' with a range, expected a shard there}}
  dist.adamw %P, %G, %M, %V, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, range = #dist.range<dp * 80, 80>}
      : !dist.bucket<@l0, parameter, f32>, !dist.bucket<@l0, gradient, f32>, !dist.bucket<@l0, moment1, f32>, !dist.bucket<@l0, moment2, f32>, f32, i1, f32, i64
  dist.return
}

// -----

// Rejected: a range that is no shard.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func update @F stage 0(%P: !dist.bucket<@l0, parameter, f32>, %G: !dist.shard<@l0, gradient, f32>, %M: !dist.shard<@l0, moment1, f32>, %V: !dist.shard<@l0, moment2, f32>,
    %k: f32, %ok: i1, %lr: f32, %t: i64) {
  // expected-error @below {{'dist.adamw' op found range #dist.range<dp * 80, 16>, expected a stride and size of 80}}
  dist.adamw %P, %G, %M, %V, %k, %ok, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.5 : f64, eps = 1.0e-8 : f64, weight_decay = 0.0 : f64, range = #dist.range<dp * 80, 16>}
      : !dist.bucket<@l0, parameter, f32>, !dist.shard<@l0, gradient, f32>, !dist.shard<@l0, moment1, f32>, !dist.shard<@l0, moment2, f32>, f32, i1, f32, i64
  dist.return
}

// -----

// Rejected: momentum without a state.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func update @F stage 0(%P: !dist.bucket<@l0, parameter, f32>, %G: !dist.bucket<@l0, gradient, f32>, %M: !dist.bucket<@l0, momentum, f32>,
    %k: f32, %ok: i1, %lr: f32) {
  // expected-error @below {{'dist.sgd' op found momentum 5.000000e-01 without a state, expected a state exactly when it is not 0}}
  dist.sgd %P, %G, %k, %ok, %lr {momentum = 0.5 : f64, weight_decay = 0.0 : f64}
      : !dist.bucket<@l0, parameter, f32>, !dist.bucket<@l0, gradient, f32>, f32, i1, f32
  dist.return
}

// -----

// Rejected: a state without momentum.
nn.parameter @u : tensor<32x8xf32> {layer = 0 : i64, decay}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [dp] elements 264 padded 320 shard_elements 80 decay_below 256 replicated_over_tp_from 256 {
  @u : tensor<32x8xf32> at 0
  @g : tensor<8xf32> at 256
}
dist.func update @F stage 0(%P: !dist.bucket<@l0, parameter, f32>, %G: !dist.bucket<@l0, gradient, f32>, %M: !dist.bucket<@l0, momentum, f32>,
    %k: f32, %ok: i1, %lr: f32) {
  // expected-error @below {{'dist.sgd' op found momentum 0.000000e+00 with a state, expected a state exactly when it is not 0}}
  dist.sgd %P, %G, %M, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64}
      : !dist.bucket<@l0, parameter, f32>, !dist.bucket<@l0, gradient, f32>, !dist.bucket<@l0, momentum, f32>, f32, i1, f32
  dist.return
}

// Programs of one rank that are wrong as a whole. The example of the dist
// dialect and the results of dist-form-buckets are accepted.
// RUN: llmc-opt %s --dist-verify-local --split-input-file --verify-diagnostics

// Rejected: a module without a mesh.
// expected-error @below {{found 0 meshes, expected one}}
module {
}

// -----

// Rejected: a bucket sharded over an axis that the mesh lacks.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{'dist.bucket' op found axis 'cp', expected one of the mesh '@m'}}
dist.bucket @l0 shard [cp] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}

// -----

// Rejected: fewer shards than ranks.
dist.mesh @m [pp = 1, dp = 2, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{'dist.bucket' op found 1 shards, expected 2, the ranks that it is sharded over}}
dist.bucket @l0 shard [dp] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}

// -----

// Rejected: an entry that is no parameter.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{'dist.bucket' op found @h, expected the name of an 'nn.parameter'}}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @h : tensor<8xf32> at 0
}

// -----

// Rejected: an entry that is no part of its parameter.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{'dist.bucket' op found 'tensor<3xf32>' for @g, expected a part of 'tensor<8xf32>'}}
dist.bucket @l0 shard [] elements 3 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 3 {
  @g : tensor<3xf32> at 0
}

// -----

// Rejected: an entry of another rank than its parameter.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{'dist.bucket' op found 'tensor<8x1xf32>' for @g, expected a part of 'tensor<8xf32>'}}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8x1xf32> at 0
}

// -----

// Rejected: a parameter in no bucket.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
// expected-error @below {{found parameter '@g' in 0 buckets, expected exactly 1}}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}

// -----

// Rejected: a parameter in two buckets.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
// expected-error @below {{found parameter '@g' in 2 buckets, expected exactly 1}}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.bucket @l1 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}

// -----

// Rejected: a tied parameter in one bucket.
dist.mesh @m [pp = 2]
// expected-error @below {{found parameter '@g' in 1 buckets, expected exactly 2}}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
pipe.program @train mesh @m microbatches 1 {
  pipe.tied @g stages [0, 1]
}

// -----

// Rejected: an argument without a source.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
// expected-error @below {{'dist.func' op found argument 0 without a source, expected 'pipe.source'}}
dist.func forward @F0 stage 0(%x: f32) {
  dist.return
}

// -----

// Rejected: a handle to no bucket.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
// expected-error @below {{'dist.func' op found a handle to @l1, expected a 'dist.bucket'}}
dist.func forward @F0 stage 0(%P: !dist.bucket<@l1, parameter, f32>) {
  dist.return
}

// -----

// Rejected: a collective over an axis that the mesh lacks.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func forward @F0 stage 0(%x: tensor<6x8xf32> {pipe.source = #pipe.source<input "data" 0>}) {
  // expected-error @below {{'dist.all_reduce' op found axis 'cp', expected one of the mesh '@m'}}
  %0 = dist.all_reduce %x axes [cp] : tensor<6x8xf32>
  dist.return
}

// -----

// Rejected: a gather by another factor than the group's.
dist.mesh @m [pp = 1, dp = 1, tp = 3]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func forward @F0 stage 0(%x: tensor<6x8xf32> {pipe.source = #pipe.source<input "data" 0>}) {
  // expected-error @below {{'dist.all_gather' op found a factor of 2 between the sizes, expected 3, the ranks of the group}}
  %0 = dist.all_gather %x dim 0 axes [tp] : tensor<6x8xf32> -> tensor<12x8xf32>
  dist.return
}

// -----

// Rejected: a scatter by another factor than the group's.
dist.mesh @m [pp = 1, dp = 1, tp = 3]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func forward @F0 stage 0(%x: tensor<6x8xf32> {pipe.source = #pipe.source<input "data" 0>}) {
  // expected-error @below {{'dist.reduce_scatter' op found a factor of 2 between the sizes, expected 3, the ranks of the group}}
  %0 = dist.reduce_scatter %x dim 0 axes [tp] : tensor<6x8xf32> -> tensor<3x8xf32>
  dist.return
}

// -----

// Rejected: a first contribution without a mark.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func backward @F0 stage 0(%x: tensor<8xf32> {pipe.source = #pipe.source<input "data" 0>},
    %G: !dist.bucket<@l0, gradient, f32>) {
  // expected-error @below {{'dist.accumulate' op found the first contribution to '@g' without 'first_in_microbatch', expected it on the first only}}
  dist.accumulate %G [@g], %x : !dist.bucket<@l0, gradient, f32>, tensor<8xf32>
  dist.return
}

// -----

// Rejected: a later contribution with a mark.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func backward @B0 stage 0(%x: tensor<8xf32> {pipe.source = #pipe.source<input "data" 0>},
    %G: !dist.bucket<@l0, gradient, f32>) {
  dist.accumulate %G [@g], %x {first_in_microbatch} : !dist.bucket<@l0, gradient, f32>, tensor<8xf32>
  // expected-error @below {{'dist.accumulate' op found a later contribution to '@g' with 'first_in_microbatch', expected it on the first only}}
  dist.accumulate %G [@g], %x {first_in_microbatch} : !dist.bucket<@l0, gradient, f32>, tensor<8xf32>
  dist.return
}

// -----

// Rejected: a mark in the backward pass where the forward pass contributes.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func backward @B0 stage 0(%x: tensor<8xf32> {pipe.source = #pipe.source<input "data" 0>},
    %G: !dist.bucket<@l0, gradient, f32>) {
  // expected-error @below {{'dist.accumulate' op found a later contribution to '@g' with 'first_in_microbatch', expected it on the first only}}
  dist.accumulate %G [@g], %x {first_in_microbatch} : !dist.bucket<@l0, gradient, f32>, tensor<8xf32>
  dist.return
}
dist.func forward @F0 stage 0(%x: tensor<8xf32> {pipe.source = #pipe.source<input "data" 0>},
    %G: !dist.bucket<@l0, gradient, f32>) {
  dist.accumulate %G [@g], %x {first_in_microbatch} : !dist.bucket<@l0, gradient, f32>, tensor<8xf32>
  dist.return
}

// -----

// Rejected: a parameter without a contribution.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{'dist.bucket' op found no contribution to @g, expected at least one}}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func backward @B0 stage 0() {
  dist.return
}

// -----

// Rejected: a bucket without an update.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{'dist.bucket' op found 0 updates, expected exactly 1}}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func update @U0 stage 0() {
  dist.return
}

// -----

// Rejected: a bucket with two updates.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{'dist.bucket' op found 2 updates, expected exactly 1}}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func update @U0 stage 0(%lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %P: !dist.bucket<@l0, parameter, f32>, %G: !dist.bucket<@l0, gradient, f32>) {
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  dist.sgd %P, %G, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64}
      : !dist.bucket<@l0, parameter, f32>, !dist.bucket<@l0, gradient, f32>, f32, i1, f32
  dist.sgd %P, %G, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64}
      : !dist.bucket<@l0, parameter, f32>, !dist.bucket<@l0, gradient, f32>, f32, i1, f32
  dist.return
}

// -----

// Rejected: a parameter that the norm counts twice.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
// expected-error @below {{found parameter '@g' counted 2 times in the norm, expected exactly once}}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func update @U0 stage 0(%lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %P: !dist.bucket<@l0, parameter, f32>, %G: !dist.bucket<@l0, gradient, f32>) {
  %s = dist.norm_squared %G, %G : (!dist.bucket<@l0, gradient, f32>, !dist.bucket<@l0, gradient, f32>) -> f32
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  dist.sgd %P, %G, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64}
      : !dist.bucket<@l0, parameter, f32>, !dist.bucket<@l0, gradient, f32>, f32, i1, f32
  dist.return
}

// -----

// Rejected: a parameter that the norm leaves out.
dist.mesh @m [pp = 1, dp = 1, tp = 1]
// expected-error @below {{found parameter '@g' counted 0 times in the norm, expected exactly once}}
nn.parameter @g : tensor<8xf32> {layer = 0 : i64}
dist.bucket @l0 shard [] elements 8 padded 16 shard_elements 16 decay_below 0 replicated_over_tp_from 8 {
  @g : tensor<8xf32> at 0
}
dist.func update @U0 stage 0(%lr: f32 {pipe.source = #pipe.source<scalar "lr">},
    %P: !dist.bucket<@l0, parameter, f32>, %G: !dist.bucket<@l0, gradient, f32>) {
  %s = dist.norm_squared : () -> f32
  %k, %ok = nn.clip_factor %lr, %lr, %lr : (f32, f32, f32) -> (f32, i1)
  dist.sgd %P, %G, %k, %ok, %lr {momentum = 0.0 : f64, weight_decay = 0.0 : f64}
      : !dist.bucket<@l0, parameter, f32>, !dist.bucket<@l0, gradient, f32>, f32, i1, f32
  dist.return
}

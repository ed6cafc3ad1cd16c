// What the dist dialect rejects: attributes, meshes, buckets, functions.
// RUN: llmc-opt %s --split-input-file --verify-diagnostics

// Rejected: an op attribute that the dialect does not know.
// expected-error @below {{found op attribute 'dist.other', expected 'dist.shardings'}}
nn.parameter @p : tensor<8xf32> {layer = 0 : i64, dist.other}

// -----

// Rejected: fewer shardings than results.
nn.microbatch @f(%x: tensor<6x4xf32> {nn.role = "data"}) {
  // expected-error @below {{found [] in 'dist.shardings', expected an array of 1 shardings}}
  %0 = nn.relu %x {dist.shardings = []} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  nn.yield
}

// -----

// Rejected: something else in the place of a sharding.
nn.microbatch @f(%x: tensor<6x4xf32> {nn.role = "data"}) {
  // expected-error @below {{found 3 : i64 in 'dist.shardings', expected a #dist.sharding}}
  %0 = nn.relu %x {dist.shardings = [3]} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  nn.yield
}

// -----

// Rejected: a sharding of another rank than its value.
// expected-error @below {{found a sharding of 1 dimensions for 'tensor<6x4xf32>', expected 2}}
nn.microbatch @f(%x: tensor<6x4xf32> {nn.role = "data", dist.sharding = #dist.sharding<[{dp}]>}) {
  nn.yield
}

// -----

// Rejected: an argument attribute that the dialect does not know.
// expected-error @below {{found argument attribute 'dist.other', expected 'dist.sharding'}}
nn.microbatch @f(%x: tensor<6x4xf32> {nn.role = "data", dist.other}) {
  nn.yield
}

// -----

// Rejected: an axis that is used twice.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64,
  // expected-error @below {{found axis 'tp' twice, expected it at most once}}
  other = #dist.sharding<[{tp}], unreduced {tp}>}

// -----

// Rejected: an empty set of axes to take the maximum over.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64,
  // expected-error @below {{found 'unreduced max' without axes, expected at least one}}
  other = #dist.sharding<[{tp}], unreduced max {}>}

// -----

// Rejected: a mesh with an axis without a size.
// expected-error @below {{'dist.mesh' op found 1 sizes for 2 axes, expected one each}}
"dist.mesh"() <{axes = ["dp", "tp"], sizes = array<i64: 1>, sym_name = "m"}> : () -> ()

// -----

// Rejected: a mesh with an axis twice.
// expected-error @below {{'dist.mesh' op found axis 'dp' twice, expected it once}}
dist.mesh @m [dp = 2, dp = 2]

// -----

// Rejected: an axis without ranks.
// expected-error @below {{'dist.mesh' op found size 0, expected at least 1}}
dist.mesh @m [dp = 0]

// -----

// Rejected: a mesh of more ranks than a number holds.
// expected-error @below {{'dist.mesh' op found more than 2^63 ranks, expected a smaller mesh}}
dist.mesh @m [dp = 9223372036854775807, tp = 2]

// -----

// Rejected: a layout that is reserved.
// expected-error @below {{'dist.bucket' op found layout 'by_tensor', which is not implemented yet, expected 'flat'}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 16
} {layout = "by_tensor"}

// -----

// Rejected: a layout that nobody knows.
// expected-error @below {{'dist.bucket' op found layout 'square', expected 'flat'}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 16
} {layout = "square"}

// -----

// Rejected: a bucket of nothing.
// expected-error @below {{'dist.bucket' op found no entry, expected at least one}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
}

// -----

// Rejected: a parameter in a bucket twice.
// expected-error @below {{'dist.bucket' op found @p twice, expected it once}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @p : tensor<8xf32> at 16
}

// -----

// Rejected: a tensor of unknown size.
// expected-error @below {{'dist.bucket' op found 'tensor<?xf32>' for @p, expected a static type}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<?xf32> at 0
}

// -----

// Rejected: a tensor of more elements than a number holds.
// expected-error @below {{'dist.bucket' op found 'tensor<4294967296x4294967296xf32>' for @p, expected a static type}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<4294967296x4294967296xf32> at 0
}

// -----

// Rejected: two element types.
// expected-error @below {{'dist.bucket' op found element type 'bf16' for @q, expected 'f32'}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xbf16> at 16
}

// -----

// Rejected: a tensor that is not aligned.
// expected-error @below {{'dist.bucket' op found @q at 8, expected a multiple of 16}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 8
}

// -----

// Rejected: tensors that overlap.
// expected-error @below {{'dist.bucket' op found @q at 16, expected at least 24, where the last one ends}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<24xf32> at 0
  @q : tensor<8xf32> at 16
}

// -----

// Rejected: a negative offset.
// expected-error @below {{'dist.bucket' op found @p at -16, expected at least 0, where the last one ends}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at -16
}

// -----

// Rejected: an offset so large that the end overflows.
// expected-error @below {{'dist.bucket' op found @p at 9223372036854775792, expected a smaller number}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<32xf32> at 9223372036854775792
}

// -----

// Rejected: another number of elements than the tensors have.
// expected-error @below {{'dist.bucket' op found elements 23, expected 24, where the last tensor ends}}
dist.bucket @b shard [] elements 23 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 16 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 16
}

// -----

// Rejected: padding that is too small.
// expected-error @below {{'dist.bucket' op found padded 16, expected a multiple of 16 of at least 24}}
dist.bucket @b shard [] elements 24 padded 16 shard_elements 16 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 16
}

// -----

// Rejected: padding that is not aligned.
// expected-error @below {{'dist.bucket' op found padded 40, expected a multiple of 16 of at least 24}}
dist.bucket @b shard [] elements 24 padded 40 shard_elements 40 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 16
}

// -----

// Rejected: shards that do not divide the bucket.
// expected-error @below {{'dist.bucket' op found shard_elements 24, expected a divisor of 32 and multiple of 16}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 24 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 16
}

// -----

// Rejected: shards of nothing.
// expected-error @below {{'dist.bucket' op found shard_elements 0, expected a divisor of 32 and multiple of 16}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 0 decay_below 16 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 16
}

// -----

// Rejected: a border outside the bucket.
// expected-error @below {{'dist.bucket' op found decay_below 25, expected 0 to 24}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 25 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 16
}

// -----

// Rejected: a decay class that ends inside a tensor.
// expected-error @below {{'dist.bucket' op found decay_below 4 inside @p, expected a border of tensors}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 4 replicated_over_tp_from 24 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 16
}

// -----

// Rejected: a replicated class that begins inside a tensor.
// expected-error @below {{'dist.bucket' op found replicated_over_tp_from 20 inside @q, expected a border of tensors}}
dist.bucket @b shard [] elements 24 padded 32 shard_elements 32 decay_below 16 replicated_over_tp_from 20 {
  @p : tensor<8xf32> at 0
  @q : tensor<8xf32> at 16
}

// -----

// Rejected: a kind of function that nobody knows.
// expected-error @below {{found 'sideward', expected forward, backward, update, evaluate or logits}}
dist.func sideward @F0 stage 0() {
  dist.return
}

// -----

// Rejected: a negative stage.
// expected-error @below {{'dist.func' op found stage -1, expected at least 0}}
dist.func forward @F0 stage -1() {
  dist.return
}

// -----

// Rejected: another result than the function has.
dist.func forward @F0 stage 0(%x: f32) -> f32 {
  // expected-error @below {{'dist.return' op found types (), expected the results ('f32')}}
  dist.return
}

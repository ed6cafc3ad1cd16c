// What the dist dialect rejects: reshards and collectives on tensors.
// RUN: llmc-opt %s --split-input-file --verify-diagnostics

// Rejected: a sharding of another rank.
dist.func forward @F stage 0(%x: tensor<6x4xf32>) {
  // expected-error @below {{'dist.reshard' op found a sharding of 1 dimensions, expected 2}}
  %0 = dist.reshard %x from <[{tp}, {}]> to <[{}]> : tensor<6x4xf32>
  dist.return
}

// -----

// Rejected: a gather over nothing.
dist.func forward @F stage 0(%x: tensor<6x4xf32>) {
  // expected-error @below {{'dist.all_gather' op found no axes, expected at least one}}
  %0 = dist.all_gather %x dim 0 axes [] : tensor<6x4xf32> -> tensor<6x4xf32>
  dist.return
}

// -----

// Rejected: a scatter over nothing.
dist.func forward @F stage 0(%x: tensor<6x4xf32>) {
  // expected-error @below {{'dist.reduce_scatter' op found no axes, expected at least one}}
  %0 = dist.reduce_scatter %x dim 0 axes [] : tensor<6x4xf32> -> tensor<6x4xf32>
  dist.return
}

// -----

// Rejected: a sum over nothing.
dist.func forward @F stage 0(%x: tensor<6x4xf32>) {
  // expected-error @below {{'dist.all_reduce' op found no axes, expected at least one}}
  %0 = dist.all_reduce %x axes [] : tensor<6x4xf32>
  dist.return
}

// -----

// Rejected: a dimension that is not there.
dist.func forward @F stage 0(%x: tensor<6x4xf32>) {
  // expected-error @below {{'dist.all_gather' op found dim 2 for 'tensor<6x4xf32>', expected 0 to 1}}
  %0 = dist.all_gather %x dim 2 axes [tp] : tensor<6x4xf32> -> tensor<12x4xf32>
  dist.return
}

// -----

// Rejected: a negative dimension.
dist.func forward @F stage 0(%x: tensor<6x4xf32>) {
  // expected-error @below {{'dist.all_gather' op found dim -1 for 'tensor<6x4xf32>', expected 0 to 1}}
  %0 = dist.all_gather %x dim -1 axes [tp] : tensor<6x4xf32> -> tensor<12x4xf32>
  dist.return
}

// -----

// Rejected: sizes that are not static.
dist.func forward @F stage 0(%x: tensor<?x4xf32>) {
  // expected-error @below {{'dist.all_gather' op found 'tensor<12x4xf32>' and 'tensor<?x4xf32>', expected static types}}
  %0 = dist.all_gather %x dim 0 axes [tp] : tensor<?x4xf32> -> tensor<12x4xf32>
  dist.return
}

// -----

// Rejected: a gather along another dimension.
dist.func forward @F stage 0(%x: tensor<6x4xf32>) {
  // expected-error @below {{'dist.all_gather' op found 'tensor<6x4xf32>' as a part of 'tensor<6x8xf32>', expected types that differ by a factor in dim 0}}
  %0 = dist.all_gather %x dim 0 axes [tp] : tensor<6x4xf32> -> tensor<6x8xf32>
  dist.return
}

// -----

// Rejected: a gather that is no multiple.
dist.func forward @F stage 0(%x: tensor<6x4xf32>) {
  // expected-error @below {{'dist.all_gather' op found 'tensor<6x4xf32>' as a part of 'tensor<9x4xf32>', expected types that differ by a factor in dim 0}}
  %0 = dist.all_gather %x dim 0 axes [tp] : tensor<6x4xf32> -> tensor<9x4xf32>
  dist.return
}

// -----

// Rejected: a scatter that grows.
dist.func forward @F stage 0(%x: tensor<6x4xf32>) {
  // expected-error @below {{'dist.reduce_scatter' op found 'tensor<12x4xf32>' as a part of 'tensor<6x4xf32>', expected types that differ by a factor in dim 0}}
  %0 = dist.reduce_scatter %x dim 0 axes [tp] : tensor<6x4xf32> -> tensor<12x4xf32>
  dist.return
}

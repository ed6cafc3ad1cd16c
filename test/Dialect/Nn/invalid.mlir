// What the nn dialect rejects: structure and parameters.
// RUN: llmc-opt %s --split-input-file --verify-diagnostics

// Rejected: a size that is not static.
nn.microbatch @f(%x: tensor<?x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.relu' op found 'tensor<?x8xf32>', expected static sizes of at least 1}}
  %y = nn.relu %x : (tensor<?x8xf32>) -> tensor<?x8xf32>
  nn.yield
}

// -----

// Rejected: a size of zero.
nn.microbatch @f(%x: tensor<6x8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.sum_leading' op found 'tensor<0xf32>', expected static sizes of at least 1}}
  %y = nn.sum_leading %x : (tensor<6x8xf32>) -> tensor<0xf32>
  nn.yield
}

// -----

// Rejected: a parameter without a static shape.
// expected-error @below {{'nn.parameter' op found 'tensor<?x8xf32>', expected static sizes of at least 1}}
nn.parameter @p : tensor<?x8xf32> {layer = 0 : i64}

// -----

// Rejected: a negative layer.
// expected-error @below {{'nn.parameter' op found 'layer' = -1, expected at least 0}}
nn.parameter @p : tensor<8xf32> {layer = -1 : i64}

// -----

// Rejected: layer and group.
// expected-error @below {{'nn.parameter' op found both layer 0 and group 'head', expected one of them}}
nn.parameter @p : tensor<8xf32> {layer = 0 : i64, group = "head"}

// -----

// Rejected: elements that do not fill stored rows.
// expected-error @below {{'nn.parameter' op found 15 elements, expected a multiple of the stored rows' size 8}}
nn.parameter @p : tensor<3x5xf32> {layer = 0 : i64, storage = #nn.storage<"w", [4, 8], 0>}

// -----

// Rejected: rows past the stored tensor.
// expected-error @below {{'nn.parameter' op found rows 72 to 104 of 'w', expected at most 96}}
nn.parameter @p : tensor<32x8xf32> {layer = 0 : i64, storage = #nn.storage<"w", [8, 96], 72, transposed>}

// -----

// Rejected: an argument without a role.
// expected-error @below {{'nn.microbatch' op found argument 0 with no 'nn.role', expected one of 'tokens', 'labels', 'seed', 'data'}}
nn.microbatch @train(%x: f32) {
  nn.yield
}

// -----

// Rejected: an unknown role.
// expected-error @below {{'nn.microbatch' op found argument 0 with role 'lr', expected one of 'tokens', 'labels', 'seed', 'data'}}
nn.microbatch @train(%x: f32 {nn.role = "lr"}) {
  nn.yield
}

// -----

// Rejected: tokens that are not integers.
// expected-error @below {{'nn.microbatch' op found 'tensor<6x4xf32>' with role 'tokens', expected a tensor of i32 of rank 2}}
nn.microbatch @train(%x: tensor<6x4xf32> {nn.role = "tokens"}) {
  nn.yield
}

// -----

// Rejected: labels of another rank.
// expected-error @below {{'nn.microbatch' op found 'tensor<6xi32>' with role 'labels', expected a tensor of i32 of rank 2}}
nn.microbatch @train(%x: tensor<6xi32> {nn.role = "labels"}) {
  nn.yield
}

// -----

// Rejected: a seed of another type.
// expected-error @below {{'nn.microbatch' op found 'f64' with role 'seed', expected f32}}
nn.microbatch @train(%x: f64 {nn.role = "seed"}) {
  nn.yield
}

// -----

// Rejected: a role given twice.
// expected-error @below {{'nn.microbatch' op found role 'seed' twice, expected it at most once}}
nn.microbatch @train(%x: f32 {nn.role = "seed"}, %y: f32 {nn.role = "seed"}) {
  nn.yield
}

// -----

// Rejected: a body without terminator.
// expected-error @below {{'nn.microbatch' op found a body without terminator, expected 'nn.yield'}}
nn.microbatch @train(%x: tensor<6x8xf32> {nn.role = "data"}) {
  %y = nn.relu %x : (tensor<6x8xf32>) -> tensor<6x8xf32>
}

// -----

// Rejected: an empty body.
// expected-error @below {{'nn.microbatch' op expects a non-empty block}}
"nn.microbatch"() <{sym_name = "train", function_type = () -> ()}> ({
^bb0:
}) : () -> ()

// -----

// Rejected: a result that is not yielded.
nn.microbatch @train(%x: f32 {nn.role = "seed"}) -> f32 {
  // expected-error @below {{'nn.yield' op found types (), expected the results ('f32')}}
  nn.yield
}

// -----

// Rejected: a role of micro-batches in an update.
// expected-error @below {{'nn.update' op found argument 0 with role 'seed', expected one of 'lr', 't', 'clip', 'inv_scale'}}
nn.update @step(%x: f32 {nn.role = "seed"}) {
  nn.yield
}

// -----

// Rejected: a step number of another type.
// expected-error @below {{'nn.update' op found 'i32' with role 't', expected i64}}
nn.update @step(%t: i32 {nn.role = "t"}) {
  nn.yield
}

// -----

// Rejected: a learning rate of another type.
// expected-error @below {{'nn.update' op found 'f64' with role 'lr', expected f32}}
nn.update @step(%t: f64 {nn.role = "lr"}) {
  nn.yield
}

// -----

// Rejected: an update with a result.
nn.update @step(%t: i64 {nn.role = "t"}) {
  // expected-error @below {{'nn.yield' op found types ('i64'), expected the results ()}}
  nn.yield %t : i64
}

// -----

// Rejected: a yield outside of micro-batches.
module {
  // expected-error @below {{'nn.yield' op expects parent op to be one of 'nn.microbatch, nn.update'}}
  nn.yield
}

// -----

// Rejected: a read of an unknown parameter.
nn.microbatch @f() {
  // expected-error @below {{'nn.get' op found @p, expected the name of an 'nn.parameter'}}
  %p = nn.get @p : tensor<8xf32>
  nn.yield
}

// -----

// Rejected: a read of another type.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.microbatch @f() {
  // expected-error @below {{'nn.get' op found type 'tensor<9xf32>', expected 'tensor<8xf32>', the type of @p}}
  %p = nn.get @p : tensor<9xf32>
  nn.yield
}

// -----

// Rejected: a name that is no parameter.
nn.microbatch @f() {
  // expected-error @below {{'nn.get' op found @f, expected the name of an 'nn.parameter'}}
  %p = nn.get @f : tensor<9xf32>
  nn.yield
}

// -----

// Rejected: a contribution of another type.
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
nn.microbatch @f(%d: tensor<8xf64> {nn.role = "data"}) {
  // expected-error @below {{'nn.accumulate' op found type 'tensor<8xf64>', expected 'tensor<8xf32>', the type of @p}}
  nn.accumulate @p, %d : tensor<8xf64>
  nn.yield
}

// -----

// Rejected: a contribution to an unknown parameter.
nn.microbatch @f(%d: tensor<8xf32> {nn.role = "data"}) {
  // expected-error @below {{'nn.accumulate' op found @p, expected the name of an 'nn.parameter'}}
  nn.accumulate @p, %d : tensor<8xf32>
  nn.yield
}

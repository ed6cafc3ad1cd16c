// What the nn dialect rejects: attributes.
// RUN: llmc-opt %s --split-input-file --verify-diagnostics

// Rejected: an unknown kind of scaling.
// expected-error @below {{found rope scaling kind 'yarn', expected 'linear' or 'llama3'}}
module attributes {a = #nn.rope_scaling<"yarn", 2.0>} {}

// -----

// Rejected: a scaling factor of zero.
// expected-error @below {{found rope scaling factor 0.000000e+00, expected a positive number}}
module attributes {a = #nn.rope_scaling<"linear", 0.0>} {}

// -----

// Rejected: frequency factors in the wrong order.
// expected-error @below {{found frequency factors 4.000000e+00 and 1.000000e+00, expected 0 < low < high}}
module attributes {a = #nn.rope_scaling<"llama3", 8.0, 4.0, 1.0, 8192>} {}

// -----

// Rejected: no original positions.
// expected-error @below {{found 0 original positions, expected at least 1}}
module attributes {a = #nn.rope_scaling<"llama3", 8.0, 1.0, 4.0, 0>} {}

// -----

// Rejected: an empty tensor name.
// expected-error @below {{found an empty tensor name, expected a name}}
module attributes {a = #nn.storage<"", [8], 0>} {}

// -----

// Rejected: a stored tensor of rank 3.
// expected-error @below {{found a stored shape of rank 3, expected 1 or 2}}
module attributes {a = #nn.storage<"w", [8, 8, 8], 0>} {}

// -----

// Rejected: a stored size of zero.
// expected-error @below {{found stored size 0, expected 1 to 2^40}}
module attributes {a = #nn.storage<"w", [0, 8], 0>} {}

// -----

// Rejected: a transposed vector.
// expected-error @below {{found a transposed vector, expected a matrix}}
module attributes {a = #nn.storage<"w", [8], 0, transposed>} {}

// -----

// Rejected: a negative offset.
// expected-error @below {{found offset -1, expected at least 0}}
module attributes {a = #nn.storage<"w", [8], -1>} {}

// -----

// Rejected: an unknown initial value.
// expected-error @below {{found initial value 'uniform', expected 'zeros', 'ones' or 'normal'}}
module attributes {a = #nn.init<"uniform">} {}

// -----

// Rejected: a normal distribution without deviation.
// expected-error @below {{found standard deviation 0.000000e+00 of 'normal', expected a positive number}}
module attributes {a = #nn.init<"normal">} {}

// -----

// Rejected: a deviation of ones.
// expected-error @below {{found standard deviation 5.000000e-01 of 'ones', expected 0}}
module attributes {a = #nn.init<"ones", 0.5>} {}

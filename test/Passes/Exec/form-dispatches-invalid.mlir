// RUN: llmc-opt %s --exec-form-dispatches='target=abacus' --verify-diagnostics

// expected-error @below {{internal: no target 'abacus'}}
module {
}

// Programs that dist-convert-global-to-local refuses.
// RUN: llmc-opt %s --dist-convert-global-to-local --split-input-file --verify-diagnostics

// Rejected: more than one rank.
dist.mesh @m [pp = 1, dp = 2, tp = 3]
// expected-error @below {{'pipe.program' op found a mesh of 6 ranks, which is not implemented yet, expected 1}}
pipe.program @train mesh @m microbatches 1 {
}

// -----

// Rejected: a fragment whose name the module uses.
dist.mesh @m [pp = 1]
// expected-error @below {{found symbol '@F0', expected the name free for a fragment}}
nn.parameter @F0 : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F0 stage 0() {
    pipe.yield
  }
}

// What the pipe dialect rejects.
// RUN: llmc-opt %s --split-input-file --verify-diagnostics

// Rejected: no micro-batch.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{'pipe.program' op found 0 micro-batches, expected at least 1}}
pipe.program @train mesh @m microbatches 0 {

}

// -----

// Rejected: two fragments for the same work.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F0 stage 0() {
    pipe.yield
  }
  // expected-error @below {{'pipe.fragment' op found a second forward of stage 0, expected one}}
  pipe.fragment forward @F1 stage 0() {
    pipe.yield
  }
}

// -----

// Rejected: two schedules.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.schedule {kind = "1f1b", live = array<i64: 1, 1>, ranks = ["0F0", "1F0"]}
  // expected-error @below {{'pipe.schedule' op found a second schedule, expected one}}
  pipe.schedule {kind = "1f1b", live = array<i64: 1, 1>, ranks = ["0F0", "1F0"]}
}

// -----

// Rejected: an op that does not belong there.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'nn.parameter' op found in 'pipe.program', expected fragments, transfers, tied parameters or a schedule}}
  nn.parameter @q : tensor<8xf32> {layer = 0 : i64}
}

// -----

// Rejected: a mesh that is not there.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
// expected-error @below {{'pipe.program' op found @p, expected the name of a 'dist.mesh'}}
pipe.program @train mesh @p microbatches 1 {

}

// -----

// Rejected: a stage beyond the mesh.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.fragment' op found stage 2, expected less than 2}}
  pipe.fragment forward @F0 stage 2() {
    pipe.yield
  }
}

// -----

// Rejected: a negative stage.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.fragment' op found stage -1, expected at least 0}}
  pipe.fragment forward @F0 stage -1() {
    pipe.yield
  }
}

// -----

// Rejected: a list of actions for one of two ranks.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.schedule' op found 1 lists of actions, expected 2, one for each pipeline rank}}
  pipe.schedule {kind = "1f1b", live = array<i64: 1>, ranks = ["0F0"]}
}

// -----

// Rejected: a rank without its number of live micro-batches.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.schedule' op found 1 numbers of live micro-batches for 2 ranks, expected one each}}
  pipe.schedule {kind = "1f1b", live = array<i64: 1>, ranks = ["0F0", "1F0"]}
}

// -----

// Rejected: an argument that comes from nowhere.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.fragment' op found argument 0 without a source, expected 'pipe.source'}}
  pipe.fragment forward @F0 stage 0(%x: f32) {
    pipe.yield
  }
}

// -----

// Rejected: a scalar that is a tensor.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.fragment' op found 'tensor<8xf32>' for argument 0, a scalar, expected f32 or i64}}
  pipe.fragment forward @F0 stage 0(%x: tensor<8xf32> {pipe.source = #pipe.source<scalar "lr">}) {
    pipe.yield
  }
}

// -----

// Rejected: a parameter that is not there.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.fragment' op found source #pipe.source<parameter @q> of argument 0, expected the name of an 'nn.parameter'}}
  pipe.fragment forward @F0 stage 0(%x: tensor<8xf32> {pipe.source = #pipe.source<parameter @q>}) {
    pipe.yield
  }
}

// -----

// Rejected: a parameter of another type.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.fragment' op found 'tensor<4xf32>' for argument 0, expected 'tensor<8xf32>', the type of its source #pipe.source<parameter @p>}}
  pipe.fragment forward @F0 stage 0(%x: tensor<4xf32> {pipe.source = #pipe.source<parameter @p>}) {
    pipe.yield
  }
}

// -----

// Rejected: a saved value of no fragment.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.fragment' op found source #pipe.source<saved @B0 0> of argument 0, expected a saved result of a fragment of the same stage}}
  pipe.fragment forward @F0 stage 0(%x: tensor<8xf32> {pipe.source = #pipe.source<saved @B0 0>}) {
    pipe.yield
  }
}

// -----

// Rejected: a transfer that is not there.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.fragment' op found source #pipe.source<transfer @X0> of argument 0, expected a 'pipe.transfer' to this fragment}}
  pipe.fragment forward @F0 stage 0(%x: tensor<8xf32> {pipe.source = #pipe.source<transfer @X0>}) {
    pipe.yield
  }
}

// -----

// Rejected: a saved value of another stage.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F stage 1(%x: f32 {pipe.source = #pipe.source<input "seed" 0>})
      -> (f32 {pipe.result = #pipe.result<saved>}) {
    pipe.yield %x : f32
  }
  // expected-error @below {{'pipe.fragment' op found source #pipe.source<saved @F 0> of argument 0, expected a saved result of a fragment of the same stage}}
  pipe.fragment backward @B stage 0(%x: f32 {pipe.source = #pipe.source<saved @F 0>}) {
    pipe.yield
  }
}

// -----

// Rejected: a result that is not saved.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F stage 0(%x: f32 {pipe.source = #pipe.source<input "seed" 0>})
      -> (f32 {pipe.result = #pipe.result<loss>}) {
    pipe.yield %x : f32
  }
  // expected-error @below {{'pipe.fragment' op found source #pipe.source<saved @F 0> of argument 0, expected a saved result of a fragment of the same stage}}
  pipe.fragment backward @B stage 0(%x: f32 {pipe.source = #pipe.source<saved @F 0>}) {
    pipe.yield
  }
}

// -----

// Rejected: a result that is not there.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F stage 0(%x: f32 {pipe.source = #pipe.source<input "seed" 0>})
      -> (f32 {pipe.result = #pipe.result<saved>}) {
    pipe.yield %x : f32
  }
  // expected-error @below {{'pipe.fragment' op found source #pipe.source<saved @F 1> of argument 0, expected a saved result of a fragment of the same stage}}
  pipe.fragment backward @B stage 0(%x: f32 {pipe.source = #pipe.source<saved @F 1>}) {
    pipe.yield
  }
}

// -----

// Rejected: a result that nobody uses.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.fragment' op found result 0 without a use, expected 'pipe.result'}}
  pipe.fragment forward @F stage 0(%x: f32 {pipe.source = #pipe.source<input "seed" 0>}) -> f32 {
    pipe.yield %x : f32
  }
}

// -----

// Rejected: another result than the fragment has.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F stage 0() -> (f32 {pipe.result = #pipe.result<loss>}) {
    // expected-error @below {{'pipe.yield' op found types (), expected the results ('f32')}}
    pipe.yield
  }
}

// -----

// Rejected: a source of another form.
// expected-error @below {{found argument attribute pipe.source = "tokens", expected pipe.source = #pipe.source<...>}}
dist.func forward @F stage 0(%x: f32 {pipe.source = "tokens"}) {
  dist.return
}

// -----

// Rejected: a result of another form.
// expected-error @below {{found result attribute pipe.other = unit, expected pipe.result = #pipe.result<...>}}
dist.func forward @F stage 0(%x: f32) -> (f32 {pipe.other}) {
  dist.return %x : f32
}

// -----

// Rejected: a negative index.
// expected-error @below {{found index -1, expected at least 0}}
dist.func forward @F stage 0(%x: f32 {pipe.source = #pipe.source<input "seed" -1>}) {
  dist.return
}

// -----

// Rejected: a transfer from nowhere.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F stage 0(%x: f32 {pipe.source = #pipe.source<input "seed" 0>})
      -> (f32 {pipe.result = #pipe.result<transfer>}) {
    pipe.yield %x : f32
  }
  pipe.fragment forward @G stage 1() {
    pipe.yield
  }
  // expected-error @below {{'pipe.transfer' op found @H, expected the name of a fragment}}
  pipe.transfer @X0 from @H result 0 to @G : f32
}

// -----

// Rejected: a transfer to nowhere.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F stage 0(%x: f32 {pipe.source = #pipe.source<input "seed" 0>})
      -> (f32 {pipe.result = #pipe.result<transfer>}) {
    pipe.yield %x : f32
  }
  pipe.fragment forward @G stage 1() {
    pipe.yield
  }
  // expected-error @below {{'pipe.transfer' op found @H, expected the name of a fragment}}
  pipe.transfer @X0 from @F result 0 to @H : f32
}

// -----

// Rejected: a transfer of a result that is not there.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F stage 0(%x: f32 {pipe.source = #pipe.source<input "seed" 0>})
      -> (f32 {pipe.result = #pipe.result<transfer>}) {
    pipe.yield %x : f32
  }
  pipe.fragment forward @G stage 1() {
    pipe.yield
  }
  // expected-error @below {{'pipe.transfer' op found result 1 of @F, expected less than 1}}
  pipe.transfer @X0 from @F result 1 to @G : f32
}

// -----

// Rejected: a transfer of another type.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F stage 0(%x: f32 {pipe.source = #pipe.source<input "seed" 0>})
      -> (f32 {pipe.result = #pipe.result<transfer>}) {
    pipe.yield %x : f32
  }
  pipe.fragment forward @G stage 1() {
    pipe.yield
  }
  // expected-error @below {{'pipe.transfer' op found type 'f64', expected 'f32', of result 0 of @F}}
  pipe.transfer @X0 from @F result 0 to @G : f64
}

// -----

// Rejected: a transfer inside a stage.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  pipe.fragment forward @F stage 0(%x: f32 {pipe.source = #pipe.source<input "seed" 0>})
      -> (f32 {pipe.result = #pipe.result<transfer>}) {
    pipe.yield %x : f32
  }
  pipe.fragment evaluate @G stage 0() {
    pipe.yield
  }
  // expected-error @below {{'pipe.transfer' op found @F and @G on the same stage, expected two stages}}
  pipe.transfer @X0 from @F result 0 to @G : f32
}

// -----

// Rejected: a tied parameter that is not there.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.tied' op found @q, expected the name of an 'nn.parameter'}}
  pipe.tied @q stages [0, 1]
}

// -----

// Rejected: a parameter tied to one stage.
dist.mesh @m [pp = 2]
nn.parameter @p : tensor<8xf32> {layer = 0 : i64}
pipe.program @train mesh @m microbatches 1 {
  // expected-error @below {{'pipe.tied' op found stages [1, 1], expected two in ascending order}}
  pipe.tied @p stages [1, 1]
}

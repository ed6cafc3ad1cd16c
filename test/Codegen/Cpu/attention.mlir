// Attention and its gradient against the interpreter: one position, blocks
// that do not fill, odd head sizes, shared heads, windows, global tokens,
// documents, rows that see nothing.
// RUN: llmc-kernel-test --tolerance=4e-6 %s | FileCheck %s
// RUN: llmc-kernel-test --baseline --tolerance=4e-6 %s | FileCheck %s
// CHECK-NOT: FAILED

exec.program @attention {
  // CHECK: plain: ok
  exec.kernel @plain(%q: tensor<7x2x4x6xf32>, %k: tensor<7x2x2x6xf32>,
                     %v: tensor<7x2x2x6xf32>)
      -> (tensor<7x2x4x6xf32>, tensor<7x2x4xf32>)
      attributes {accumulate = array<i1: false, false>,
                  aliases = array<i64: -1, -1>} {
    %o, %l = nn.attention %q, %k, %v {scale = 0.4 : f64}
        : (tensor<7x2x4x6xf32>, tensor<7x2x2x6xf32>, tensor<7x2x2x6xf32>)
        -> (tensor<7x2x4x6xf32>, tensor<7x2x4xf32>)
    exec.return %o, %l : tensor<7x2x4x6xf32>, tensor<7x2x4xf32>
  }
  // CHECK: one_position: ok
  exec.kernel @one_position(%q: tensor<1x1x1x16xf32>, %k: tensor<1x1x1x16xf32>,
                            %v: tensor<1x1x1x16xf32>)
      -> (tensor<1x1x1x16xf32>, tensor<1x1x1xf32>)
      attributes {accumulate = array<i1: false, false>,
                  aliases = array<i64: -1, -1>} {
    %o, %l = nn.attention %q, %k, %v {scale = 0.25 : f64}
        : (tensor<1x1x1x16xf32>, tensor<1x1x1x16xf32>, tensor<1x1x1x16xf32>)
        -> (tensor<1x1x1x16xf32>, tensor<1x1x1xf32>)
    exec.return %o, %l : tensor<1x1x1x16xf32>, tensor<1x1x1xf32>
  }
  // CHECK: blocks: ok
  exec.kernel @blocks(%q: tensor<150x1x2x16xf32>, %k: tensor<150x1x2x16xf32>,
                      %v: tensor<150x1x2x16xf32>) -> tensor<150x1x2x16xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %o, %l = nn.attention %q, %k, %v {scale = 0.25 : f64}
        : (tensor<150x1x2x16xf32>, tensor<150x1x2x16xf32>,
           tensor<150x1x2x16xf32>)
        -> (tensor<150x1x2x16xf32>, tensor<150x1x2xf32>)
    exec.return %o : tensor<150x1x2x16xf32>
  }
  // CHECK: window_globals_documents: ok
  exec.kernel @window_globals_documents(
      %q: tensor<200x2x2x8xf32>, %k: tensor<200x2x1x8xf32>,
      %v: tensor<200x2x1x8xf32>, %s: tensor<200x2xi32>)
      -> (tensor<200x2x2x8xf32>, tensor<200x2x2xf32>)
      attributes {accumulate = array<i1: false, false>,
                  aliases = array<i64: -1, -1>} {
    %o, %l = nn.attention %q, %k, %v, %s
        {scale = 0.35 : f64, window = 20 : i64, global_tokens = 3 : i64}
        : (tensor<200x2x2x8xf32>, tensor<200x2x1x8xf32>,
           tensor<200x2x1x8xf32>, tensor<200x2xi32>)
        -> (tensor<200x2x2x8xf32>, tensor<200x2x2xf32>)
    exec.return %o, %l : tensor<200x2x2x8xf32>, tensor<200x2x2xf32>
  }
  // CHECK: window_globals: ok
  exec.kernel @window_globals(
      %q: tensor<256x1x1x8xf32>, %k: tensor<256x1x1x8xf32>,
      %v: tensor<256x1x1x8xf32>) -> (tensor<256x1x1x8xf32>, tensor<256x1x1xf32>)
      attributes {accumulate = array<i1: false, false>,
                  aliases = array<i64: -1, -1>} {
    %o, %l = nn.attention %q, %k, %v
        {scale = 0.35 : f64, window = 5 : i64, global_tokens = 70 : i64}
        : (tensor<256x1x1x8xf32>, tensor<256x1x1x8xf32>,
           tensor<256x1x1x8xf32>)
        -> (tensor<256x1x1x8xf32>, tensor<256x1x1xf32>)
    exec.return %o, %l : tensor<256x1x1x8xf32>, tensor<256x1x1xf32>
  }
  // CHECK: window: ok
  exec.kernel @window(
      %q: tensor<256x1x1x64xf32>, %k: tensor<256x1x1x64xf32>,
      %v: tensor<256x1x1x64xf32>)
      -> (tensor<256x1x1x64xf32>, tensor<256x1x1xf32>)
      attributes {accumulate = array<i1: false, false>,
                  aliases = array<i64: -1, -1>} {
    %o, %l = nn.attention %q, %k, %v {scale = 0.125 : f64, window = 33 : i64}
        : (tensor<256x1x1x64xf32>, tensor<256x1x1x64xf32>,
           tensor<256x1x1x64xf32>)
        -> (tensor<256x1x1x64xf32>, tensor<256x1x1xf32>)
    exec.return %o, %l : tensor<256x1x1x64xf32>, tensor<256x1x1xf32>
  }
  // CHECK: same_tensor_twice: ok
  exec.kernel @same_tensor_twice(%q: tensor<9x1x1x8xf32>,
                                 %k: tensor<9x1x1x8xf32>)
      -> tensor<9x1x1x8xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %o, %l = nn.attention %q, %k, %k {scale = 0.35 : f64}
        : (tensor<9x1x1x8xf32>, tensor<9x1x1x8xf32>, tensor<9x1x1x8xf32>)
        -> (tensor<9x1x1x8xf32>, tensor<9x1x1xf32>)
    exec.return %o : tensor<9x1x1x8xf32>
  }
  // CHECK: grad: ok
  exec.kernel @grad(
      %q: tensor<7x2x4x6xf32>, %k: tensor<7x2x2x6xf32>,
      %v: tensor<7x2x2x6xf32>, %o: tensor<7x2x4x6xf32>, %l: tensor<7x2x4xf32>,
      %d: tensor<7x2x4x6xf32>)
      -> (tensor<7x2x4x6xf32>, tensor<7x2x2x6xf32>, tensor<7x2x2x6xf32>)
      attributes {accumulate = array<i1: false, false, false>,
                  aliases = array<i64: -1, -1, -1>} {
    %dq, %dk, %dv = nn.attention_grad %q, %k, %v, %o, %l, %d
        {scale = 0.4 : f64}
        : (tensor<7x2x4x6xf32>, tensor<7x2x2x6xf32>, tensor<7x2x2x6xf32>,
           tensor<7x2x4x6xf32>, tensor<7x2x4xf32>, tensor<7x2x4x6xf32>)
        -> (tensor<7x2x4x6xf32>, tensor<7x2x2x6xf32>, tensor<7x2x2x6xf32>)
    exec.return %dq, %dk, %dv
        : tensor<7x2x4x6xf32>, tensor<7x2x2x6xf32>, tensor<7x2x2x6xf32>
  }
  // CHECK: grad_blocks: ok
  exec.kernel @grad_blocks(
      %q: tensor<150x2x2x16xf32>, %k: tensor<150x2x1x16xf32>,
      %v: tensor<150x2x1x16xf32>, %o: tensor<150x2x2x16xf32>,
      %l: tensor<150x2x2xf32>, %d: tensor<150x2x2x16xf32>,
      %s: tensor<150x2xi32>)
      -> (tensor<150x2x2x16xf32>, tensor<150x2x1x16xf32>,
          tensor<150x2x1x16xf32>)
      attributes {accumulate = array<i1: false, false, false>,
                  aliases = array<i64: -1, -1, -1>} {
    %dq, %dk, %dv = nn.attention_grad %q, %k, %v, %o, %l, %d, %s
        {scale = 0.25 : f64, window = 40 : i64, global_tokens = 2 : i64}
        : (tensor<150x2x2x16xf32>, tensor<150x2x1x16xf32>,
           tensor<150x2x1x16xf32>, tensor<150x2x2x16xf32>,
           tensor<150x2x2xf32>, tensor<150x2x2x16xf32>, tensor<150x2xi32>)
        -> (tensor<150x2x2x16xf32>, tensor<150x2x1x16xf32>,
            tensor<150x2x1x16xf32>)
    exec.return %dq, %dk, %dv
        : tensor<150x2x2x16xf32>, tensor<150x2x1x16xf32>,
          tensor<150x2x1x16xf32>
  }
  // CHECK: grad_one_position: ok
  exec.kernel @grad_one_position(
      %q: tensor<1x2x4x6xf32>, %k: tensor<1x2x2x6xf32>,
      %v: tensor<1x2x2x6xf32>, %o: tensor<1x2x4x6xf32>, %l: tensor<1x2x4xf32>,
      %d: tensor<1x2x4x6xf32>)
      -> (tensor<1x2x4x6xf32>, tensor<1x2x2x6xf32>, tensor<1x2x2x6xf32>)
      attributes {accumulate = array<i1: false, false, false>,
                  aliases = array<i64: -1, -1, -1>} {
    %dq, %dk, %dv = nn.attention_grad %q, %k, %v, %o, %l, %d
        {scale = 0.4 : f64, window = 1 : i64}
        : (tensor<1x2x4x6xf32>, tensor<1x2x2x6xf32>, tensor<1x2x2x6xf32>,
           tensor<1x2x4x6xf32>, tensor<1x2x4xf32>, tensor<1x2x4x6xf32>)
        -> (tensor<1x2x4x6xf32>, tensor<1x2x2x6xf32>, tensor<1x2x2x6xf32>)
    exec.return %dq, %dk, %dv
        : tensor<1x2x4x6xf32>, tensor<1x2x2x6xf32>, tensor<1x2x2x6xf32>
  }
}

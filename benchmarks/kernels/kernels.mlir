// Kernels of GPT-2 124M on a batch of 4 x 256: the cases of the benchmark.
exec.program @kernels {
  exec.kernel @add(%a: tensor<256x4x768xf32>, %b: tensor<256x4x768xf32>) -> tensor<256x4x768xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %0 = nn.add %a, %b : (tensor<256x4x768xf32>, tensor<256x4x768xf32>) -> tensor<256x4x768xf32>
    exec.return %0 : tensor<256x4x768xf32>
  }
  exec.kernel @gelu(%a: tensor<256x4x3072xf32>) -> tensor<256x4x3072xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %0 = nn.gelu %a {tanh_form} : (tensor<256x4x3072xf32>) -> tensor<256x4x3072xf32>
    exec.return %0 : tensor<256x4x3072xf32>
  }
  exec.kernel @gelu_erf(%a: tensor<256x4x3072xf32>) -> tensor<256x4x3072xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %0 = nn.gelu %a : (tensor<256x4x3072xf32>) -> tensor<256x4x3072xf32>
    exec.return %0 : tensor<256x4x3072xf32>
  }
  exec.kernel @gelu_input_grad(%a: tensor<256x4x3072xf32>, %d: tensor<256x4x3072xf32>) -> tensor<256x4x3072xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 1>} {
    %0 = nn.gelu_input_grad %a, %d {tanh_form} : (tensor<256x4x3072xf32>, tensor<256x4x3072xf32>) -> tensor<256x4x3072xf32>
    exec.return %0 : tensor<256x4x3072xf32>
  }
  exec.kernel @silu_multiply(%a: tensor<256x4x3072xf32>, %d: tensor<256x4x3072xf32>) -> tensor<256x4x3072xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %0 = nn.silu %a : (tensor<256x4x3072xf32>) -> tensor<256x4x3072xf32>
    %1 = nn.multiply %0, %d : (tensor<256x4x3072xf32>, tensor<256x4x3072xf32>) -> tensor<256x4x3072xf32>
    exec.return %1 : tensor<256x4x3072xf32>
  }
  exec.kernel @add_layer_norm(%a: tensor<256x4x768xf32>, %b: tensor<256x4x768xf32>, %g: tensor<768xf32>, %bias: tensor<768xf32>) -> (tensor<256x4x768xf32>, tensor<256x4xf32>, tensor<256x4xf32>, tensor<256x4x768xf32>)
      attributes {accumulate = array<i1: false, false, false, false>, aliases = array<i64: -1, -1, -1, -1>} {
    %s = nn.add %a, %b : (tensor<256x4x768xf32>, tensor<256x4x768xf32>) -> tensor<256x4x768xf32>
    %m, %r = nn.layer_norm_stat %s {eps = 1.0e-5 : f64} : (tensor<256x4x768xf32>) -> (tensor<256x4xf32>, tensor<256x4xf32>)
    %n = nn.layer_norm_apply %s, %m, %r, %g, %bias : (tensor<256x4x768xf32>, tensor<256x4xf32>, tensor<256x4xf32>, tensor<768xf32>, tensor<768xf32>) -> tensor<256x4x768xf32>
    exec.return %s, %m, %r, %n : tensor<256x4x768xf32>, tensor<256x4xf32>, tensor<256x4xf32>, tensor<256x4x768xf32>
  }
  exec.kernel @layer_norm_input_grad(%a: tensor<256x4x768xf32>, %m: tensor<256x4xf32>, %r: tensor<256x4xf32>, %g: tensor<768xf32>, %d: tensor<256x4x768xf32>, %e: tensor<256x4x768xf32>) -> tensor<256x4x768xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %0 = nn.layer_norm_input_grad %a, %m, %r, %g, %d : (tensor<256x4x768xf32>, tensor<256x4xf32>, tensor<256x4xf32>, tensor<768xf32>, tensor<256x4x768xf32>) -> tensor<256x4x768xf32>
    %1 = nn.add %e, %0 : (tensor<256x4x768xf32>, tensor<256x4x768xf32>) -> tensor<256x4x768xf32>
    exec.return %1 : tensor<256x4x768xf32>
  }
  exec.kernel @layer_norm_weight_grad(%a: tensor<256x4x768xf32>, %m: tensor<256x4xf32>, %r: tensor<256x4xf32>, %d: tensor<256x4x768xf32>) -> (tensor<768xf32>, tensor<768xf32>)
      attributes {accumulate = array<i1: true, true>, aliases = array<i64: -1, -1>} {
    %0 = nn.layer_norm_weight_grad %a, %m, %r, %d : (tensor<256x4x768xf32>, tensor<256x4xf32>, tensor<256x4xf32>, tensor<256x4x768xf32>) -> tensor<768xf32>
    %1 = nn.sum_leading %d : (tensor<256x4x768xf32>) -> tensor<768xf32>
    exec.return %0, %1 : tensor<768xf32>, tensor<768xf32>
  }
  exec.kernel @rms_norm(%a: tensor<256x4x768xf32>, %g: tensor<768xf32>) -> (tensor<256x4xf32>, tensor<256x4x768xf32>)
      attributes {accumulate = array<i1: false, false>, aliases = array<i64: -1, -1>} {
    %r = nn.rms_stat %a {eps = 1.0e-5 : f64} : (tensor<256x4x768xf32>) -> tensor<256x4xf32>
    %n = nn.rms_apply %a, %r, %g : (tensor<256x4x768xf32>, tensor<256x4xf32>, tensor<768xf32>) -> tensor<256x4x768xf32>
    exec.return %r, %n : tensor<256x4xf32>, tensor<256x4x768xf32>
  }
  exec.kernel @bias_grad_3072(%d: tensor<256x4x3072xf32>) -> tensor<3072xf32>
      attributes {accumulate = array<i1: true>, aliases = array<i64: -1>} {
    %1 = nn.sum_leading %d : (tensor<256x4x3072xf32>) -> tensor<3072xf32>
    exec.return %1 : tensor<3072xf32>
  }
  exec.kernel @rope(%q: tensor<256x4x12x64xf32>) -> tensor<256x4x12x64xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: 0>} {
    %0 = nn.rope %q {theta = 10000.0 : f64} : (tensor<256x4x12x64xf32>) -> tensor<256x4x12x64xf32>
    exec.return %0 : tensor<256x4x12x64xf32>
  }
  exec.kernel @embedding(%t: tensor<256x4xi32>, %w: tensor<50257x768xf32>) -> tensor<256x4x768xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>,
                  bytes = 6291456 : i64} {
    %0 = nn.embedding %t, %w : (tensor<256x4xi32>, tensor<50257x768xf32>) -> tensor<256x4x768xf32>
    exec.return %0 : tensor<256x4x768xf32>
  }
  exec.kernel @softmax_cross_entropy(%l: tensor<256x4x50257xf32>, %t: tensor<256x4xi32>, %seed: f32) -> (tensor<256x4xf32>, tensor<256x4x50257xf32>)
      attributes {accumulate = array<i1: false, false>, aliases = array<i64: -1, 0>} {
    %0, %1 = nn.softmax_cross_entropy %l, %t, %seed : (tensor<256x4x50257xf32>, tensor<256x4xi32>, f32) -> (tensor<256x4xf32>, tensor<256x4x50257xf32>)
    exec.return %0, %1 : tensor<256x4xf32>, tensor<256x4x50257xf32>
  }
  exec.kernel @norm_partials(%g: tensor<7087872xf32>) -> tensor<64xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %0 = nn.norm_partials %g : (tensor<7087872xf32>) -> tensor<64xf32>
    exec.return %0 : tensor<64xf32>
  }
  exec.kernel @adamw(%p: tensor<7087872xf32>, %g: tensor<7087872xf32>, %m: tensor<7087872xf32>, %v: tensor<7087872xf32>, %k: f32, %ok: i1, %lr: f32, %t: i64) -> (tensor<7087872xf32>, tensor<7087872xf32>, tensor<7087872xf32>)
      attributes {accumulate = array<i1: false, false, false>, aliases = array<i64: 0, 2, 3>} {
    %0, %1, %2 = nn.adamw_apply %p, %g, %m, %v, %k, %ok, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.95 : f64, eps = 1.0e-8 : f64, weight_decay = 0.1 : f64, decay_below = 7077888 : i64} : (tensor<7087872xf32>, tensor<7087872xf32>, tensor<7087872xf32>, tensor<7087872xf32>, f32, i1, f32, i64) -> (tensor<7087872xf32>, tensor<7087872xf32>, tensor<7087872xf32>)
    exec.return %0, %1, %2 : tensor<7087872xf32>, tensor<7087872xf32>, tensor<7087872xf32>
  }
  exec.kernel @fill() -> tensor<50257x768xf32>
      attributes {accumulate = array<i1: false>, aliases = array<i64: -1>} {
    %0 = arith.constant dense<0.0> : tensor<50257x768xf32>
    exec.return %0 : tensor<50257x768xf32>
  }
  exec.kernel @attention(%q: tensor<256x4x12x64xf32>, %k: tensor<256x4x12x64xf32>, %v: tensor<256x4x12x64xf32>) -> (tensor<256x4x12x64xf32>, tensor<256x4x12xf32>)
      attributes {accumulate = array<i1: false, false>, aliases = array<i64: -1, -1>,
                  flops = 402653184 : i64} {
    %0, %1 = nn.attention %q, %k, %v {scale = 0.125 : f64} : (tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>) -> (tensor<256x4x12x64xf32>, tensor<256x4x12xf32>)
    exec.return %0, %1 : tensor<256x4x12x64xf32>, tensor<256x4x12xf32>
  }
  exec.kernel @attention_grad(%q: tensor<256x4x12x64xf32>, %k: tensor<256x4x12x64xf32>, %v: tensor<256x4x12x64xf32>, %o: tensor<256x4x12x64xf32>, %l: tensor<256x4x12xf32>, %d: tensor<256x4x12x64xf32>) -> (tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>)
      attributes {accumulate = array<i1: false, false, false>, aliases = array<i64: -1, -1, -1>,
                  flops = 1006632960 : i64} {
    %0, %1, %2 = nn.attention_grad %q, %k, %v, %o, %l, %d {scale = 0.125 : f64} : (tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>, tensor<256x4x12xf32>, tensor<256x4x12x64xf32>) -> (tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>)
    exec.return %0, %1, %2 : tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>, tensor<256x4x12x64xf32>
  }
  exec.kernel @attention_1024(%q: tensor<1024x1x12x64xf32>, %k: tensor<1024x1x12x64xf32>, %v: tensor<1024x1x12x64xf32>) -> (tensor<1024x1x12x64xf32>, tensor<1024x1x12xf32>)
      attributes {accumulate = array<i1: false, false>, aliases = array<i64: -1, -1>,
                  flops = 1610612736 : i64} {
    %0, %1 = nn.attention %q, %k, %v {scale = 0.125 : f64} : (tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>) -> (tensor<1024x1x12x64xf32>, tensor<1024x1x12xf32>)
    exec.return %0, %1 : tensor<1024x1x12x64xf32>, tensor<1024x1x12xf32>
  }
  exec.kernel @attention_grad_1024(%q: tensor<1024x1x12x64xf32>, %k: tensor<1024x1x12x64xf32>, %v: tensor<1024x1x12x64xf32>, %o: tensor<1024x1x12x64xf32>, %l: tensor<1024x1x12xf32>, %d: tensor<1024x1x12x64xf32>) -> (tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>)
      attributes {accumulate = array<i1: false, false, false>, aliases = array<i64: -1, -1, -1>,
                  flops = 4026531840 : i64} {
    %0, %1, %2 = nn.attention_grad %q, %k, %v, %o, %l, %d {scale = 0.125 : f64} : (tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>, tensor<1024x1x12xf32>, tensor<1024x1x12x64xf32>) -> (tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>)
    exec.return %0, %1, %2 : tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>, tensor<1024x1x12x64xf32>
  }
}

// What nn-v1.mlirbc holds: every op and attribute of version 1.

module {
  nn.parameter @l0.u : tensor<32x8xf32> {decay, init = #nn.init<"normal", 2.000000e-02>, layer = 0 : i64}
  nn.parameter @norm : tensor<8xf32> {group = "final_norm", init = #nn.init<"ones">}
  nn.parameter @k : tensor<4x8x32xf32> {decay, init = #nn.init<"zeros">, layer = 1 : i64, storage = #nn.storage<"h.0.attn.c_attn.weight", [32, 96], 32, transposed>}
  nn.parameter @b : tensor<32xf32> {layer = 1 : i64, storage = #nn.storage<"h.0.b", [32], 0>}
  nn.microbatch @train(%arg0: tensor<6x4xi32> {nn.role = "tokens"}, %arg1: tensor<6x4xi32> {nn.role = "labels"}, %arg2: f32 {nn.role = "seed"}, %arg3: tensor<32x8xf32> {nn.role = "data"}) -> f32 {
    %0 = nn.get @l0.u {layer = 0 : i64} : tensor<32x8xf32>
    nn.accumulate @l0.u, %arg3 {direction = "backward"} : tensor<32x8xf32>
    nn.yield %arg2 : f32
  }
  nn.update @step(%arg0: f32 {nn.role = "lr"}, %arg1: i64 {nn.role = "t"}, %arg2: f32 {nn.role = "clip"}, %arg3: f32 {nn.role = "inv_scale"}) {
    %0 = nn.grad_norm_squared : f32
    %factor, %ok = nn.clip_factor %0, %arg2, %arg3 : (f32, f32, f32) -> (f32, i1)
    nn.adamw @l0.u, %factor, %ok, %arg0, %arg1 {beta1 = 9.000000e-01 : f64, beta2 = 8.750000e-01 : f64, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-01 : f64} : f32, i1, f32, i64
    nn.sgd @norm, %factor, %ok, %arg0 {momentum = 9.000000e-01 : f64, weight_decay = 0.000000e+00 : f64} : f32, i1, f32
    nn.yield
  }
  nn.microbatch @losses(%arg0: tensor<6x4x8xf32> {nn.role = "data"}, %arg1: tensor<97x8xf32> {nn.role = "data"}, %arg2: tensor<6x4xi32> {nn.role = "labels"}, %arg3: tensor<6x4xi1> {nn.role = "data"}, %arg4: f32 {nn.role = "seed"}) {
    %loss, %input_grad = nn.squared_error %arg0, %arg0, %arg3, %arg4 : (tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4xi1>, f32) -> (f32, tensor<6x4x8xf32>)
    %loss_0, %input_grad_1, %weight_grad = nn.cross_entropy %arg0, %arg1, %arg2, %arg4 {logits_limit = 1048576 : i64} : (tensor<6x4x8xf32>, tensor<97x8xf32>, tensor<6x4xi32>, f32) -> (f32, tensor<6x4x8xf32>, tensor<97x8xf32>)
    nn.yield
  }
  nn.microbatch @layers(%arg0: tensor<6x4x8xf32> {nn.role = "data"}, %arg1: tensor<32x8xf32> {nn.role = "data"}, %arg2: tensor<8xf32> {nn.role = "data"}, %arg3: tensor<6x4x2x8xf32> {nn.role = "data"}, %arg4: tensor<2x8xf32> {nn.role = "data"}, %arg5: tensor<16x8xf32> {nn.role = "data"}, %arg6: tensor<6x4xi32> {nn.role = "tokens"}, %arg7: tensor<6x4x8xbf16> {nn.role = "data"}, %arg8: tensor<32x8xbf16> {nn.role = "data"}) {
    %0 = nn.contract %arg0, %arg1 {indices = "tbc,fc->tbf"} : (tensor<6x4x8xf32>, tensor<32x8xf32>) -> tensor<6x4x32xf32>
    %1 = nn.contract %arg7, %arg8 {acc = f32, indices = "tbc,fc->tbf"} : (tensor<6x4x8xbf16>, tensor<32x8xbf16>) -> tensor<6x4x32xbf16>
    %2 = nn.contract %0, %arg0 {indices = "tbf,tbc->fc", weight_gradient} : (tensor<6x4x32xf32>, tensor<6x4x8xf32>) -> tensor<32x8xf32>
    %3 = nn.add %arg0, %arg0 {anchor = "residual", end_of_layer = 0 : i64} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    %4 = nn.multiply %arg0, %3 : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    %5 = nn.scale %arg0 {factor = 2.000000e+00 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    %6 = nn.add_bias %arg3, %arg4 : (tensor<6x4x2x8xf32>, tensor<2x8xf32>) -> tensor<6x4x2x8xf32>
    %7 = nn.gelu %0 : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    %8 = nn.gelu %0 {tanh_form} : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    %9 = nn.silu %0 : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    %10 = nn.relu %0 : (tensor<6x4x32xf32>) -> tensor<6x4x32xf32>
    %11 = nn.rms_stat %arg0 {eps = 1.000000e-05 : f64} : (tensor<6x4x8xf32>) -> tensor<6x4xf32>
    %12 = nn.rms_apply %arg0, %11, %arg2 : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
    %13 = nn.rms_apply %arg0, %11, %arg2 {plus_one} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
    %mean, %rstd = nn.layer_norm_stat %arg0 {eps = 1.000000e-05 : f64} : (tensor<6x4x8xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>)
    %14 = nn.layer_norm_apply %arg0, %mean, %rstd, %arg2 : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
    %15 = nn.layer_norm_apply %arg0, %mean, %rstd, %arg2, %arg2 : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<6x4x8xf32>
    %16 = nn.embedding %arg6, %arg1 : (tensor<6x4xi32>, tensor<32x8xf32>) -> tensor<6x4x8xf32>
    %17 = nn.add_positions %16, %arg5 : (tensor<6x4x8xf32>, tensor<16x8xf32>) -> tensor<6x4x8xf32>
    %18 = nn.rope %arg3 {theta = 1.000000e+04 : f64} : (tensor<6x4x2x8xf32>) -> tensor<6x4x2x8xf32>
    %19 = nn.rope %arg3 {inverse, scaling = #nn.rope_scaling<"linear", 2.000000e+00>, theta = 1.000000e+04 : f64} : (tensor<6x4x2x8xf32>) -> tensor<6x4x2x8xf32>
    %20 = nn.rope %arg3 {scaling = #nn.rope_scaling<"llama3", 8.000000e+00, 1.000000e+00, 4.000000e+00, 8192>, theta = 5.000000e+05 : f64} : (tensor<6x4x2x8xf32>) -> tensor<6x4x2x8xf32>
    %21 = nn.document_start %arg6 {end = 0 : i64} : (tensor<6x4xi32>) -> tensor<6x4xi32>
    %22 = nn.document_start %arg6 {start = 1 : i64} : (tensor<6x4xi32>) -> tensor<6x4xi32>
    nn.yield
  }
  nn.microbatch @attention(%arg0: tensor<6x4x2x8xf32> {nn.role = "data"}, %arg1: tensor<6x4x1x8xf32> {nn.role = "data"}, %arg2: tensor<6x4xi32> {nn.role = "data"}) {
    %result, %lse = nn.attention %arg0, %arg1, %arg1 {scale = 5.000000e-01 : f64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
    %result_0, %lse_1 = nn.attention %arg0, %arg1, %arg1, %arg2 {global_tokens = 1 : i64, scale = 5.000000e-01 : f64, window = 3 : i64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4xi32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x2xf32>)
    %dq, %dk, %dv = nn.attention_grad %arg0, %arg1, %arg1, %result_0, %lse_1, %arg0, %arg2 {global_tokens = 1 : i64, scale = 5.000000e-01 : f64, window = 3 : i64} : (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x2x8xf32>, tensor<6x4x2xf32>, tensor<6x4x2x8xf32>, tensor<6x4xi32>) -> (tensor<6x4x2x8xf32>, tensor<6x4x1x8xf32>, tensor<6x4x1x8xf32>)
    nn.yield
  }
  nn.microbatch @gradients(%arg0: tensor<6x4x8xf32> {nn.role = "data"}, %arg1: tensor<6x4xf32> {nn.role = "data"}, %arg2: tensor<8xf32> {nn.role = "data"}, %arg3: tensor<6x4xi32> {nn.role = "tokens"}) {
    %0 = nn.gelu_input_grad %arg0, %arg0 {tanh_form} : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    %1 = nn.silu_input_grad %arg0, %arg0 : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    %2 = nn.relu_input_grad %arg0, %arg0 : (tensor<6x4x8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    %3 = nn.sum_leading %arg0 {weight_gradient} : (tensor<6x4x8xf32>) -> tensor<8xf32>
    %4 = nn.rms_input_grad %arg0, %arg1, %arg2, %arg0 {plus_one} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    %5 = nn.rms_weight_grad %arg0, %arg1, %arg0 {weight_gradient} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
    %6 = nn.layer_norm_input_grad %arg0, %arg1, %arg1, %arg2, %arg0 : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<8xf32>, tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
    %7 = nn.layer_norm_weight_grad %arg0, %arg1, %arg1, %arg0 {weight_gradient} : (tensor<6x4x8xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4x8xf32>) -> tensor<8xf32>
    %8 = nn.embedding_grad %arg3, %arg0 {weight_gradient} : (tensor<6x4xi32>, tensor<6x4x8xf32>) -> tensor<97x8xf32>
    %9 = nn.positions_grad %arg0 {weight_gradient} : (tensor<6x4x8xf32>) -> tensor<16x8xf32>
    nn.yield
  }
  nn.microbatch @kernels(%arg0: tensor<6x4x97xf32> {nn.role = "data"}, %arg1: tensor<6x4xi32> {nn.role = "labels"}, %arg2: f32 {nn.role = "seed"}, %arg3: tensor<288xf32> {nn.role = "data"}, %arg4: i1 {nn.role = "data"}, %arg5: i64 {nn.role = "data"}) {
    %losses, %gradient = nn.softmax_cross_entropy %arg0, %arg1, %arg2 : (tensor<6x4x97xf32>, tensor<6x4xi32>, f32) -> (tensor<6x4xf32>, tensor<6x4x97xf32>)
    %0 = nn.sum %losses : (tensor<6x4xf32>) -> f32
    %1 = nn.norm_partials %arg3 : (tensor<288xf32>) -> tensor<64xf32>
    %new_parameter, %new_moment1, %new_moment2 = nn.adamw_apply %arg3, %arg3, %arg3, %arg3, %0, %arg4, %arg2, %arg5 {beta1 = 9.000000e-01 : f64, beta2 = 8.750000e-01 : f64, decay_below = 256 : i64, eps = 1.000000e-08 : f64, weight_decay = 1.000000e-01 : f64} : (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, tensor<288xf32>, f32, i1, f32, i64) -> (tensor<288xf32>, tensor<288xf32>, tensor<288xf32>)
    %new_parameter_0, %new_momentum_state = nn.sgd_apply %arg3, %arg3, %0, %arg4, %arg2, %arg3 {decay_below = 256 : i64, momentum = 9.000000e-01 : f64, weight_decay = 0.000000e+00 : f64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32, tensor<288xf32>) -> (tensor<288xf32>, tensor<288xf32>)
    %new_parameter_1 = nn.sgd_apply %arg3, %arg3, %0, %arg4, %arg2 {decay_below = 0 : i64, momentum = 0.000000e+00 : f64, weight_decay = 0.000000e+00 : f64} : (tensor<288xf32>, tensor<288xf32>, f32, i1, f32) -> tensor<288xf32>
    nn.yield
  }
}


// The smallest program that only evaluates.
dist.mesh @m [pp = 1]
nn.microbatch @logits(%x: tensor<6x4x8xf32> {nn.role = "data"}) -> tensor<6x4x8xf32> {
  nn.yield %x : tensor<6x4x8xf32>
}

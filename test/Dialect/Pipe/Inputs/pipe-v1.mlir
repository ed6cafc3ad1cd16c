// All ops, attributes and types of version 1 of the pipe dialect.
dist.mesh @m [pp = 2]
nn.parameter @wte : tensor<8xf32> {group = "embedding"}

pipe.program @train mesh @m microbatches 2 attributes {note = "x"} {
  pipe.fragment forward @F0 stage 0(
      %x: tensor<6x8xf32> {pipe.source = #pipe.source<input "data" 0>},
      %w: tensor<8xf32> {pipe.source = #pipe.source<parameter @wte>})
      -> (tensor<6x8xf32> {pipe.result = #pipe.result<transfer>},
          tensor<8xf32> {pipe.result = #pipe.result<saved>}) {
    %y = nn.add_bias %x, %w : (tensor<6x8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
    pipe.yield %y, %w : tensor<6x8xf32>, tensor<8xf32>
  }
  pipe.transfer @X0 from @F0 result 0 to @F1 : tensor<6x8xf32> sharded <[{dp}, {}]>
  pipe.fragment forward @F1 stage 1(
      %x: tensor<6x8xf32> {pipe.source = #pipe.source<transfer @X0>},
      %s: f32 {pipe.source = #pipe.source<scalar "seed">})
      -> (f32 {pipe.result = #pipe.result<loss>}) {
    pipe.yield %s : f32
  }
  pipe.fragment backward @B0 stage 0(
      %w: tensor<8xf32> {pipe.source = #pipe.source<saved @F0 1>}) {
    nn.accumulate @wte, %w : tensor<8xf32>
    pipe.yield
  }
  pipe.fragment evaluate @E0 stage 0() {
    pipe.yield
  }
  pipe.fragment logits @L0 stage 0(
      %x: tensor<6x8xf32> {pipe.source = #pipe.source<input "data" 0>})
      -> (tensor<6x8xf32> {pipe.result = #pipe.result<logits>}) {
    pipe.yield %x : tensor<6x8xf32>
  }
  pipe.tied @wte stages [0, 1]
  pipe.schedule {kind = "gpipe", ranks = ["0F0", "1F0"], live = array<i64: 2, 1>}
}

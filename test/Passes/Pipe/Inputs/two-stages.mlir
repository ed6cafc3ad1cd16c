// Two stages without contents: what schedules see of a program.
dist.mesh @m [pp = 2]
pipe.program @train mesh @m microbatches 3 {
  pipe.fragment forward @F0 stage 0() {
    pipe.yield
  }
  pipe.fragment forward @F1 stage 1() {
    pipe.yield
  }
}

# RUN: %python %s %t
"""run.stop_after saves and ends with 0 when the time is up; the next run goes on
as if there had been no stop."""
import time
from harness import *

workspace()
write_tokens("tokens.u16", random_tokens(4096))
spec = write_json("spec.json", small_spec(
    train={"train_steps": 1000000}, run={"stop_after": "1s"}))
llmc("check", spec, "--resolved", says='stop_after: "1.0s"')
llmc("compile", spec, "-o", "bundle")
begin = time.monotonic()
llmc("run", "bundle", "-o", "run", says="saved")
check(1 <= time.monotonic() - begin < 30, "ended at another time")
step = len(metrics()[0])
check(os.listdir("run/checkpoints") == [f"step_{step:08}"], "not saved")
check(read_json("run/summary.json")["outcome"] == "stopped", "the outcome")

# A bundle takes other durations; a run that ends before is not stopped.
for duration in "10m", "2h", "600s":
    llmc("run", "bundle", "-o", "run", "--steps", "2", "--set",
         f"run.stop_after={duration}", says=f"step {step}")
    step += 2
llmc("run", "bundle", "-o", "whole", "--steps", str(step), "--set",
     "run.stop_after=10m")
losses = [[s["loss"] for s in metrics(run)[0]] for run in ("run", "whole")]
check(losses[0] == losses[1], "the stopped run is another one")
for wrong in "0s", "-1s", "10", "soon":
    refused("run", spec, "-o", "other", "--set", f"run.stop_after={wrong}")
    if wrong != "10":  # seconds, to a bundle
        refused("run", "bundle", "-o", "other", "--set",
                f"run.stop_after={wrong}", says="run.stop_after")

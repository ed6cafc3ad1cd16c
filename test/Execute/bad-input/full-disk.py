# RUN: %python %s %t
"""The disk fills up within a run: the checkpoint before stays whole and can be
exported, the message names the path, and with room the run goes on from it."""
import resource
import time
from harness import *

workspace()
write_tokens("tokens.u16", random_tokens(4096))
spec = write_json("spec.json", small_spec(train={"train_steps": 1000000},
                                          checkpoint={"every": 20, "keep": 2}))
llmc("compile", spec, "-o", "bundle")
process = subprocess.Popen(["llmc", "run", "bundle", "-o", "run"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
limit = time.monotonic() + 60
while (not os.path.exists("run/checkpoints/step_00000020") and
       time.monotonic() < limit):
    time.sleep(0.001)
# No file may grow beyond this from now on; metrics.jsonl has room for a while.
resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (60000, 60000))
output = process.communicate(timeout=60)[0]
check(process.returncode == 2, f"exit {process.returncode}: {output}")
check(".partial/model.safetensors': " in output and " bytes needed, " in output
      and "the checkpoint is not saved: cannot write '" in output, output)
saved = sorted(os.listdir("run/checkpoints"))
check(saved and not any("partial" in name for name in saved), saved)
step = int(saved[-1].split("_")[1])
check(f"error: step {step + 20}: the checkpoint is not saved" in output, output)
check(read_json("run/summary.json")["outcome"] == "failed", "the outcome")
tensors = export("run")
check(sum(tensor.size for tensor in tensors.values()) == 26784, "not whole")

# With room: on from the last checkpoint, as a run that never failed.
llmc("run", "bundle", "-o", "run", "--steps", "5", says=f"step {step}")
llmc("run", "bundle", "-o", "whole", "--steps", str(step + 5))
losses = [[s["loss"] for s in metrics(run)[0]] for run in ("run", "whole")]
check(losses[0] == losses[1], "the repaired run is another one")

# The same for what export writes: nothing half.
before = tree()
done = subprocess.run(["llmc", "export", "run/checkpoints", "-o", "small"],
                      preexec_fn=lambda: resource.setrlimit(
                          resource.RLIMIT_FSIZE, (60000, 60000)),
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                      text=True)
check(done.returncode in (1, 2) and "model.safetensors" in done.stdout,
      f"exit {done.returncode}: {done.stdout}")
check(os.listdir("small") == [], os.listdir("small"))

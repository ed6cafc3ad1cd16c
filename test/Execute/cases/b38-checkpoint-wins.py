# RUN: %python %s %t
"""A checkpoint wins over model.weights, and the first line of the log says so."""
from harness import *
import reference

workspace()
write_tokens("tokens.u16", random_tokens(4096))
for seed in 1, 2:
    write_safetensors(f"w{seed}.safetensors",
                      reference.random_weights(SMALL_LLAMA, seed))


def spec_of(seed, steps, **changes):
    return write_json("spec.json", small_spec(
        model={"weights": f"w{seed}.safetensors"},
        train={"train_steps": steps}, checkpoint=changes))



def log_of(*arguments):
    done = subprocess.run(["llmc", "run", *arguments], text=True, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.splitlines()


spec = spec_of(1, 4)
llmc("compile", spec, "-o", "bundle1")
llmc("run", "bundle1", "-o", "whole")
check(log_of("bundle1", "-o", "run", "--steps", "2")[0] ==
      f"weights: from '{os.path.abspath('w1.safetensors')}'", "the first start")

# The same directory with other weights: the checkpoint wins.
spec = spec_of(2, 4)
llmc("compile", spec, "-o", "bundle2")
line = log_of("bundle2", "-o", "run")[0]
check(line == "weights: from checkpoint 'run/checkpoints/step_00000002', step "
      "2; it wins over model.weights "
      f"'{os.path.abspath('w2.safetensors')}'", line)
steps = metrics("whole")[0], metrics("run")[0]
check([s["loss"] for s in steps[0]] == [s["loss"] for s in steps[1]],
      "the run did not go on from the checkpoint")

# Asked not to resume: refused, or begun anew with the weights that are named.
llmc("compile", spec_of(2, 4, resume="never"), "-o", "bundle3")
refused("run", "bundle3", "-o", "run", says=[
    "'run' holds another run and checkpoint.resume is never"])
line = log_of("bundle3", "-o", "run", "--overwrite", "--steps", "1")[0]
check(line == f"weights: from '{os.path.abspath('w2.safetensors')}'", line)

# Weights that are gone are missed only where they would be read.
os.rename("w2.safetensors", "away.safetensors")
llmc("run", "bundle2", "-o", "run", "--steps", "1", says="from checkpoint")
refused("run", "bundle2", "-o", "other", says="w2.safetensors")

# RUN: %python %s %t
"""Ctrl-C in the middle of a step of many micro-batches ends within the step, saves
and says where; a second one ends at once. What is saved goes on as if nothing had
happened. (One signal between quick steps: run-interrupt.test.)"""
import signal
import time
from harness import *

workspace()
write_tokens("tokens.u16", random_tokens(65536))
#: 0.5 ms a micro-batch and 50,000 of them: a step is far longer than the test.
LONG = small_spec(train={"micro_batch_size": 1, "global_batch_size": 50000,
                         "train_steps": 3})
QUICK = small_spec(train={"train_steps": 1000000})
#: Half a second or more a micro-batch, so that a second signal, sent soon after
#: the first, arrives before that is answered.
SLOW = small_spec(
    model={"hidden_size": 384, "intermediate_size": 1024,
           "num_hidden_layers": 6},
    train={"sequence_length": 256, "micro_batch_size": 16,
           "global_batch_size": 1600, "train_steps": 3})
llmc("compile", write_json("long.json", LONG), "-o", "long")
llmc("compile", write_json("slow.json", SLOW), "-o", "slow")
llmc("compile", write_json("quick.json", QUICK), "-o", "quick")


def interrupted(bundle, run, *signals, started):
    """Exit code, output and how long the end took."""
    process = subprocess.Popen(
        ["llmc", "run", bundle, "-o", run, "--set", "log.every=1"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    limit = time.monotonic() + 60
    while not started(run) and time.monotonic() < limit:
        time.sleep(0.01)
    time.sleep(0.1)
    begin = time.monotonic()
    for number, name in enumerate(signals):
        if number > 0:
            time.sleep(0.1)  # two that wait together would count as one
        process.send_signal(getattr(signal, name))
    output = process.communicate(timeout=60)[0]
    return process.returncode, output, time.monotonic() - begin


def opened(run):
    return os.path.exists(f"{run}/metrics.jsonl")


def stepped(run):
    return opened(run) and os.path.getsize(f"{run}/metrics.jsonl") > 0


# In the middle of the first step: it ends long before the step would.
for name, code in ("SIGINT", 130), ("SIGTERM", 143):
    run = f"long-{code}"
    ended, output, seconds = interrupted("long", run, name, started=opened)
    check(ended == code, f"{name}: exit {ended}: {output}")
    check("interrupted after step 0; saved in " in output and seconds < 20,
          f"{name} after {seconds} s: {output}")
    check(metrics(run) == ([], []), "a step that was left is in the metrics")
    check(os.listdir(f"{run}/checkpoints") == ["step_00000000"],
          os.listdir(f"{run}/checkpoints"))
    check(read_json(f"{run}/summary.json")["outcome"] == "interrupted", output)
    # What was saved is what the run began with.
    weights = export(run)
    check(weights, "nothing can be exported")

# After some steps: the run goes on and ends as one that was left alone.
ended, output, _ = interrupted("quick", "run", "SIGINT", started=stepped)
check(ended == 130 and "saved in " in output, output)
(step,) = [int(name.split("_")[1]) for name in os.listdir("run/checkpoints")]
check(step == len(metrics()[0]), f"saved step {step} of {len(metrics()[0])}")
llmc("run", "quick", "-o", "run", "--steps", "3",
     says=f"checkpoints/step_{step:08}', step {step}")
llmc("run", "quick", "-o", "whole", "--steps", str(step + 3))
mine, whole = metrics()[0], metrics("whole")[0]
check([(s["step"], s["loss"], s["grad_norm"]) for s in mine] ==
      [(s["step"], s["loss"], s["grad_norm"]) for s in whole],
      "the interrupted run is another one")
one, other = export("run"), export("whole")
check(all((one[name] == other[name]).all() for name in other), "other weights")

# Twice: at once, and it says so. (The first may have been answered already.)
for attempt in range(5):
    shutil.rmtree("twice", ignore_errors=True)
    ended, output, seconds = interrupted("slow", "twice", "SIGINT", "SIGINT",
                                         started=opened)
    check(ended == 130 and seconds < 20, f"exit {ended}, {seconds} s: {output}")
    if "nothing was saved" in output:
        check("ended at once" in output, output)
        saved = os.listdir("twice/checkpoints")
        check(all(name.endswith(".partial") for name in saved), saved)
        break
    check("saved in " in output, output)
else:
    sys.exit("five second signals came too late")

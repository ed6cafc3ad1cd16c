# RUN: %python %s %t
"""What a step is made of follows from the spec alone; batches that do not split
are refused with their numbers, and windows that fill no batch are counted."""
from harness import *

workspace()
write_tokens("tokens.u16", random_tokens(4096))

# (a), (b): the message has global, micro and dp.
spec = write_json("a.json", small_spec(
    train={"global_batch_size": 10, "micro_batch_size": 4}))
refused("run", spec, "-o", "run", says=[
    f"{place(spec, 'global_batch_size')}: error: global_batch_size 10 is"
    " not a multiple of micro_batch_size 4 x dp 1; nearest: 8, 12"])
spec = write_json("b.json", small_spec(parallel={"dp": 3}))
refused("run", spec, "-o", "run", says=[
    "global_batch_size 8 is not a multiple of micro_batch_size 2 x dp 3; "
    "nearest: 6, 12"])

# (c): whatever the machine has, the accumulation steps are those of the spec.
for threads in 1, 3:
    spec = write_json("c.json", small_spec(run={"threads": threads}))
    llmc("run", spec, "-o", f"c{threads}", says=[
        "batch: 8 x 16 = 128 tokens per step, 4 accumulation steps of 2"])
    (step,), _ = metrics(f"c{threads}")
    check(step["tokens"] == 128 and step["total_tokens"] == 128, step)

# (d): 20 windows make two batches of 8 and leave 4, in each of two epochs
# together: 40 windows are five batches.
write_tokens("twenty.u16", random_tokens(20 * 16 + 1))
for epochs, steps, says in (
        (1, 2, "20 windows an epoch, 1 epoch, 2 steps; the last 4 windows do "
               "not fill a global batch and are not trained on"),
        (2, 5, "20 windows an epoch, 2 epochs, 5 steps; no window is left")):
    spec = write_json("d.json", small_spec(
        train={"train_steps": REMOVE},
        data={"train": "twenty.u16", "epochs": epochs, "shuffle": True}))
    llmc("run", spec, "-o", f"d{epochs}", says=says)
    check(len(metrics(f"d{epochs}")[0]) == steps, "the wrong number of steps")
check(read_json("d1/summary.json")["windows_left"] == 4, "not in the summary")

# Fewer windows than one batch: nothing could be trained.
write_tokens("seven.u16", random_tokens(7 * 16 + 1))
spec = write_json("e.json", small_spec(
    train={"train_steps": REMOVE}, data={"train": "seven.u16", "epochs": 1}))
refused("run", spec, "-o", "run", says="7 windows")

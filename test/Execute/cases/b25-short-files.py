# RUN: %python %s %t
"""A file trains if it has one window, and is refused with what it has and what
it needs if not; nothing loops, nothing is left behind."""
import time
from harness import *

workspace()
tokens = random_tokens(4096)
one_step = {"micro_batch_size": 1, "global_batch_size": 1,
            "train_steps": REMOVE}


def spec_of(name, **data):
    return write_json("spec.json", small_spec(
        train=one_step, data={"train": name, "epochs": 1, **data}))


for count in 0, 1, 15, 16:
    write_tokens("short.u16", tokens[:count])
    spec = spec_of("short.u16")
    begin = time.monotonic()
    refused("run", spec, "-o", "run", says=[
        f"{place(spec, 'train', 2)}: error: data.train: "
        "'short.u16': one window of sequence_length 16 needs 17 tokens, have "
        f"{count}"])
    check(time.monotonic() - begin < 5, "took more than 5 s")
    # A bundle finds it when it runs.
    llmc("compile", spec, "-o", "bundle")
    refused("run", "bundle", "-o", "run", says=f"needs 17 tokens, have {count}")

for count, windows in (17, 1), (18, 1), (32, 1), (33, 2):
    write_tokens("short.u16", tokens[:count])
    run = f"run{count}"
    llmc("run", spec_of("short.u16"), "-o", run)
    steps, _ = metrics(run)
    check(len(steps) == windows and all(s["tokens"] == 16 for s in steps),
          f"{count} tokens gave {steps}")

with open("odd.u16", "wb") as file:
    file.write(b"\x01\x00" * 40 + b"\x02")
refused("run", spec_of("odd.u16"), "-o", "run", says=[
    "'odd.u16': 81 bytes, expected a multiple of 2, the size of a raw-u16 "
    "token"])

# 99.99 % and 0.01 % of the tokens: the smaller split is empty.
write_tokens("train.u16", tokens[:4095])
write_tokens("empty.u16", tokens[:0])
spec = spec_of("train.u16", validation="empty.u16")
refused("run", spec, "-o", "run", says=[
    f"{place(spec, 'validation')}: error: data.validation: "
    "'empty.u16': a validation needs 2 tokens, have 0"])
# Two tokens are one short window.
write_tokens("two.u16", tokens[:2])
llmc("run", spec_of("train.u16", validation="two.u16"), "-o", "two",
     "--steps", "1")
check(metrics("two")[1], "no validation line")
write_json("spec.json", small_spec(
    data={"train": "train.u16", "validation": "two.u16"},
    validate={"windows": 1}))
refused("run", "spec.json", "-o", "run", says="data.validation: 'two.u16': one "
        "window of sequence_length 16 needs 17 tokens, have 2")

spec = spec_of("missing.u16")
refused("run", spec, "-o", "run", says=[
    f"{place(spec, 'train', 2)}: error: ", "missing.u16"])
os.mkdir("folder.u16")
refused("run", spec_of("folder.u16"), "-o", "run", says=[
    "folder.u16", "is a directory, expected a file"])
os.mkfifo("pipe.u16")
refused("run", spec_of("pipe.u16"), "-o", "run", says="is not a regular file")
refused("run", spec_of("*.none"), "-o", "run", says="no file matches")

#!/usr/bin/env python3
"""Times a training step beside the GEMMs of the same step.

step.py LLMC [CASE ...] [--steps N]

LLMC is the path of the llmc executable. Cases are the lines of cases.json: a
spec and its --set values. The run is traced; for each step the durations of
oneDNN's matmuls and of every kernel are added up. The ratio is the step's whole
time over the time of its GEMMs: 1 would be a program of nothing but GEMMs. The
first two steps (first touch of memory, threads waking up) are left out.
"""
import argparse
import collections
import json
import os
import random
import statistics
import struct
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED_STEPS = 2


def write_tokens(path, vocabulary, count):
    """A token file with llm.c's header and random tokens."""
    generator = random.Random(1)
    with open(path, "wb") as file:
        file.write(struct.pack("<256i", 20240520, 1, count, *[0] * 253))
        file.write(struct.pack(f"<{count}H", *(generator.randrange(vocabulary) for _ in range(count))))


def run(llmc, case, steps, folder):
    tokens = os.path.join(folder, "tokens.bin")
    write_tokens(tokens, case["vocab_size"], 65536)
    trace = os.path.join(folder, "trace.json")
    sets = {"data.train": tokens, "data.format": "llmc", "train.train_steps": steps + SKIPPED_STEPS,
            "train.lr_schedule.warmup_steps": 1, "checkpoint.every": 10**6, **case["set"]}
    command = [llmc, "run", os.path.join(HERE, "..", "..", case["spec"]), "-o", os.path.join(folder, "run"),
               "--overwrite", "--trace", trace]
    for key, value in sets.items():
        command += ["--set", f"{key}={value}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    lines = [json.loads(line) for line in open(os.path.join(folder, "run", "metrics.jsonl"))]
    events = [event for event in json.load(open(trace))["traceEvents"] if event.get("ph") == "X"]
    return [line for line in lines if "loss" in line], events


def report(name, lines, events):
    seconds = {line["step"]: line["step_seconds"] for line in lines if line["step"] > SKIPPED_STEPS}
    gemm, flops, kernels = collections.Counter(), collections.Counter(), collections.Counter()
    for event in events:
        step, what = event["args"]["step"], event["args"]["op"]
        if step not in seconds:
            continue
        if event["cat"] == "matmul":
            gemm[step] += event["dur"] * 1e-6
            m, n, k = map(int, what.split("_")[1].split("x"))
            flops[step] += 2 * m * n * k
        else:
            kernels[what] += event["dur"] * 1e-6 / len(seconds)
    step = statistics.median(seconds.values())
    product = statistics.median(gemm.values())
    rate = statistics.median(flops[s] / gemm[s] for s in gemm) * 1e-9
    print(f"{name}: step {step:.3f} s, GEMMs in oneDNN {product:.3f} s ({rate:.0f} GFLOP/s), ratio {step / product:.3f}")
    for what, duration in kernels.most_common(8):
        print(f"  {duration * 1e3:8.1f} ms  {what}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("llmc")
    parser.add_argument("case", nargs="*")
    parser.add_argument("--steps", type=int, default=5)
    arguments = parser.parse_args()
    cases = json.load(open(os.path.join(HERE, "cases.json")))
    for name in arguments.case or cases:
        with tempfile.TemporaryDirectory() as folder:
            report(name, *run(arguments.llmc, cases[name], arguments.steps, folder))


if __name__ == "__main__":
    main()

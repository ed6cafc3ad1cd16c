"""Starts `llmc run BUNDLE -o RUN_DIR` with many steps, sends it signals after
the first step and prints how it ended: interrupt.py BUNDLE RUN_DIR SIGNAL..."""
import os
import signal
import subprocess
import sys
import time

bundle, run_dir, *signals = sys.argv[1:]
process = subprocess.Popen(
    ["llmc", "run", bundle, "-o", run_dir, "--set",
     "train.train_steps=1000000"],
    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
metrics = os.path.join(run_dir, "metrics.jsonl")
while not (os.path.exists(metrics) and os.path.getsize(metrics)):
    time.sleep(0.01)
for name in signals:
    process.send_signal(getattr(signal, name))
error = process.communicate(timeout=60)[1]
print(f"exit {process.returncode}")
print(error)

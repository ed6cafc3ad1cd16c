"""Flips single bits all over the files of a bundle: each time `llmc run` must
end with 1 and a message. damage.py BUNDLE RUN_DIR"""
import os
import subprocess
import sys

bundle, run_dir = sys.argv[1:]
tried = 0
for name in sorted(os.listdir(bundle)):
    path = os.path.join(bundle, name)
    good = open(path, "rb").read()
    for i in range(8):
        at = (len(good) - 1) * i // 7
        bad = bytearray(good)
        bad[at] ^= 1 << (i % 8)
        open(path, "wb").write(bad)
        result = subprocess.run(["llmc", "run", bundle, "-o", run_dir],
                                capture_output=True, text=True, timeout=60)
        if result.returncode != 1 or "error: '" not in result.stderr:
            sys.exit(f"{name}, byte {at}: exit {result.returncode}, "
                     f"{result.stderr!r}")
        tried += 1
    open(path, "wb").write(good)
if os.path.exists(run_dir):
    sys.exit("a damaged bundle touched the run directory")
print(f"{tried} damaged bundles refused")

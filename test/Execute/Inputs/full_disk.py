"""Runs a command that cannot write more than LIMIT bytes into a file: full_disk.py
LIMIT COMMAND... prints how it ended."""
import resource
import subprocess
import sys

limit, *command = sys.argv[1:]


def shrink():
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))


result = subprocess.run(command, preexec_fn=shrink, capture_output=True,
                        text=True)
print(f"exit {result.returncode}")
print(result.stderr)

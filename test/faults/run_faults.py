#!/usr/bin/env python3
"""Shows that each planted fault is caught.

run_faults.py LLMC [-j N] [NAME...]

LLMC was built with the option LLMC_FAULTS. Each fault of faults.json names a
golden case with the options of check_golden.py that go with it, and what that
must complain about: a number that differs, or the words with which the compiler
refuses its own program. The same cases must agree when no fault is asked for.
One line a fault; exit status 1 if one is not caught.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "..", "golden")


def run(llmc, check, fault):
    """The exit status of a golden check under a fault, and what it said."""
    with tempfile.TemporaryDirectory(prefix="fault-") as directory:
        # A bundle that was compiled under another fault must not be found.
        environment = dict(os.environ, LLMC_FAULT=fault,
                           XDG_CACHE_HOME=os.path.join(directory, "cache"))
        done = subprocess.run(
            [sys.executable, os.path.join(GOLDEN, "check_golden.py"), llmc,
             GOLDEN, *shlex.split(check), "--keep",
             os.path.join(directory, "runs")],
            env=environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
    return done.returncode, " ".join(done.stdout.split())


def arguments(faults):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("llmc")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("name", nargs="*")
    parsed = parser.parse_args()
    for name in parsed.name:
        if name not in faults:
            parser.error(f"found fault '{name}', expected one of "
                         f"{', '.join(faults)}")
    return parsed


def main():
    with open(os.path.join(HERE, "faults.json"), encoding="utf-8") as text:
        faults = {fault["name"]: fault for fault in json.load(text)}
    args = arguments(faults)
    chosen = [faults[name] for name in args.name or faults]
    checks = sorted({fault["check"] for fault in chosen})
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        sound = pool.map(lambda check: run(args.llmc, check, ""), checks)
        for check, (status, said) in zip(checks, sound):
            if status != 0:
                wrong += 1
                print(f"no fault: {check}: found '{said}', expected agreement",
                      flush=True)
        found = pool.map(
            lambda fault: run(args.llmc, fault["check"], fault["name"]), chosen)
        for fault, (status, said) in zip(chosen, found):
            caught = status == 1 and re.search(fault["caught"], said)
            wrong += not caught
            verdict = (f"caught: {said[caught.start():][:80]}" if caught else
                       f"NOT CAUGHT: expected '{fault['caught']}', found "
                       f"'{said}'")
            print(f"{fault['name']}: {fault['what']}: {verdict}", flush=True)
    print(f"{len(chosen)} faults in {len(checks)} checks, {wrong} wrong")
    sys.exit(1 if wrong else 0)


main()

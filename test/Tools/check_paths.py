#!/usr/bin/env python3
"""Finds absolute paths of a developer's machine.

check_paths.py ROOT [FILE...]: the named files below ROOT, or all that git
knows there. Exit status 1 if there is such a path.
"""
import os
import re
import sys

import tree

PATH = re.compile(rb"(?<![\w.~}-])/(?:home|work|root)/[\w.-]+(?:/[\w.-]+)*")


def main():
    root = sys.argv[1]
    count = 0
    for path in tree.files(root, sys.argv[2:]):
        with open(os.path.join(root, path), "rb") as file:
            data = file.read()
        if b"\0" in data:  # weights and tokens
            continue
        for number, line in enumerate(data.split(b"\n"), 1):
            for match in PATH.findall(line):
                count += 1
                print(f"{path}:{number}: error: found the path "
                      f"{match.decode(errors='replace')}")
    print(f"{count} paths of a machine")
    sys.exit(1 if count else 0)


main()

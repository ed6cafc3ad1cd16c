#!/usr/bin/env python3
"""Checks that excerpts in the documentation are lines of the files they name.

check_excerpts.py ROOT [FILE...]: the named pages below ROOT, or README.md and all of docs/.
A block between fences that follows a line `<!-- from PATH -->` must consist of
lines of that file, in its order; indentation and empty lines do not count.
Exit status 1 if one does not, or if there is no excerpt at all.
"""
import os
import re
import sys

import tree

FROM = re.compile(r"<!-- from (\S+) -->\s*$")


def excerpts(path):
    """The file, first line number and lines of each excerpt of a page."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for i, line in enumerate(lines):
        match = FROM.match(line)
        if match and lines[i + 1].startswith("```"):
            end = lines.index("```", i + 2)
            yield match.group(1), i + 3, lines[i + 2:end]


def missing(source, lines):
    """The number of the first line that does not follow in the source."""
    at = 0
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            at = source.index(line.strip(), at) + 1
        except ValueError:
            return number
    return None


def main():
    root = sys.argv[1]
    count = faults = 0
    for page in tree.files(root, sys.argv[2:], "README.md", "docs/*.md"):
        for name, first, lines in excerpts(os.path.join(root, page)):
            count += 1
            with open(os.path.join(root, name), encoding="utf-8") as file:
                source = [line.strip() for line in file]
            number = missing(source, lines)
            if number is not None:
                faults += 1
                print(f"{page}:{first + number}: error: found "
                      f"'{lines[number].strip()}', which does not follow in "
                      f"{name}")
    print(f"{faults} of {count} excerpts differ")
    sys.exit(1 if faults or not count else 0)


main()

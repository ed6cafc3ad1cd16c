#!/usr/bin/env python3
"""Checks that the list of faults and the places where they are planted agree.

check_faults.py ROOT [FILE...]: the named files below ROOT, or all that git
knows there, against ROOT/test/faults/faults.json. Each fault of the list has
one place, each place is in the list. Exit status 1 if not.
"""
import collections
import json
import os
import re
import sys

import tree

PLACE = re.compile(r'LLMC_FAULT\(\s*"([^"]*)"\s*\)')


def main():
    root = sys.argv[1]
    places = collections.defaultdict(list)
    for path in tree.files(root, sys.argv[2:], "*.cpp", "*.h"):
        with open(os.path.join(root, path), encoding="utf-8") as source:
            text = source.read()
        for match in PLACE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            places[match.group(1)].append(f"{path}:{line}")
    listed = os.path.join(root, "test", "faults", "faults.json")
    with open(listed, encoding="utf-8") as text:
        names = [fault["name"] for fault in json.load(text)]
    errors = [f"{place}: error: fault '{name}' is not in faults.json"
              for name in sorted(places.keys() - set(names))
              for place in places[name]]
    for name in names:
        if names.count(name) != 1 or len(places[name]) != 1:
            errors.append(f"faults.json: error: fault '{name}' is listed "
                          f"{names.count(name)} times and planted in "
                          f"{len(places[name])} places, expected one each")
    print("\n".join(errors + [f"{len(errors)} mistakes in {len(names)} faults"]))
    sys.exit(1 if errors else 0)


main()

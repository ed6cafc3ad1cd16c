#!/usr/bin/env python3
"""Checks which folder includes which.

check_includes.py ROOT [FILE...]: the named files below ROOT, or all that git
knows there. Exit status 1 if one includes what its folder may not.
"""
import os
import re
import sys

import tree

OUTSIDE = ("mlir/", "llvm/", "llvm-c/", "lld/", "yaml-cpp/")
# False in every build but one for tests, and without includes of ours.
ANYWHERE = "test/faults/Fault.h"
TOP = ("benchmarks/", "cmake/", "codegen/", "dialects/", "frontend/",
       "passes/", "runtime/", "test/", "tools/")

# Folder, project folders that it may include, other libraries that it may not.
# The first line that fits a file decides.
RULES = [
    ("runtime/", ["runtime/"], OUTSIDE),
    ("passes/Scheduling/", ["passes/Scheduling/"], OUTSIDE),
    ("passes/MemoryPlan/", ["passes/MemoryPlan/"], OUTSIDE),
    ("passes/Pipelines/", ["passes/", "dialects/", "codegen/", "frontend/",
                           "runtime/"], ()),
    ("passes/", ["passes/Nn/", "passes/Dist/", "passes/Pipe/", "passes/Exec/",
                 "passes/Scheduling/", "passes/MemoryPlan/", "dialects/"], ()),
    ("codegen/Plan/", ["codegen/", "dialects/", "runtime/plan/",
                       "runtime/base/"], ()),
    ("codegen/", ["codegen/", "dialects/"], ()),
    ("frontend/yaml/", ["frontend/yaml/"], OUTSIDE[:-1]),
    ("frontend/spec/", ["frontend/yaml/", "frontend/spec/"], OUTSIDE[:-1]),
    ("frontend/", ["frontend/", "dialects/"], ()),
    ("cmake/", [], ()),
    ("tools/", list(TOP), ()),
    ("test/", list(TOP), ()),
    ("benchmarks/", list(TOP), ()),
]
DIALECTS = ["Interfaces", "Nn", "Dist", "Pipe", "Exec"]
for i, name in enumerate(DIALECTS):
    RULES.append((f"dialects/{name}/",
                  [f"dialects/{d}/" for d in DIALECTS[:i + 1]], ()))

INCLUDE = re.compile(r'^\s*#?\s*include\s*(["<])([^">]+)[">]')


def fault(path, quote, included):
    """What is wrong with one include, or nothing."""
    rule = next((r for r in RULES if path.startswith(r[0])), None)
    if rule is None:
        return f"{path} stands in no folder with a rule"
    folder, allowed, forbidden = rule
    expected = "expected only " + (" and ".join(allowed) or "libraries")
    if forbidden:
        expected += " and no MLIR, LLVM or YAML"
    if included == ANYWHERE:
        return None
    if included.startswith(TOP):
        if not included.startswith(tuple(allowed)):
            return f"{folder} includes {included}, {expected}"
    elif included.startswith(forbidden):
        return f"{folder} includes {included}, {expected}"
    elif quote == '"' and "/" not in included:
        return f"{included} is not named from the root of the repository"
    return None


def main():
    root = sys.argv[1]
    count = 0
    for path in tree.files(root, sys.argv[2:], "*.cpp", "*.h", "*.td"):
        with open(os.path.join(root, path), encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                match = INCLUDE.match(line)
                error = match and fault(path, *match.groups())
                if error:
                    count += 1
                    print(f"{path}:{number}: error: {error}")
    print(f"{count} includes in wrong directions")
    sys.exit(1 if count else 0)


main()

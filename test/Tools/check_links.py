#!/usr/bin/env python3
"""Checks the relative links of the documentation.

check_links.py ROOT [FILE...]: the named files below ROOT, or README.md,
CONTRIBUTING.md and all pages of docs/. Exit status 1 if a link names no file,
or no heading of the page that it names.
"""
import os
import re
import sys

import tree

LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")


def prose(path):
    """Lines and their numbers, without what stands between fences."""
    fenced = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced:
                yield number, line


def anchors(path):
    """The anchors that a site gives to the headings of a page."""
    found = set()
    for _, line in prose(path):
        if line.startswith("#"):
            title = line.lstrip("#").strip().lower()
            found.add(re.sub(r"[^\w\- ]", "", title).replace(" ", "-"))
    return found


def fault(root, page, link):
    """What is wrong with a link, or nothing."""
    file, _, anchor = link.partition("#")
    target = os.path.join(root, os.path.dirname(page), file)
    if not file:
        target = os.path.join(root, page)
    if not os.path.exists(target):
        return f"found a link to '{link}', which is no file"
    if anchor and target.endswith(".md") and anchor not in anchors(target):
        return f"found a link to '{link}', a heading that does not exist"
    return None


def main():
    root = sys.argv[1]
    pages = tree.files(root, sys.argv[2:], "README.md", "CONTRIBUTING.md",
                       "docs/*.md", "docs/**/*.md")
    count = 0
    for page in pages:
        for number, line in prose(os.path.join(root, page)):
            # Code is not a link.
            for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", link):
                    continue
                what = fault(root, page, link)
                if what:
                    count += 1
                    print(f"{page}:{number}: error: {what}")
    print(f"{count} broken links in {len(pages)} pages")
    sys.exit(1 if count else 0)


main()

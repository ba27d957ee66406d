#!/usr/bin/env python3
"""Checks the size and the manner of files: at most 800 lines, an opening
comment, header guards that follow the path, names that state what a file does, no TODO without an
issue, no path of one machine.
"""
import os
import re
import sys

from source_tree import list_files, read, report

CAP = 800
SIZED = (".cpp", ".h", ".hpp", ".c", ".cu", ".td", ".def", ".py", ".mlir", ".test", ".cmake", "CMakeLists.txt")
VAGUE = re.compile(r"^(Utils?|Common|Misc|Helpers?)\d*\.", re.I)
TODO = re.compile(r"\b(TODO(?!\(#\d+\))|FIXME|XXX|HACK)\b")
# Files whose subject is these words.
TODO_EXEMPT = ("tools/scripts/checks/check_sizes.py", "CONTRIBUTING.md")
MACHINE_PATH = re.compile(r"/work/|\.\./shared|/home/\w+/|/tmp/[a-z]+/")


def guard_of(path):
    for folder in ("runtime/include/", "tools/libsymc/include/", "tools/predict/include/"):
        if path.startswith(folder):
            path = path[len(folder):]
    guard = re.sub(r"[^A-Za-z0-9]", "_", path).upper()
    return guard if guard.startswith("SYMC_") else "SYMC_" + guard


def check_file(path, text):
    problems = []
    name = os.path.basename(path)
    lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    if path.endswith(SIZED) and lines > CAP:
        problems.append("%s: %d lines, the cap is %d" % (path, lines, CAP))
    if VAGUE.match(name):
        problems.append("%s: the name does not state what the file does" % path)
    if path.endswith((".cpp", ".h", ".hpp", ".c", ".td", ".def")) and not text.lstrip().startswith(("//", "/*")):
        problems.append("%s: does not open with what it does" % path)
    if path.endswith((".h", ".hpp")):
        guard = guard_of(path)
        if "#pragma once" in text or not re.search(r"^#ifndef %s$" % guard, text, re.M):
            problems.append("%s: the header guard is not %s" % (path, guard))
    if path not in TODO_EXEMPT and not path.startswith("docs/"):
        for match in TODO.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            problems.append("%s:%d: %s without an issue" % (path, line, match.group(0)))
    if path != "tools/scripts/checks/check_sizes.py":
        for match in MACHINE_PATH.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            problems.append("%s:%d: a path that a user does not have" % (path, line))
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    problems = []
    suffixes = SIZED + (".md", ".sh", ".json", ".in")
    for path in list_files(root, suffixes):
        if path.startswith(("test/conformance/", "docs/generated/")) or path.endswith("-symbol.json"):
            continue
        problems.extend(check_file(path, read(root, path)))
    sys.exit(report("sizes", problems, "problems"))


if __name__ == "__main__":
    main()
